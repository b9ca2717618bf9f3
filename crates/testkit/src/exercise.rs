//! Runs every operation on a corpus file, within bounds.

use crate::Document;
use crate::documents::path_of;
use crate::model::find;
use std::sync::Arc;
use zgram::access::{Access, Phrase};
use zgram::analytics::{Choice, Traversal};
use zgram::error::OpenError;
use zgram::plumbing::Expander;
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram::store::Store;
use zgram::{Corpus, DecompressOptions};

/// A hostile grammar of a few bytes can expand to more text than there are atoms.
const MOST_EXPANDED: u64 = 1 << 20;

/// Documents read one by one, which loads their segments anew.
const MOST_DOCUMENTS: usize = 6;

/// The outcome for a file.
#[derive(Debug)]
pub struct Outcome {
    /// Everything that was refused; empty for a sound file.
    pub errors: Vec<OpenError>,
    /// All documents, if they could be read and are not too long.
    pub documents: Option<Vec<Document>>,
}

/// Opens a file and runs everything on it. A file may be refused; nothing may panic.
///
/// # Panics
/// When the library contradicts itself.
pub fn exercise(file: Vec<u8>) -> Outcome {
    let file: Arc<[u8]> = file.into();
    match Corpus::from_storage("hostile.zgram", Memory(Arc::clone(&file))) {
        Err(error) => Outcome { errors: vec![error], documents: None },
        Ok(corpus) => {
            let corpus = Arc::new(corpus);
            let outcome = exercise_corpus(&corpus);
            exercise_analytics(&corpus, outcome.documents.as_deref());
            // Without indexes, then with them.
            let access = Access::new(Arc::clone(&corpus));
            exercise_access(&access, outcome.documents.as_deref());
            let access = Access::new(Arc::clone(&corpus));
            let _ = access.prepare();
            exercise_access(&access, outcome.documents.as_deref());
            if corpus.has_phrase_index() {
                exercise_phrases(file, outcome.documents.as_deref());
            }
            outcome
        }
    }
}

/// Asks phrase indexes, in sound and damaged files.
fn exercise_phrases(file: Arc<[u8]>, documents: Option<&[Document]>) {
    let corpus = Corpus::from_storage("hostile.zgram", Memory(file)).expect("as before");
    let store = Store::from_corpus(corpus);
    for words in ["the", "quick brown", "the quick brown", "na na", "fox jumps over the lazy dog"] {
        let phrase = Phrase::new(words).expect("a word");
        let answers = (
            store.count_all(&phrase),
            // A damaged file may have more matches than a test can wait for.
            documents.map(|_| store.search_all(&phrase)),
            store.next_words(&phrase, None, true),
            store.trace(format!("{words}, {words}").as_bytes(), 1, 2),
        );
        let Some(documents) = documents else { continue };
        let expected: u64 =
            documents.iter().map(|document| find(&document.text, &phrase).len() as u64).sum();
        let (count, found, next, passages) = answers;
        let found = found.expect("asked").expect("sound");
        let found = found.iter().map(|(_, found)| found.len() as u64).sum::<u64>();
        assert_eq!((count.expect("sound"), found), (expected, expected), "{words}");
        assert!(next.expect("sound").count >= expected);
        assert!(expected == 0 || !passages.expect("sound").is_empty());
    }
}

/// Runs all six tasks. Words are visited one by one only where documents are known to be short: a damaged
/// file may expand to more words than a test can wait for.
fn exercise_analytics(corpus: &Corpus, documents: Option<&[Document]>) {
    if corpus.facts().documents > MOST_DOCUMENTS as u64 {
        return;
    }
    let traversals = Traversal::ALL
        .into_iter()
        .filter(|&traversal| traversal != Traversal::Stream || documents.is_some());
    for choice in traversals.map(Choice::Fixed) {
        let answers = [
            corpus.word_count().traversal(choice).threads(1).rows(),
            corpus.sort().traversal(choice).threads(1).rows(),
            corpus.inverted_index().traversal(choice).threads(1).rows(),
            corpus.term_vector().traversal(choice).threads(2).rows(),
        ];
        for answer in &answers {
            assert!(answer.is_ok() || documents.is_none(), "a sound file answers: {answer:?}");
        }
        if documents.is_some() {
            corpus.sequence_count().traversal(choice).threads(1).rows().expect("sound");
            corpus.ranked_inverted_index().words(2).traversal(choice).rows().expect("sound");
        }
    }
}

