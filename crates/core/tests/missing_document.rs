//! A document number that does not exist is refused by every call: no panic, and no empty answer.

use std::ops::ControlFlow;
use std::sync::Arc;
use zgram::access::{Access, Match, Phrase};
use zgram::error::{AccessError, DecompressError, EditError, NoDocument, QueryError};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::{Edit, Store};
use zgram::{Corpus, DecompressOptions, Error, decompress};
use zgram_testkit::small_corpus;

const MISSING: usize = 999;

#[track_caller]
fn refused<T>(answer: Result<T, impl Into<Error>>) {
    match answer.map_err(Into::into) {
        Err(
            Error::Access(AccessError::NoDocument(NoDocument { name }))
            | Error::Query(QueryError::NoDocument(NoDocument { name }))
            | Error::Decompress(DecompressError::NoDocument(NoDocument { name }))
            | Error::Edit(EditError::Access(AccessError::NoDocument(NoDocument { name }))),
        ) => assert_eq!(name, "number 999"),
        Err(other) => panic!("another error: {other}"),
        Ok(_) => panic!("an answer"),
    }
}

fn check_corpus(corpus: &Arc<Corpus>) {
    let mut out = Vec::new();
    refused(corpus.write_document(MISSING, &mut out));
    refused(corpus.write_documents(&[0, MISSING], &mut out));
    assert!(out.is_empty(), "nothing was written");
    refused(corpus.pieces(MISSING).map(Iterator::count).map_err(AccessError::from));
    let table = corpus.documents().unwrap();
    assert_eq!((table.name(MISSING), table.size(MISSING)), (None, None));
    let last = table.len() - 1;
    assert!(table.name(last).is_some() && table.size(last).is_some());

    let chosen = [0, MISSING];
    refused(corpus.word_count().documents(chosen).rows());
    refused(corpus.sort().documents(chosen).rows());
    refused(corpus.inverted_index().documents(chosen).rows());
    refused(corpus.term_vector().documents(chosen).rows());
    refused(corpus.sequence_count().documents(chosen).rows());
    refused(corpus.ranked_inverted_index().documents(chosen).rows());
    refused(corpus.word_count().documents(chosen).sklearn().rows());
    refused(corpus.word_count().documents(chosen).keep_going(true).rows());
    refused(corpus.traverse().documents(chosen).prepare().map(|_| ()));
    refused(corpus.word_count().documents(chosen).for_each_batch(|_| (), |()| Ok(())));

    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out");
    refused(decompress(corpus, &[0, MISSING], &output, &DecompressOptions::default(), &Silent));
    assert!(!output.exists(), "nothing was written");

    let access = Access::new(Arc::clone(corpus));
    let (word, phrase) = (Phrase::new("the").unwrap(), Phrase::new("the end").unwrap());
    for _ in 0..2 {
        refused(access.size(MISSING));
        refused(access.extract(MISSING, 0, 1));
        refused(access.extract_to(MISSING, 0, 0, &mut out));
        refused(access.lines(MISSING, 1, 2));
        refused(access.lines(MISSING, 0, 0));
        refused(access.line_ends_before(MISSING, 0));
        refused(access.search(MISSING, &word));
        refused(access.search_each(MISSING, &word, 0, |_| ControlFlow::Continue(())));
        refused(access.count(MISSING, &word));
        refused(access.count(MISSING, &phrase));
        // The same with all indexes built.
        access.prepare().unwrap();
    }
}

fn check_store(store: &Store) {
    let mut out = Vec::new();
    let word = Phrase::new("the").unwrap();
    refused(store.name(MISSING));
    refused(store.size(MISSING));
    refused(store.extract(MISSING, 0, 1));
    refused(store.lines(MISSING, 1, 2));
    refused(store.lines(MISSING, 0, 0));
    refused(store.search(MISSING, &word));
    refused(store.count(MISSING, &word));
    let search = |documents| {
        store.search_each(std::slice::from_ref(&word), documents, |_| ControlFlow::Continue(()))
    };
    refused(search(Some(&[MISSING])));
    for offset in [0, 5] {
        refused(store.context(MISSING, Match { offset, len: 1 }, 2));
    }
    refused(store.write_document(MISSING, &mut out));
    assert!(out.is_empty(), "nothing was written");
}

#[test]
fn every_call_refuses_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.zgram");
    let bytes = small_corpus(Level::Default, GrammarKind::RePair, Layer::Zstd);
    std::fs::write(&path, bytes).unwrap();
    check_corpus(&Arc::new(Corpus::open_without_edits(&path).unwrap()));
    let store = Store::open_for_editing(&path).unwrap();
    check_store(&store);

    let bytes = || b"text".to_vec();
    let (document, offset, len) = (MISSING, 0, 1);
    for edit in [
        Edit::Insert { document, offset, bytes: bytes() },
        Edit::Append { document, bytes: bytes() },
        Edit::Delete { document, offset, len },
        Edit::Replace { document, offset, len, bytes: bytes() },
        Edit::Rename { document, name: bytes() },
        Edit::Remove { document },
    ] {
        refused(store.edit(&[Edit::Append { document: 0, bytes: bytes() }, edit]));
    }
    assert_eq!(store.pending().edits, 0, "nothing was edited");

    store.edit(&[Edit::Append { document: 0, bytes: bytes() }]).unwrap();
    check_corpus(&store.snapshot().unwrap());
    check_corpus(&Arc::new(Corpus::open(&path).unwrap()));
    check_store(&store);
    check_store(&Store::open(&path).unwrap());
}
