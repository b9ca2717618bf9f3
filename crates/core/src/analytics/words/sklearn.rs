//! The words of scikit-learn's pattern, `(?u)\b\w\w+\b`.
//!
//! These words are not always unions of our tokens: `\w` matches the underscore but no marks, and a
//! run of Han characters is one word. So each token is split into runs of `\w` once, and documents
//! are read token by token. Where a run ends its token, the next token begins with a run and no
//! space is implied between them, the two are one word. The result is a grammar without rules whose
//! tokens are words. Every task runs on it as on any other.

use super::unicode::Unicode;
use super::{NO_WORD, View, Words};
use crate::error::QueryError;
use crate::grammar::Grammar;
use crate::token::{Dictionary, Interner, TokenClass, join};
use bstr::ByteSlice;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Finds the words of scikit-learn's pattern in documents.
pub(crate) struct SklearnTokens<'d> {
    dictionary: &'d Dictionary,
    /// Runs of `\w` of all tokens, as ids of `run_texts`.
    runs: Vec<u32>,
    tokens: Vec<TokenRuns>,
    run_texts: Interner,
    /// Texts of several runs.
    joined_texts: Interner,
    /// The view's words for runs and joined texts, once all are known.
    run_words: Vec<u32>,
    joined_words: Vec<u32>,
    word_count: u32,
    /// By segment: the run that its first document continues from the piece before.
    carried: HashMap<usize, Vec<u8>>,
    /// The run that the last document scanned continues in its next piece.
    open_end: Vec<u8>,
}

/// A segment, and how its documents continue across its borders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentBorders {
    pub(crate) segment: usize,
    /// The first document continues one of the segment before.
    pub(crate) continues: bool,
    /// The last document continues in the next segment.
    pub(crate) is_continued: bool,
}

/// A token's runs, and whether the first and the last touch its ends.
#[derive(Clone, Copy, Debug, Default)]
struct TokenRuns {
    start: u32,
    end: u32,
    at_start: bool,
    at_end: bool,
}

impl<'d> SklearnTokens<'d> {
    /// Splits all tokens into runs.
    pub(crate) fn new(dictionary: &'d Dictionary) -> Result<Self, QueryError> {
        let unicode = Unicode::new("find words as scikit-learn does")?;
        let mut run_texts = Interner::default();
        let mut runs = Vec::new();
        let tokens = (0..dictionary.len() as u32)
            .map(|token| {
                TokenRuns::cut(dictionary.bytes(token), unicode, &mut runs, &mut run_texts)
            })
            .collect();
        Ok(Self {
            dictionary,
            runs,
            tokens,
            run_texts,
            joined_texts: Interner::default(),
            run_words: Vec::new(),
            joined_words: Vec::new(),
            word_count: 0,
            carried: HashMap::new(),
            open_end: Vec::new(),
        })
    }

    /// Collects the words of a segment that are joined from runs of several tokens. Segments must
    /// be scanned in order.
    pub(crate) fn scan(&mut self, grammar: &Grammar, borders: SegmentBorders) {
        let carried = std::mem::take(&mut self.open_end);
        if borders.continues && !carried.is_empty() {
            self.carried.insert(borders.segment, carried);
        }
        let mut joined_texts = std::mem::take(&mut self.joined_texts);
        for document in 0..grammar.doc_count() {
            self.open_end = self.read(grammar, document, borders, |run| {
                if let Run::Joined(text) = run {
                    joined_texts.intern(TokenClass::Spaced, text);
                }
            });
        }
        self.joined_texts = joined_texts;
    }

