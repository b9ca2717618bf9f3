//! The words of scikit-learn's pattern, `(?u)\b\w\w+\b`.
//!
//! These words are not always unions of our tokens: `\w` matches the underscore but no marks, and a
//! run of Han characters is one word. So each token is split into runs of `\w` once. Where a run ends
//! its token, the next token begins with a run and no space is implied between them, the two are one
//! word. [`RunReader`] finds these places in a grammar. The result is a grammar of the same rules whose
//! tokens are words. Every task runs on it as on any other.

use super::run_reader::{Edge, Part, RunReader, TokenRuns};
use super::unicode::Unicode;
use super::{NO_WORD, View, Words};
use crate::error::QueryError;
use crate::grammar::Grammar;
use crate::token::{Dictionary, Interner, TokenClass};
use bstr::ByteSlice;
use std::collections::HashMap;
use std::sync::Arc;

/// Finds the words of scikit-learn's pattern in documents.
pub(crate) struct SklearnTokens {
    /// Runs of `\w` of all tokens, as ids of `run_texts`.
    pub(super) runs: Vec<u32>,
    pub(super) tokens: Vec<TokenRuns>,
    pub(super) edges: Vec<Edge>,
    pub(super) run_texts: Interner,
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
    /// By segment: what was read, as far as it fits in memory.
    read: HashMap<usize, RunGrammar>,
    /// The same as words.
    kept: HashMap<usize, Arc<Grammar>>,
    /// Symbols that may be kept yet.
    room: usize,
}

/// A grammar of runs: its arrays, with marked rules.
struct RunGrammar {
    rule_starts: Vec<u32>,
    /// Ids of run texts, then of joined texts, and rules with [`RULE`].
    symbols: Vec<u32>,
    doc_starts: Vec<u32>,
}

/// Marks rules.
const RULE: u32 = 1 << 31;

/// A segment, and how its documents continue across its borders.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentBorders {
    pub(crate) segment: usize,
    /// The first document continues one of the segment before.
    pub(crate) continues: bool,
    /// The last document continues in the next segment.
    pub(crate) is_continued: bool,
}

impl SklearnTokens {
    /// Splits all tokens into runs. What is read of segments is kept while it takes at most `memory`
    /// bytes.
    pub(crate) fn new(dictionary: &Dictionary, memory: u64) -> Result<Self, QueryError> {
        let unicode = Unicode::new("find words as scikit-learn does")?;
        let mut run_texts = Interner::default();
        let mut runs = Vec::new();
        let tokens: Vec<TokenRuns> = (0..dictionary.len() as u32)
            .map(|token| cut(dictionary.bytes(token), unicode, &mut runs, &mut run_texts))
            .collect();
        let edge = |(token, runs): (u32, &TokenRuns)| {
            let is_silent = dictionary.bytes(token).is_empty();
            Edge::of_token(is_silent, dictionary.class(token) == TokenClass::Spaced, *runs)
        };
        let edges = (0..).zip(&tokens).map(edge).collect();
        Ok(Self {
            runs,
            tokens,
            edges,
            run_texts,
            joined_texts: Interner::default(),
            run_words: Vec::new(),
            joined_words: Vec::new(),
            word_count: 0,
            carried: HashMap::new(),
            open_end: Vec::new(),
            read: HashMap::new(),
            kept: HashMap::new(),
            room: usize::try_from(memory / size_of::<u32>() as u64).unwrap_or(usize::MAX),
        })
    }

    /// Reads a segment and collects the words that are joined from runs of several tokens. Segments
    /// must be scanned in order.
    pub(crate) fn scan(&mut self, grammar: &Grammar, borders: SegmentBorders) {
        let carried = std::mem::take(&mut self.open_end);
        if borders.continues && !carried.is_empty() {
            self.carried.insert(borders.segment, carried);
        }
        let mut joined_texts = std::mem::take(&mut self.joined_texts);
        let (read, open_end) =
            self.read(grammar, borders, |text| joined_texts.intern(TokenClass::Spaced, text));
        (self.joined_texts, self.open_end) = (joined_texts, open_end);
        if let Some(room) = self.room.checked_sub(read.symbols.len()) {
            self.room = room;
            self.read.insert(borders.segment, read);
        }
    }

