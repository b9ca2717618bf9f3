//! Any partition of documents into files gives the answers of a single file, bit for bit.

use proptest::collection::vec;
use proptest::prelude::*;
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::sync::Arc;
use zgram::Corpus;
use zgram::access::{Access, Phrase};
use zgram::analytics::{Case, Choice, Norm, SklearnTfIdf, TfIdf, Traversal, Units, View};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::Store;
use zgram_testkit::{
    Document, Edited, Feed, Random, Way, ask, cases, compress, corpus, file, open_shards, options,
    shard_files, some_cuts, suite,
};

/// Every case of the suite, cut into two and into three files at random.
#[test]
fn the_suite_holds_for_shards() {
    let mut random = Random::new(7);
    for case in suite::cases() {
        let text: usize = case.documents.iter().map(|document| document.text.len()).sum();
        for (parts, segment_size) in [(2, u64::MAX / 4), (3, 40.max(text as u64 / 9))] {
            let cuts = some_cuts(&mut random, case.documents.len(), parts);
            let files = shard_files(&case.documents, &cuts, GrammarKind::RePair, segment_size);
            let corpus = open_shards(files);
            let choices =
                [Choice::Auto].into_iter().chain(Traversal::ALL.into_iter().map(Choice::Fixed));
            for (choice, threads) in choices.zip([2, 1, 8, 2, 1, 8]) {
                let way = Way { choice, threads, memory: 2 * text as u64, accelerator: None };
                let found = ask(&corpus, &case.question, way);
                assert_eq!(found, case.expected, "{case}, cut at {cuts:?}, {way:?}");
            }
        }
    }
}

/// The answers to all kinds of questions, each with what it answers.
pub(crate) fn all_answers(corpus: Arc<Corpus>) -> Vec<(&'static str, String)> {
    let mut answers = Vec::new();
    let mut note = |what, answer: &dyn Debug| answers.push((what, format!("{answer:?}")));
    let fold = || View { case: Case::Fold, ..View::default() };
    note("documents", &corpus.documents().unwrap());
    note("size", &(corpus.facts().documents, corpus.facts().sizes.text_bytes));
    note("words", &corpus.word_count().rows().unwrap());
    note("folded words", &corpus.word_count().view(fold()).top(3).rows().unwrap());
    note("sorted words", &corpus.sort().rows().unwrap());
    note("inverted index", &corpus.inverted_index().rows().unwrap());
    note("term vector", &corpus.term_vector().top(2).rows().unwrap());
    note("sequences", &corpus.sequence_count().words(2).rows().unwrap());
    note("sequences of all", &corpus.sequence_count().words(3).of_corpus().rows().unwrap());
    note("ranked index", &corpus.ranked_inverted_index().words(2).rows().unwrap());
    note("folders", &corpus.term_vector().by(Units::Folder).rows().map_err(|e| e.to_string()));
    let first = corpus.facts().documents.min(1) as usize;
    note("first", &corpus.word_count().documents(0..first).rows().unwrap());
    matrices(&corpus, &mut note);
    note("ranks", &corpus.rank(["a", "bb"]).ranked().map_err(|error| error.to_string()));
    note("keyness", &corpus.keyness().documents(0..first).key_words().map_err(|e| e.to_string()));
    note("collocates", &corpus.collocates("a").collect().map_err(|error| error.to_string()));
    match corpus.cooccurrence().window(2).min_count(1).prepare() {
        Err(error) => note("co-occurrences", &error.to_string()),
        Ok(run) => {
            let mut rows = Vec::new();
            run.for_each_row(|columns, values| {
                rows.push((columns.to_vec(), values.to_vec()));
                Ok(())
            })
            .unwrap();
            note("co-occurrences", &(run.terms().iter().collect::<Vec<_>>(), rows));
        }
    }
    texts(corpus, &mut note);
    answers
}

