//! The documents of each word are those of the oracle's inverted index.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::Corpus;
use zgram::analytics::{Choice, DocumentLimit, Traversal, Units};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{self, Question, Task};
use zgram_testkit::{Document, Edited, Random, corpus, file, library_view as view};

type Lists = Vec<(Vec<u8>, Vec<Vec<u8>>)>;

/// The oracle's index without its counts.
fn expected(documents: &[Document], question: &Question) -> Lists {
    let mut lists = Lists::new();
    for row in oracle::answer(documents, question) {
        let document = row.document.expect("rows name documents");
        match lists.last_mut() {
            Some((words, list)) if *words == row.words => list.push(document),
            _ => lists.push((row.words, vec![document])),
        }
    }
    lists
}

fn check(corpus: &Corpus, documents: &[Document], question: &Question) {
    let expected = expected(documents, question);
    let choices = [Choice::Auto].into_iter().chain(Traversal::ALL.map(Choice::Fixed));
    for choice in choices {
        for (threads, memory) in [(1, 1 << 30), (2, 200), (8, 1 << 30)] {
            let mut query = corpus.inverted_index().view(view(&question.view));
            query = query.traversal(choice).threads(threads).memory(memory);
            query = query.min_count(question.min_count);
            if question.min_docs > 0 {
                query = query.min_docs(DocumentLimit::Count(question.min_docs as u64));
            }
            if let Some(top) = question.top {
                query = query.top(top);
            }
            if question.units.is_some() {
                query = query.by(Units::Pattern("(.)$".parse().unwrap()));
            }
            let query = query.documents_only();
            let names = query.row_names().unwrap();
            let mut found = Lists::new();
            let report = query.for_each(|word, documents| {
                let name = |&document: &u32| names.get(document as usize).unwrap().to_vec();
                found.push((word.to_vec(), documents.iter().map(name).collect()));
                Ok(())
            });
            assert_eq!(found, expected, "{choice:?}, {threads} threads, {memory} bytes");
            assert_eq!(report.unwrap().rows, expected.len() as u64);
        }
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let stretch = ("[a-c ]{0,20}", "[a-z]{1,2} ", 1usize..9)
        .prop_map(|(start, phrase, times)| start + &phrase.repeat(times));
    vec(vec(stretch, 0..5), 0..40).prop_map(|texts| {
        let document = |(number, parts): (usize, Vec<String>)| {
            Document::new(format!("{number:02}"), parts.concat())
        };
        texts.into_iter().enumerate().map(document).collect()
    })
}

fn some_question() -> impl Strategy<Value = Question> {
    let top = proptest::option::weighted(0.3, 0usize..4);
    (any::<[bool; 2]>(), 0u64..4, 0usize..3, top).prop_map(
        |([lower, units], min_count, min_docs, top)| Question {
            view: oracle::View { lower, ..oracle::View::default() },
            units: units.then(|| "(.)$".to_owned()),
            min_count,
            min_docs,
            top: top.filter(|&top| top > 0),
            ..Question::new(Task::InvertedIndex)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn lists_equal_the_oracles(
        documents in some_documents(),
        question in some_question(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 20u64..300],
    ) {
        prop_assume!(!documents.is_empty());
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        check(&corpus, &documents, &question);
    }
}

#[test]
fn pending_edits_are_in_the_lists() {
    let mut random = Random::new(11);
    for round in 0..6 {
        let text = |number: usize| format!("a b ab w{number} {}", "a bb ".repeat(number));
        let documents: Vec<Document> =
            (0..9).map(|number| Document::new(format!("a{number}"), text(number))).collect();
        let segment_size = if round % 2 == 0 { 60 } else { 1 << 20 };
        let file = file(&documents, GrammarKind::RePair, segment_size);
        let mut edited = Edited::new(file, &documents);
        edited.edit(&mut random, 20);
        let corpus = edited.reopened();
        check(&corpus, &edited.model.documents(), &Question::new(Task::InvertedIndex));
    }
}

/// Several hundred documents, of which many share each rule, need several vectors of a set.
#[test]
fn sets_of_many_documents_are_whole() {
    let text = |number: usize| {
        let shared = format!("one two three {} ", number / 70).repeat(3);
        format!("{shared} own{number} {}", "x y ".repeat(number % 3))
    };
    let documents: Vec<Document> =
        (0..600).map(|number| Document::new(format!("{number:03}"), text(number))).collect();
    for segment_size in [u64::MAX / 4, 9000] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        check(&corpus, &documents, &Question::new(Task::InvertedIndex));
    }
}
