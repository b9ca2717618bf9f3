//! Word totals that a file has answer as its grammars do, with edits and without.

use std::path::Path;
use zgram::Corpus;
use zgram::access::{Access, Phrase};
use zgram::analytics::{Choice, Report, Row, Traversal};
use zgram::format::{Layer, Level};
use zgram::plumbing::SectionKind;
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram::store::{Edit, Store};
use zgram_testkit::{Forged, chain, small_corpus, totals_corpus};

const STREAM: Choice = Choice::Fixed(Traversal::Stream);

fn open(file: Vec<u8>) -> Corpus {
    Corpus::from_storage("totals.zgram", Memory(file)).unwrap()
}

fn has_totals(corpus: &Corpus) -> bool {
    corpus.sections().iter().any(|section| section.kind == SectionKind::WordTotals)
}

/// By several views and orders.
fn answers(corpus: &Corpus, choice: Choice) -> Vec<Vec<Row>> {
    vec![
        corpus.word_count().traversal(choice).rows().unwrap(),
        corpus.word_count().lower().top(3).traversal(choice).rows().unwrap(),
        corpus.sort().traversal(choice).threads(1).rows().unwrap(),
        corpus.sort().fold().min_len(4).traversal(choice).rows().unwrap(),
    ]
}

/// What counting words cost.
fn report(corpus: &Corpus, choice: Choice) -> Report {
    let query = corpus.word_count().traversal(choice);
    query.for_each_batch(|_| (), |()| Ok(())).unwrap()
}

#[test]
fn they_answer_as_traversals_do() {
    for level in [Level::Fast, Level::Default, Level::Max] {
        for (layer, segment_size) in [(Layer::None, 1 << 20), (Layer::Zstd, 7000)] {
            let corpus = open(totals_corpus(level, layer, segment_size));
            assert!(has_totals(&corpus), "{level:?} {layer:?} {segment_size}");
            assert_eq!(corpus.facts().segments.len() > 1, segment_size == 7000);
            corpus.verify(&Silent).unwrap();
            assert_eq!(answers(&corpus, Choice::Auto), answers(&corpus, STREAM));
            assert!(corpus.word_count().explain().stored.is_some());
            let stored = report(&corpus, Choice::Auto);
            assert_eq!((stored.traversal, stored.symbols), (None, 0));
            assert_eq!(report(&corpus, STREAM).traversal, Some(Traversal::Stream));
            // Some documents, other words, and sequences are counted.
            let some = corpus.word_count().documents(vec![1, 2]);
            assert!(some.explain().stored.is_none());
            assert_eq!(some.rows().unwrap(), some.clone().traversal(STREAM).rows().unwrap());
            assert!(corpus.word_count().sklearn().explain().stored.is_none());
            assert!(corpus.sequence_count().of_corpus().explain().stored.is_none());
        }
    }
}

#[test]
fn a_word_is_counted_by_them() {
    let corpus = std::sync::Arc::new(open(totals_corpus(Level::Default, Layer::Zstd, 7000)));
    let access = Access::new(std::sync::Arc::clone(&corpus));
    for row in corpus.word_count().traversal(STREAM).rows().unwrap() {
        let word = Phrase::new(row.words.clone()).unwrap();
        assert_eq!(access.count_all(&word).unwrap(), row.count, "{}", row.text());
    }
    assert_eq!(access.count_all(&Phrase::new("whale").unwrap()).unwrap(), 0);
}

#[test]
fn small_files_go_without() {
    let corpus =
        open(small_corpus(Level::Default, zgram::format::GrammarKind::RePair, Layer::Zstd));
    assert!(!has_totals(&corpus) && corpus.word_count().explain().stored.is_none());
    assert_eq!(answers(&corpus, Choice::Auto), answers(&corpus, STREAM));
}

fn current(path: &Path) -> Corpus {
    Corpus::open(path).unwrap()
}

#[test]
fn edits_are_added_and_compaction_makes_them_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, totals_corpus(Level::Default, Layer::Zstd, 7000)).unwrap();
    let before = answers(&current(&path), Choice::Auto);
    let store = Store::open_for_editing(&path).unwrap();
    let edits = [
        Edit::Insert { document: 0, offset: 5, bytes: b"whale cat ".to_vec() },
        Edit::Delete { document: 2, offset: 0, len: 900 },
        Edit::Add { name: b"new".to_vec(), bytes: b"the cat and the whale".to_vec() },
        Edit::Remove { document: 1 },
    ];
    for edit in edits {
        store.edit(&[edit]).unwrap();
        let edited = current(&path);
        assert!(edited.has_deferred_edits() && edited.word_count().explain().stored.is_some());
        let found = answers(&edited, Choice::Auto);
        assert!(edited.has_deferred_edits() && found != before);
        // Traversing grammars applies the edits first.
        assert_eq!(found, answers(&edited, STREAM));
        assert_eq!(found, answers(&store.snapshot().unwrap(), Choice::Auto));
    }
    let edited = answers(&current(&path), Choice::Auto);
    store.compact(&Silent).unwrap();
    let compacted = current(&path);
    assert!(has_totals(&compacted) && !compacted.has_deferred_edits());
    compacted.verify(&Silent).unwrap();
    assert_eq!(answers(&compacted, Choice::Auto), edited);
}

#[test]
fn wrong_ones_are_found_and_damaged_ones_refused() {
    let forged = Forged::parse(&totals_corpus(Level::Default, Layer::None, 1 << 20)).unwrap();
    let at = forged.position(b"WSUM");
    let bytes = &forged.sections[at].bytes;
    let mut wrong = bytes.clone();
    *wrong.last_mut().unwrap() ^= 1;
    let corpus = open(forged.with_section(at, wrong));
    let error = chain(&corpus.verify(&Silent).unwrap_err());
    assert!(error.contains("word totals") && error.contains("not those of the text"), "{error}");
    let short = open(forged.with_section(at, bytes[..bytes.len() - 1].to_vec()));
    let error = chain(&short.word_count().rows().unwrap_err());
    assert!(error.contains("word totals"), "{error}");
    // The grammar is sound, and answers if that is asked for.
    assert!(!short.word_count().traversal(STREAM).rows().unwrap().is_empty());
}