/// Reads parts and lines and searches words, in sound and damaged files.
fn exercise_access(access: &Access, documents: Option<&[Document]>) {
    let count = access.corpus().documents().map_or(0, |table| table.len());
    for number in 0..count.min(MOST_DOCUMENTS) {
        let half = access.size(number).unwrap_or_default() / 2;
        let part = access.extract(number, half, 16);
        let lines = access.lines(number, 2, 3);
        let line = access.line_ends_before(number, half);
        let Some(text) = documents.map(|documents| &documents[number].text) else { continue };
        let half = half as usize;
        assert_eq!(part.expect("sound"), text[half..text.len().min(half + 16)]);
        assert!(lines.expect("sound").len() <= text.len());
        let ends = text[..half].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(line.expect("sound"), ends as u64);
        for word in ["the", "quick brown", "na na", "line"] {
            let phrase = Phrase::new(word).expect("a word");
            let found = access.search(number, &phrase).expect("sound");
            assert_eq!(access.count(number, &phrase).expect("sound"), found.len() as u64);
            for place in found {
                assert!(text[place.offset as usize..].starts_with(&word.as_bytes()[..2]));
            }
        }
    }
}

fn exercise_corpus(corpus: &Corpus) -> Outcome {
    let mut errors = Vec::new();
    if let Err(error) = corpus.verify(&Silent) {
        errors.push(error);
    }
    for section in corpus.sections() {
        assert!(section.offset + section.len <= corpus.compressed_bytes());
    }
    let dictionary = match corpus.dictionary() {
        Ok(dictionary) => {
            for id in 0..dictionary.len().min(64) as u32 {
                let _ = (dictionary.class(id), dictionary.find(dictionary.bytes(id)));
                let prefix = &dictionary.bytes(id)[..dictionary.bytes(id).len().min(2)];
                let found: usize = dictionary.with_prefix(prefix).map(|ids| ids.len()).sum();
                assert!(found <= dictionary.len());
            }
            Some(dictionary)
        }
        Err(error) => {
            errors.push(error);
            None
        }
    };
    let table = corpus.documents().map_err(|error| errors.push(error)).ok();
    let mut lengths = vec![0u64; table.map_or(0, |table| table.len())];
    for (number, facts) in corpus.facts().segments.iter().enumerate() {
        let (Some(dictionary), Some(_)) = (dictionary, table) else { break };
        let grammar = match corpus.segment(number) {
            Ok(grammar) => grammar,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let _ = (grammar.validate(), grammar.depth(), grammar.expanded_lengths());
        let expander = Expander::new(&grammar, dictionary);
        for document in 0..grammar.doc_count() {
            let symbols = grammar.document(document);
            let len = expander.len(symbols);
            let total = &mut lengths[facts.first_document as usize + document];
            *total = total.saturating_add(len);
            if len <= MOST_EXPANDED {
                let mut text = Vec::new();
                expander.write(symbols, &mut text).expect("memory takes every byte");
                assert_eq!(text.len() as u64, len, "the length that the grammar gives");
            }
        }
    }
    let Some(table) = table.filter(|_| errors.is_empty()) else {
        return Outcome { errors, documents: None };
    };
    if table.len() > MOST_DOCUMENTS || lengths.iter().any(|&len| len > MOST_EXPANDED) {
        return Outcome { errors, documents: None };
    }
    let mut documents = Vec::new();
    for document in 0..table.len() {
        let mut text = Vec::new();
        corpus.write_document(document, &mut text).expect("all of it was read just now");
        assert_eq!(Some(text.len() as u64), table.size(document), "verified sizes");
        documents.push(Document::new(table.name(document).expect("it was read"), text));
    }
    Outcome { errors, documents: Some(documents) }
}

/// [`exercise`], and then what could be read is written to files as `zgram decompress` would. Names
/// may be unusable and envelopes unfitting; but a file that is written holds its document.
///
/// # Panics
/// When the library contradicts itself.
pub fn exercise_with_files(file: Vec<u8>) -> Outcome {
    let outcome = exercise(file.clone());
    let Some(documents) = &outcome.documents else { return outcome };
    let corpus = Corpus::from_storage("hostile.zgram", Memory(file)).expect("as before");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = DecompressOptions::default();
    options.threads = 1;
    let below = folder.path().join("out");
    if zgram::decompress(&corpus, &[], &below, &options, &Silent).is_ok()
        && !corpus.facts().has_envelopes
    {
        for Document { name, text } in documents {
            let path = below.join(path_of(name));
            assert!(std::fs::read(path).expect("a written file") == *text);
        }
    }
    let around = std::fs::read_dir(folder.path()).expect("our own folder");
    assert!(around.count() <= 1, "something was written outside of the output folder");
    outcome
}
