//! Merged files verify and answer as their shards; what was split and merged is what it was.

use crate::answers::{all_answers, check_equal, some_documents};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use zgram::error::{CompressError, ReshardError};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::{Progress, Silent};
use zgram::store::{Edit, Store};
use zgram::{Corpus, ReshardOptions, merge, split};
use zgram_testkit::{
    Document, Edited, Feed, Random, cases, compress, file, lines_corpus, options, some_cuts,
};

fn force() -> ReshardOptions {
    let mut options = ReshardOptions::default();
    options.force = true;
    options
}

fn restored(corpus: &Corpus) -> Vec<(Vec<u8>, Vec<u8>)> {
    let text = |(number, (name, _)): (usize, (&[u8], u64))| {
        let mut text = Vec::new();
        corpus.write_document(number, &mut text).unwrap();
        (name.to_vec(), text)
    };
    corpus.documents().unwrap().iter().enumerate().map(text).collect()
}

fn open_verified(path: &Path) -> Corpus {
    let corpus = Corpus::open(path).unwrap();
    corpus.verify(&Silent).unwrap();
    corpus
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    #[test]
    fn merged_shards_answer_as_one_file(
        documents in some_documents(),
        parts in 1usize..5,
        seed in any::<u64>(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
        level in prop_oneof![Just(Level::Fast), Just(Level::Default), Just(Level::Max)],
        index in any::<bool>(),
    ) {
        let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = segment_size;
        options.index = index;
        let file = |documents: &[Document]| compress(documents, Feed::Tar, &options).unwrap();
        let folder = TempDir::new().unwrap();
        let cuts = some_cuts(&mut Random::new(seed), documents.len(), parts);
        let mut rest = &documents[..];
        let mut paths = Vec::new();
        for (number, cut) in cuts.iter().copied().chain([documents.len()]).enumerate() {
            let (own, others) = rest.split_at(cut - (documents.len() - rest.len()));
            rest = others;
            paths.push(folder.path().join(format!("{number}.zgram")));
            fs::write(&paths[number], file(own)).unwrap();
        }
        let shards = Corpus::open_shards(&paths).unwrap();
        let merged = folder.path().join("merged");
        let summary = merge(&shards, &merged, &ReshardOptions::default(), &Silent).unwrap();
        let merged = open_verified(&merged);
        prop_assert_eq!(&summary.facts, merged.facts());
        prop_assert_eq!(summary.compressed_bytes, merged.compressed_bytes());
        prop_assert_eq!(merged.has_index(), shards.has_index());
        let one = Corpus::from_bytes(file(&documents)).unwrap();
        let sizes = |corpus: &Corpus| {
            // A separator where a document goes on in another segment may be two tokens.
            let facts = corpus.facts();
            (facts.sizes.text_bytes, facts.sizes.text_words, facts.vocabulary_words)
        };
        prop_assert_eq!(sizes(&merged), sizes(&one));
        check_equal(&all_answers(Arc::new(merged)), &all_answers(Arc::new(one)));
    }

    #[test]
    fn what_is_split_and_merged_comes_back(
        documents in some_documents(),
        files in 1usize..6,
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
        level in prop_oneof![Just(Level::Default), Just(Level::Max)],
    ) {
        let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = segment_size;
        let one = Corpus::from_bytes(compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("shards");
        let files = files.min(documents.len().max(1));
        let made = split(&one, files, &out, "a b", &ReshardOptions::default(), &Silent).unwrap();
        prop_assert_eq!(made.len(), files);
        let shards = open_verified(&out);
        prop_assert_eq!(shards.shards().len(), files);
        for (file, shard) in made.iter().zip(shards.shards()) {
            prop_assert_eq!(&*file.path, shard.path());
            let facts = shard.facts();
            prop_assert_eq!(file.documents, facts.documents);
            prop_assert_eq!(file.text_bytes, facts.sizes.text_bytes);
            prop_assert_eq!(file.compressed_bytes, shard.compressed_bytes());
        }
        prop_assert_eq!(restored(&shards), restored(&one));
        let back = folder.path().join("back");
        merge(&shards, &back, &ReshardOptions::default(), &Silent).unwrap();
        let back = open_verified(&back);
        prop_assert_eq!(restored(&back), restored(&one));
        let expected = all_answers(Arc::new(one));
        check_equal(&all_answers(Arc::new(shards)), &expected);
        check_equal(&all_answers(Arc::new(back)), &expected);
    }

    #[test]
    fn pending_edits_are_merged_and_split(
        documents in some_documents(),
        seed in any::<u64>(),
        edits in 1usize..20,
        files in 1usize..4,
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
    ) {
        let mut edited = Edited::new(file(&documents, GrammarKind::RePair, segment_size), &documents);
        edited.edit(&mut Random::new(seed), edits);
        let corpus = edited.reopened();
        let expected: Vec<_> =
            edited.model.documents().into_iter().map(|one| (one.name, one.text)).collect();
        let folder = TempDir::new().unwrap();
        let whole = folder.path().join("whole");
        let summary = merge(&corpus, &whole, &ReshardOptions::default(), &Silent).unwrap();
        let whole = open_verified(&whole);
        prop_assert_eq!(&summary.facts, whole.facts());
        prop_assert_eq!(&restored(&whole), &expected);
        let files = files.min(expected.len().max(1));
        let out = folder.path().join("shards");
        split(&corpus, files, &out, "x", &ReshardOptions::default(), &Silent).unwrap();
        prop_assert_eq!(&restored(&open_verified(&out)), &expected);
    }
}

#[test]
fn json_lines_are_split_between_files() {
    let one = Corpus::from_bytes(lines_corpus(Level::Default, Layer::Zstd)).unwrap();
    let folder = TempDir::new().unwrap();
    let (out, back) = (folder.path().join("shards"), folder.path().join("back.zgram"));
    split(&one, 3, &out, "lines", &ReshardOptions::default(), &Silent).unwrap();
    let shards = open_verified(&out);
    merge(&shards, &back, &ReshardOptions::default(), &Silent).unwrap();
    let lines = |corpus: &Corpus, name: &str| {
        let to = folder.path().join(name);
        zgram::decompress(corpus, &[], &to, &Default::default(), &Silent).unwrap();
        fs::read(to.join("lines.jsonl")).unwrap()
    };
    let expected = lines(&one, "one");
    assert_eq!(lines(&shards, "of shards"), expected);
    assert_eq!(lines(&open_verified(&back), "of all"), expected);
}

#[test]
fn nothing_is_replaced_without_being_asked() {
    let folder = TempDir::new().unwrap();
    let document = |number: usize| Document::new(format!("{number}"), format!("text {number}"));
    let documents: Vec<Document> = (0..4).map(document).collect();
    let path = folder.path().join("c.zgram");
    fs::write(&path, file(&documents, GrammarKind::RePair, 9)).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    let plain = ReshardOptions::default();
    let refused = merge(&corpus, &path, &plain, &Silent).unwrap_err();
    assert!(matches!(refused, ReshardError::OutputExists { .. }), "{refused:?}");
    merge(&corpus, &path, &force(), &Silent).unwrap();
    open_verified(&path);
    // A corpus file in the folder would become part of the corpus.
    let refused = split(&corpus, 2, folder.path(), "x", &force(), &Silent).unwrap_err();
    assert!(matches!(refused, ReshardError::OtherShard { .. }), "{refused:?}");
    let out = folder.path().join("out");
    let made = split(&corpus, 2, &out, "x", &plain, &Silent).unwrap();
    let refused = split(&corpus, 2, &out, "x", &plain, &Silent).unwrap_err();
    assert!(matches!(refused, ReshardError::OutputExists { .. }), "{refused:?}");
    let refused = split(&corpus, 3, &out, "x", &force(), &Silent).unwrap_err();
    assert!(matches!(refused, ReshardError::OtherShard { .. }), "{refused:?}");
    split(&corpus, 2, &out, "x", &force(), &Silent).unwrap();
    // Pending edits of a file that would be replaced are not lost.
    let store = Store::open_for_editing(&made[0].path).unwrap();
    store.edit(&[Edit::Remove { document: 0 }]).unwrap();
    drop(store);
    let refused = split(&corpus, 2, &out, "x", &force(), &Silent).unwrap_err();
    let ReshardError::Compress(CompressError::PendingEdits { .. }) = refused else {
        panic!("{refused:?}")
    };
    let left = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.retain(|name| name.ends_with(".zgram") || name.starts_with(".zgram-"));
        names.sort();
        names
    };
    assert_eq!(left(&out), ["x-1-of-2.zgram", "x-2-of-2.zgram"]);
    for files in [0, 5] {
        let refused = split(&corpus, files, folder.path(), "y", &plain, &Silent).unwrap_err();
        assert!(matches!(refused, ReshardError::TooFewDocuments { .. }), "{refused:?}");
    }
}

/// Work that is asked to stop at once.
struct Stopped;

impl Progress for Stopped {
    fn is_cancelled(&self) -> bool {
        true
    }
}

#[test]
fn interrupted_work_leaves_no_files() {
    let folder = TempDir::new().unwrap();
    let documents = [Document::new("a", "a"), Document::new("b", "b")];
    let corpus = Corpus::from_bytes(file(&documents, GrammarKind::RePair, 99)).unwrap();
    let out: PathBuf = folder.path().join("out");
    let plain = ReshardOptions::default();
    assert!(
        merge(&corpus, folder.path().join("x"), &plain, &Stopped).unwrap_err().is_interrupted()
    );
    assert!(split(&corpus, 2, &out, "x", &plain, &Stopped).unwrap_err().is_interrupted());
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
