//! A corpus file against the documents it was made of.

use crate::Document;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use zgram::plumbing::Expander;
use zgram::plumbing::{Splitter, TokenClass, join};
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram::{CompressOptions, Corpus};

type Token = (TokenClass, Vec<u8>);

/// Cuts a whole text at once.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    Splitter::default().finish(text, |class, bytes| tokens.push((class, bytes.to_vec())));
    tokens
}

fn text(tokens: &[Token]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut last = TokenClass::Separator;
    for (class, bytes) in tokens {
        text.extend(join(last, *class));
        text.extend(bytes);
        last = *class;
    }
    text
}

fn words(tokens: &[Token]) -> u64 {
    tokens.iter().filter(|(class, _)| class.is_word()).count() as u64
}

/// Checks that `file` is a sound corpus of exactly these documents, made with these options, and
/// that all its facts are true.
///
/// # Panics
/// When anything differs.
pub fn check_corpus(file: &Arc<[u8]>, documents: &[Document], options: &CompressOptions) {
    let open = || Corpus::from_storage("x.zgram", Memory(Arc::clone(file))).unwrap();
    let corpus = open();
    corpus.verify(&Silent).unwrap();
    check_documents(&corpus, documents);

    let facts = corpus.facts();
    assert_eq!((facts.level, facts.grammar), (options.level, options.grammar));
    assert_eq!((facts.layer, facts.has_envelopes), (options.layer, false));
    assert_eq!(corpus.compressed_bytes(), file.len() as u64);

    let dictionary = corpus.dictionary().unwrap();
    let mut pieces: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    let mut distinct = HashSet::new();
    let (mut all_tokens, mut all_words) = (0, 0);
    for (number, segment) in facts.segments.iter().enumerate() {
        // Another corpus each time: a segment must not need the others.
        let grammar = open().segment(number).unwrap();
        grammar.validate().unwrap();
        let sizes = segment.sizes;
        assert_eq!(sizes.rules, grammar.rule_count() as u64);
        assert_eq!(sizes.symbols, grammar.symbols().len() as u64);
        assert_eq!(sizes.root_symbols, grammar.root().len() as u64);
        assert_eq!(sizes.depth, u64::from(grammar.depth()));
        assert_eq!(segment.documents, grammar.doc_count() as u64);
        let expander = Expander::new(&grammar, dictionary);
        let (mut bytes, mut count, mut word_count) = (0, 0, 0);
        for document in 0..grammar.doc_count() {
            let mut piece = Vec::new();
            expander.write(grammar.document(document), &mut piece).unwrap();
            assert_eq!(expander.len(grammar.document(document)), piece.len() as u64);
            let expected = tokens(&piece);
            let got: Vec<Token> = grammar
                .document_tokens(document)
                .into_iter()
                .map(|id| (dictionary.class(id), dictionary.bytes(id).to_vec()))
                .collect();
            assert_eq!(got, expected, "tokens of document {document} of segment {number}");
            assert_eq!(text(&expected), piece);
            bytes += piece.len() as u64;
            count += expected.len() as u64;
            word_count += words(&expected);
            distinct.extend(expected);
            pieces.entry(segment.first_document as usize + document).or_default().extend(piece);
        }
        assert_eq!((sizes.text_bytes, sizes.text_tokens), (bytes, count), "segment {number}");
        assert_eq!(sizes.text_words, word_count, "segment {number}");
        all_tokens += count;
        all_words += word_count;
    }
    // Pieces put together are the documents, without `write_document`.
    assert_eq!(pieces.len(), documents.len());
    for (document, piece) in pieces.values().enumerate() {
        assert!(*piece == documents[document].text, "pieces of document {document}");
    }
    if facts.segments.len() == 1 {
        let whole: Vec<_> = documents.iter().map(|document| tokens(&document.text)).collect();
        assert_eq!(all_tokens, whole.iter().map(|tokens| tokens.len() as u64).sum::<u64>());
        assert_eq!(all_words, whole.iter().map(|tokens| words(tokens)).sum::<u64>());
    }
    let sum = |of: fn(&zgram::format::Sizes) -> u64| -> u64 {
        facts.segments.iter().map(|segment| of(&segment.sizes)).sum()
    };
    let text_bytes: u64 = documents.iter().map(|document| document.text.len() as u64).sum();
    assert_eq!(facts.sizes.text_bytes, text_bytes);
    assert_eq!(facts.sizes.text_tokens, all_tokens);
    assert_eq!(facts.sizes.text_words, all_words);
    assert_eq!(facts.sizes.rules, sum(|sizes| sizes.rules));
    assert_eq!(facts.sizes.symbols, sum(|sizes| sizes.symbols));
    assert_eq!(facts.sizes.root_symbols, sum(|sizes| sizes.root_symbols));
    let deepest = facts.segments.iter().map(|segment| segment.sizes.depth).max();
    assert_eq!(Some(facts.sizes.depth), deepest);
    assert_eq!(facts.vocabulary, distinct.len() as u64);
    assert_eq!(facts.vocabulary, dictionary.len() as u64);
    let distinct_words = distinct.iter().filter(|(class, _)| class.is_word()).count();
    assert_eq!(facts.vocabulary_words, distinct_words as u64);
    for (class, bytes) in distinct {
        let id = dictionary.find(&bytes).expect("every token is found");
        assert_eq!((dictionary.class(id), dictionary.bytes(id)), (class, &bytes[..]));
    }
}

/// Names, order, sizes and bytes.
fn check_documents(corpus: &Corpus, documents: &[Document]) {
    let table = corpus.documents().unwrap();
    assert_eq!(table.len(), documents.len());
    assert_eq!(corpus.facts().documents, documents.len() as u64);
    // Reading a document loads its segments: of very many documents only some are read alone.
    let stride = documents.len().div_ceil(50).max(1);
    for (number, document) in documents.iter().enumerate() {
        assert_eq!(table.name(number), Some(&document.name[..]));
        assert_eq!(table.size(number), Some(document.text.len() as u64));
        if number % stride == 0 {
            let mut text = Vec::new();
            corpus.write_document(number, &mut text).unwrap();
            assert!(text == document.text, "document {number} came back differently");
        }
    }
}
