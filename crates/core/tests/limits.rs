//! Numbers of documents and shares: what rows for all documents together say beside their count.

use std::collections::BTreeMap;
use zgram::analytics::{Choice, DocumentLimit, Query, Question, Row, Traversal, Units};
use zgram::error::{LimitError, QueryError};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{self, Task};
use zgram_testkit::{Document, corpus};

fn documents() -> Vec<Document> {
    let text = |number: usize| {
        let words = (0..30).map(|place| format!("w{} ", (number * 7 + place * place) % 23));
        words.collect::<String>().repeat(1 + number % 3)
    };
    let name = |number: usize| format!("{}/{number:02}", ["a", "b"][number % 2]);
    let mut documents: Vec<Document> =
        (0..20).map(|number| Document::new(name(number), text(number))).collect();
    documents.push(Document::new("c/empty", ""));
    documents.sort_by(|a, b| a.name.cmp(&b.name));
    documents
}

/// The count of each item and the number of its documents.
fn expected(documents: &[Document], task: Task) -> BTreeMap<Vec<u8>, (u64, u32)> {
    let question = oracle::Question { n: 2, ..oracle::Question::new(task) };
    let mut sums: BTreeMap<Vec<u8>, (u64, u32)> = BTreeMap::new();
    for row in oracle::answer(documents, &question) {
        let sum = sums.entry(row.words).or_default();
        *sum = (sum.0 + row.count, sum.1 + 1);
    }
    sums
}

fn check<Q: Clone + Into<Question>>(
    query: &Query<'_, Q>,
    expected: &BTreeMap<Vec<u8>, (u64, u32)>,
    least: u32,
    memory: u64,
) {
    let total: u64 = expected.values().map(|(count, _)| count).sum();
    let is_kept = |(_, documents): &(u64, u32)| *documents >= least;
    let choices = [Choice::Auto].into_iter().chain(Traversal::ALL.map(Choice::Fixed));
    for choice in choices {
        for threads in [1, 2, 8] {
            let query = query.clone().traversal(choice).threads(threads).memory(memory);
            let limit = DocumentLimit::Count(u64::from(least));
            let rows = query.document_counts().min_docs(limit).rows().unwrap();
            let found: BTreeMap<Vec<u8>, (u64, u32)> = rows
                .iter()
                .map(|row| (row.words.clone(), (row.count, row.documents.unwrap())))
                .collect();
            let kept = expected.iter().filter(|(_, sum)| is_kept(sum));
            let kept: BTreeMap<_, _> = kept.map(|(words, sum)| (words.clone(), *sum)).collect();
            assert_eq!(found, kept, "{choice:?}, {threads} threads, {memory} bytes");
            assert!(kept.len() < expected.len() && !kept.is_empty());
            for row in &rows {
                let share = row.count as f64 * 1e6 / total as f64;
                assert_eq!(row.per_million(), Some(share), "limits leave the total alone");
            }
        }
    }
}

#[test]
fn rows_of_totals_know_documents_and_shares() {
    let documents = documents();
    let (words, pairs) =
        (expected(&documents, Task::TermVector), expected(&documents, Task::SequenceCount));
    // In segments this small, documents are split.
    for segment_size in [u64::MAX / 4, 500, 70] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        for memory in [1 << 30, 20_000] {
            check(&corpus.word_count(), &words, 10, memory);
            check(&corpus.sort(), &words, 10, memory);
            check(&corpus.sequence_count().words(2).of_corpus(), &pairs, 2, memory);
        }
    }
}

#[test]
fn other_rows_have_neither() {
    let corpus = corpus(&documents(), GrammarKind::RePair, u64::MAX / 4);
    let has_none = |row: &Row| row.documents.is_none() && row.per_million().is_none();
    assert!(corpus.term_vector().document_counts().rows().unwrap().iter().all(has_none));
    let plain = corpus.word_count().rows().unwrap();
    assert!(plain.iter().all(|row| row.documents.is_none() && row.per_million().is_some()));
}

#[test]
fn shares_are_of_the_chosen_documents_or_units() {
    let corpus = corpus(&documents(), GrammarKind::RePair, 500);
    let half = DocumentLimit::Share(0.5);
    let rows = |documents: std::ops::Range<usize>| {
        let query = corpus.word_count().documents(documents).document_counts().max_docs(half);
        query.rows().unwrap()
    };
    assert!(rows(0..4).iter().all(|row| row.documents <= Some(2)));
    assert!(rows(0..10).iter().any(|row| row.documents > Some(2)));
    let folders = corpus.inverted_index().by(Units::Folder).min_docs(DocumentLimit::Share(0.6));
    let folders = folders.rows().unwrap();
    assert!(!folders.is_empty());
    let of_word = |word: &[u8]| folders.iter().filter(|row| row.words == word).count();
    assert!(folders.iter().all(|row| of_word(&row.words) == 2), "two of three folders");
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let corpus = corpus(&documents(), GrammarKind::RePair, u64::MAX / 4);
    let (count, share) = (DocumentLimit::Count, DocumentLimit::Share);
    for share_of_none in [1.5, -0.1, f64::NAN] {
        let refused = corpus.sort().min_docs(share(share_of_none)).rows();
        assert!(matches!(refused, Err(QueryError::Limits(LimitError::BadShare { .. }))));
    }
    let cross = LimitError::Cross { least: 3.0, most: 2.0 };
    macro_rules! refused {
        ($($task:ident),*) => {$(
            match corpus.$task().min_docs(count(3)).max_docs(count(2)).rows() {
                Err(QueryError::Limits(error)) => assert_eq!(error, cross),
                other => panic!("{other:?}"),
            }
        )*};
    }
    refused!(word_count, sort, inverted_index, term_vector, sequence_count, ranked_inverted_index);
    assert!(corpus.word_count().min_docs(count(99)).rows().unwrap().is_empty());
}