    /// The words, after every segment was [scanned](Self::scan). Their numbers are the tokens of
    /// the grammars that [`tokenise`](Self::tokenise) returns.
    pub(crate) fn finish(&mut self, view: &View) -> Result<Words<'static>, QueryError> {
        let mut table = Interner::default();
        let mut reader = view.reader()?;
        let mut words_of = |texts: &Interner| -> Vec<u32> {
            let word_of = |text: u32| {
                let text = texts.bytes(text);
                // Runs are valid UTF-8.
                let long_enough = text.to_str().is_ok_and(is_long_enough);
                let word = if long_enough { reader.read(text) } else { None };
                word.map_or(NO_WORD, |word| table.intern(TokenClass::Spaced, word.as_bytes()))
            };
            (0..texts.len() as u32).map(word_of).collect()
        };
        self.run_words = words_of(&self.run_texts);
        self.joined_words = words_of(&self.joined_texts);
        self.word_count = table.len() as u32;
        let numbers = (0..table.len() as u32).collect();
        Ok(Words::own(table, numbers))
    }

    /// The documents of a grammar as words. A word that spans pieces of a document belongs to the
    /// piece in which it ends.
    pub(crate) fn tokenise(&self, grammar: &Grammar, borders: SegmentBorders) -> Grammar {
        let mut symbols = Vec::new();
        let mut doc_starts = vec![0];
        for document in 0..grammar.doc_count() {
            self.read(grammar, document, borders, |run| {
                let word = match run {
                    Run::Single(text) => self.run_words[text as usize],
                    Run::Joined(text) => {
                        let text = self.joined_texts.find(text);
                        text.map_or(NO_WORD, |text| self.joined_words[text as usize])
                    }
                };
                if word != NO_WORD {
                    symbols.push(word);
                }
            });
            doc_starts.push(symbols.len() as u32);
        }
        Grammar::from_checked(self.word_count, vec![0, symbols.len() as u32], symbols, doc_starts)
    }

    /// Passes a document's runs to `sink`, joined where they touch. Returns the run that continues
    /// in the next piece of the document.
    fn read(
        &self,
        grammar: &Grammar,
        document: usize,
        borders: SegmentBorders,
        mut sink: impl FnMut(Run<'_>),
    ) -> Vec<u8> {
        let mut open: Option<u32> = None;
        let mut joined: Vec<u8> = Vec::new();
        if borders.continues && document == 0 {
            joined.extend_from_slice(self.carried.get(&borders.segment).map_or(&[][..], |run| run));
        }
        let mut close = |open: &mut Option<u32>, joined: &mut Vec<u8>| {
            if !joined.is_empty() {
                sink(Run::Joined(joined));
                joined.clear();
            } else if let Some(text) = *open {
                sink(Run::Single(text));
            }
            *open = None;
        };
        let mut last = TokenClass::Separator;
        let _ = grammar.expand(grammar.document(document), |token| {
            let TokenRuns { start, end, at_start, at_end } = self.tokens[token as usize];
            let class = self.dictionary.class(token);
            let touches = at_start && join(last, class).is_empty();
            last = class;
            // An empty separator only means that no space is implied.
            if !touches && !self.dictionary.bytes(token).is_empty() {
                close(&mut open, &mut joined);
            }
            for run in start..end {
                let text = self.runs[run as usize];
                if let Some(before) = open.filter(|_| joined.is_empty()) {
                    joined.extend_from_slice(self.run_texts.bytes(before));
                }
                if joined.is_empty() {
                    open = Some(text);
                } else {
                    joined.extend_from_slice(self.run_texts.bytes(text));
                }
                if run + 1 < end || !at_end {
                    close(&mut open, &mut joined);
                }
            }
            ControlFlow::<()>::Continue(())
        });
        if borders.is_continued && document + 1 == grammar.doc_count() {
            if let Some(text) = open.filter(|_| joined.is_empty()) {
                joined.extend_from_slice(self.run_texts.bytes(text));
            }
            return joined;
        }
        close(&mut open, &mut joined);
        Vec::new()
    }
}

/// A run of a document.
enum Run<'a> {
    /// Of one token: its text's id.
    Single(u32),
    /// Of several tokens: its text.
    Joined(&'a [u8]),
}

impl TokenRuns {
    /// Splits a token, in lower case, into runs of `\w`.
    fn cut(token: &[u8], unicode: Unicode, runs: &mut Vec<u32>, texts: &mut Interner) -> Self {
        let is_word_character = |c: char| is_word_character(c, unicode);
        let start = runs.len() as u32;
        let (mut at_start, mut at_end) = (false, false);
        for (number, chunk) in token.utf8_chunks().enumerate() {
            let lower = chunk.valid().to_lowercase();
            at_start |= number == 0 && lower.starts_with(is_word_character);
            at_end = chunk.invalid().is_empty() && lower.ends_with(is_word_character);
            runs_of(&lower, unicode)
                .for_each(|run| runs.push(texts.intern(TokenClass::Spaced, run.as_bytes())));
        }
        Self { start, end: runs.len() as u32, at_start, at_end }
    }
}

/// The runs of `\w` in a text.
fn runs_of(text: &str, unicode: Unicode) -> impl Iterator<Item = &str> {
    text.split(move |c| !is_word_character(c, unicode)).filter(|run| !run.is_empty())
}

/// Calls `found` with the words of a text, in lower case.
pub(super) fn each_word(text: &str, found: impl FnMut(&str)) -> Result<(), QueryError> {
    let unicode = Unicode::new("find words as scikit-learn does")?;
    let lower = text.to_lowercase();
    runs_of(&lower, unicode).filter(|&run| is_long_enough(run)).for_each(found);
    Ok(())
}

/// Whether a run has the two characters that the pattern requires.
fn is_long_enough(run: &str) -> bool {
    run.chars().nth(1).is_some()
}

/// Python's `\w`: a letter, a number or an underscore; not a mark. Letters and numbers are those of
/// the tokeniser, so that words do not change with a newer Unicode.
fn is_word_character(c: char, unicode: Unicode) -> bool {
    if c.is_ascii() {
        return c == '_' || c.is_ascii_alphanumeric();
    }
    TokenClass::of(c).is_word() && !unicode.is_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_characters_are_those_of_python() {
        let unicode = Unicode::new("test").unwrap();
        for c in "aZ_9é中ก½²Ⅷ٣".chars() {
            assert!(is_word_character(c, unicode), "{c}");
        }
        // The last became a letter after Unicode 16.
        for c in ['-', ' ', '\u{301}', '\u{93F}', '\u{200B}', '€', '\u{58B}'] {
            assert!(!is_word_character(c, unicode), "{c:?}");
        }
    }
}