    /// The words, after every segment was [scanned](Self::scan); there are `segments`. Their numbers are
    /// the tokens of the grammars that [`tokenise`](Self::tokenise) returns.
    pub(crate) fn finish(
        &mut self,
        view: &View,
        segments: usize,
    ) -> Result<Words<'static>, QueryError> {
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
        let read = std::mem::take(&mut self.read);
        let words = |(segment, runs)| (segment, Arc::new(self.words_of(runs)));
        let kept = read.into_iter().map(words).collect();
        self.kept = kept;
        if self.kept.len() == segments {
            // Nothing will be read again.
            (self.runs, self.tokens, self.edges) = (Vec::new(), Vec::new(), Vec::new());
            (self.run_texts, self.joined_texts) = (Interner::default(), Interner::default());
            (self.run_words, self.joined_words) = (Vec::new(), Vec::new());
        }
        let numbers = (0..table.len() as u32).collect();
        Ok(Words::own(table, numbers))
    }

    /// A segment as words, if what was read of it is kept. A word that spans pieces of a document
    /// belongs to the piece in which it ends.
    pub(crate) fn kept(&self, segment: usize) -> Option<Arc<Grammar>> {
        self.kept.get(&segment).map(Arc::clone)
    }

    /// The same for a segment that is not kept.
    pub(crate) fn tokenise(&self, grammar: &Grammar, borders: SegmentBorders) -> Grammar {
        let joined =
            |text: &[u8]| self.joined_texts.find(text).unwrap_or(self.joined_texts.len() as u32);
        self.words_of(self.read(grammar, borders, joined).0)
    }

    /// Runs become words, in place.
    fn words_of(&self, runs: RunGrammar) -> Grammar {
        let RunGrammar { rule_starts, mut symbols, doc_starts } = runs;
        let word = |text: u32| match (text as usize).checked_sub(self.run_words.len()) {
            None => self.run_words[text as usize],
            Some(joined) => self.joined_words.get(joined).copied().unwrap_or(NO_WORD),
        };
        let mut starts = doc_starts.iter().chain(&rule_starts[2..]).peekable();
        let mut new_starts = Vec::with_capacity(doc_starts.len() + rule_starts.len());
        let mut len = 0;
        for at in 0..symbols.len() {
            while starts.next_if(|&&start| start as usize == at).is_some() {
                new_starts.push(len as u32);
            }
            let symbol = match symbols[at] & RULE {
                0 => word(symbols[at]),
                _ => self.word_count + (symbols[at] & !RULE),
            };
            symbols[len] = symbol;
            len += usize::from(symbol != NO_WORD);
        }
        symbols.truncate(len);
        new_starts.extend(starts.map(|_| len as u32));
        let rules = new_starts.split_off(doc_starts.len());
        let mut rule_starts = vec![0, new_starts[new_starts.len() - 1]];
        rule_starts.extend(rules);
        Grammar::from_checked(self.word_count, rule_starts, symbols, new_starts)
    }

    /// Reads a grammar as runs; `joined` gives ids to joined ones. Returns also the run that continues
    /// in the next piece of the last document.
    fn read(
        &self,
        grammar: &Grammar,
        borders: SegmentBorders,
        mut joined: impl FnMut(&[u8]) -> u32,
    ) -> (RunGrammar, Vec<u8>) {
        let mut reader = RunReader::new(self, grammar);
        let singles = self.run_texts.len() as u32;
        let mut symbols = Vec::with_capacity(grammar.symbols().len() / 2);
        let mut is_used = vec![false; grammar.rule_count()];
        let mut open_end = Vec::new();
        if borders.continues {
            reader.carry(self.carried.get(&borders.segment).map_or(&[], |run| run));
        }
        let mut doc_starts = vec![0];
        let mut rule_starts = vec![0];
        let documents = (0..grammar.doc_count()).map(|document| (true, document));
        let rules = (1..grammar.rule_count()).map(|rule| (false, rule));
        for (is_document, number) in documents.chain(rules) {
            let body = match is_document {
                true => grammar.document(number),
                // Parents come first, so all uses are known.
                false if is_used[number] => grammar.rule(number),
                false => &[],
            };
            let mut put = |part: Part<'_>| {
                symbols.push(match part {
                    Part::Single(text) => text,
                    Part::Joined(text) => singles + joined(text),
                    Part::Rule(rule) => {
                        is_used[rule] = true;
                        RULE | rule as u32
                    }
                });
            };
            let is_continued =
                is_document && borders.is_continued && number + 1 == grammar.doc_count();
            reader.read(body, is_continued, &mut put);
            if is_continued {
                open_end = reader.take_open();
            }
            reader.close(&mut put);
            let end = symbols.len() as u32;
            if is_document {
                doc_starts.push(end);
            } else {
                if rule_starts.len() == 1 {
                    rule_starts.push(doc_starts[doc_starts.len() - 1]);
                }
                rule_starts.push(end);
            }
        }
        if rule_starts.len() == 1 {
            rule_starts.push(symbols.len() as u32);
        }
        (RunGrammar { rule_starts, symbols, doc_starts }, open_end)
    }
}

/// Splits a token, in lower case, into runs of `\w`.
fn cut(token: &[u8], unicode: Unicode, runs: &mut Vec<u32>, texts: &mut Interner) -> TokenRuns {
    let start = runs.len() as u32;
    let is_simple = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !token.is_empty() && token.iter().all(is_simple) {
        runs.push(texts.intern(TokenClass::Spaced, token));
        return TokenRuns { start, end: start + 1, at_start: true, at_end: true };
    }
    let is_word_character = |c: char| is_word_character(c, unicode);
    let (mut at_start, mut at_end) = (false, false);
    for (number, chunk) in token.utf8_chunks().enumerate() {
        let lower = chunk.valid().to_lowercase();
        at_start |= number == 0 && lower.starts_with(is_word_character);
        at_end = chunk.invalid().is_empty() && lower.ends_with(is_word_character);
        runs_of(&lower, unicode)
            .for_each(|run| runs.push(texts.intern(TokenClass::Spaced, run.as_bytes())));
    }
    TokenRuns { start, end: runs.len() as u32, at_start, at_end }
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