fn matrices(corpus: &Corpus, note: &mut dyn FnMut(&'static str, &dyn Debug)) {
    let run = match corpus.term_matrix().prepare() {
        Err(error) => return note("matrix", &error.to_string()),
        Ok(run) => run,
    };
    note("terms", &run.terms().iter().collect::<Vec<_>>());
    note("matrix", &run.collect().unwrap());
    let sklearn = |fit_transform| {
        TfIdf::Sklearn(SklearnTfIdf { fit_transform, norm: Some(Norm::L2), ..Default::default() })
    };
    for scheme in [TfIdf::Paper, TfIdf::Gensim, sklearn(true), sklearn(false)] {
        let mut rows = Vec::new();
        let run = corpus.term_matrix().prepare().unwrap();
        let weighted = run.tf_idf(scheme).unwrap();
        let take = |columns: &[u32], values: &[f64]| {
            rows.push((columns.to_vec(), values.iter().map(|v| v.to_bits()).collect::<Vec<_>>()));
            Ok(())
        };
        weighted.for_each_row(take).unwrap();
        note("tf-idf", &rows);
    }
}

fn texts(corpus: Arc<Corpus>, note: &mut dyn FnMut(&'static str, &dyn Debug)) {
    let all: Vec<usize> = (0..corpus.facts().documents as usize).collect();
    let mut text = Vec::new();
    corpus.write_documents(&all, &mut text).unwrap();
    note("text", &text);
    let access = Access::new(Arc::clone(&corpus));
    let store = Store::from_corpus(Corpus::of_shards("all", [corpus]).unwrap());
    for phrase in ["a", "a bb", "B", "nowhere"] {
        let phrase = Phrase::new(phrase).unwrap();
        let mut found = Vec::new();
        let _ = store
            .search_each(std::slice::from_ref(&phrase), None, |hit| {
                let context = hit.context(2).unwrap();
                found.push((hit.document, hit.place, context));
                ControlFlow::<()>::Continue(())
            })
            .unwrap();
        note("matches", &found);
        note("count", &store.count_all(&phrase).unwrap());
        let each = all.iter().map(|&document| access.count(document, &phrase).unwrap());
        note("counts", &each.collect::<Vec<_>>());
    }
    for &document in &all {
        note("lines", &store.lines(document, 1, 2).unwrap());
        let size = store.size(document).unwrap();
        note("extract", &store.extract(document, size / 2, 9).unwrap());
    }
}

/// Documents with few words that often have equal counts.
pub(crate) fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![
        4 => "[abAB]{1,2}",
        2 => "[a-f1]{1,3}",
        1 => Just("Straße".to_owned()),
        1 => Just("中文".to_owned()),
        1 => Just("\n".to_owned()),
        1 => Just(", ".to_owned()),
    ];
    let text = (vec(word, 0..30), 1usize..6).prop_map(|(words, times)| {
        let once = words.join(" ");
        once.repeat(times)
    });
    vec(text, 0..9).prop_map(|texts| {
        let document = |(number, text): (usize, String)| {
            Document::new(format!("f{}/{number:02}", number / 3), text)
        };
        texts.into_iter().enumerate().map(document).collect()
    })
}

pub(crate) fn check_equal(found: &[(&str, String)], expected: &[(&str, String)]) {
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(80)))]

    #[test]
    fn any_partition_gives_the_same_answers(
        documents in some_documents(),
        parts in 1usize..5,
        seed in any::<u64>(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
        level in prop_oneof![Just(Level::Fast), Just(Level::Default), Just(Level::Max)],
        index in any::<bool>(),
    ) {
        let cuts = some_cuts(&mut Random::new(seed), documents.len(), parts);
        let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = segment_size;
        options.block_symbols = 16;
        options.index = index;
        let file = |documents: &[Document]| compress(documents, Feed::Tar, &options).unwrap();
        let starts = std::iter::once(0).chain(cuts.iter().copied());
        let ends = cuts.iter().copied().chain(std::iter::once(documents.len()));
        let shards = open_shards(starts.zip(ends).map(|(from, to)| file(&documents[from..to])));
        prop_assert_eq!(shards.shards().len(), parts);
        shards.verify(&Silent).unwrap();
        let one = Corpus::from_bytes(file(&documents)).unwrap();
        check_equal(&all_answers(Arc::new(shards)), &all_answers(Arc::new(one)));
    }

    #[test]
    fn pending_edits_of_shards_count(
        documents in some_documents(),
        cut in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        edits in 1usize..20,
    ) {
        let (first, second) = documents.split_at(cut.index(documents.len() + 1));
        let of = |documents: &[Document]| file(documents, GrammarKind::RePair, 60);
        let mut edited = Edited::new(of(first), first);
        edited.edit(&mut Random::new(seed), edits);
        let shard = edited.reopened();
        let second_shard = Corpus::from_bytes(of(second)).unwrap();
        let shards = Corpus::of_shards("both", [shard, second_shard].map(Arc::new)).unwrap();
        // Names of added documents may be those of later ones.
        let all = [edited.model.documents(), second.to_vec()].concat();
        let names = |corpus: &Corpus| {
            let table = corpus.documents().unwrap().clone();
            table.iter().map(|(name, size)| (name.to_vec(), size)).collect::<Vec<_>>()
        };
        let expected: Vec<_> =
            all.iter().map(|one| (one.name.clone(), one.text.len() as u64)).collect();
        prop_assert_eq!(names(&shards), expected);
        for (number, document) in all.iter().enumerate() {
            let mut text = Vec::new();
            shards.write_document(number, &mut text).unwrap();
            prop_assert_eq!(&text, &document.text);
        }
        let renamed: Vec<Document> = all
            .into_iter()
            .enumerate()
            .map(|(number, one)| Document { name: format!("{number:04}").into(), ..one })
            .collect();
        let one = corpus(&renamed, GrammarKind::RePair, u64::MAX / 4);
        let totals = |corpus: &Corpus| {
            let mut rows = corpus.word_count().rows().unwrap();
            rows.retain(|row| row.count > 0);
            format!("{rows:?}")
        };
        prop_assert_eq!(totals(&shards), totals(&one));
        let numbered = |corpus: &Corpus| {
            let rows = corpus.term_vector().rows().unwrap();
            rows.iter().map(|row| (row.document, row.text().to_string(), row.count)).collect::<Vec<_>>()
        };
        prop_assert_eq!(numbered(&shards), numbered(&one));
    }
}
