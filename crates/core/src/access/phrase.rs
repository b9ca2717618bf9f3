//! Phrases, and checking for one around an offset of a text.

use crate::error::AccessError;
use crate::token::{Splitter, TokenClass, join};

/// One or more words to search for, in sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phrase {
    words: Vec<Vec<u8>>,
}

/// An occurrence of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// Offset of its first word.
    pub offset: u64,
    /// Bytes from there to the end of its last word.
    pub len: usize,
}

impl Phrase {
    /// Cuts a text into the words to search for. Separators are ignored: words of a phrase are adjacent
    /// when only separators are between them.
    ///
    /// # Errors
    /// [`AccessError::EmptyPhrase`] when the text has no word.
    pub fn new(text: impl AsRef<[u8]>) -> Result<Self, AccessError> {
        let mut words = Vec::new();
        Splitter::default().finish(text.as_ref(), |class, bytes| {
            if class.is_word() {
                words.push(bytes.to_vec());
            }
        });
        if words.is_empty() { Err(AccessError::EmptyPhrase) } else { Ok(Self { words }) }
    }

    /// A phrase of these words; there must be at least one.
    pub(crate) fn of_words(words: Vec<Vec<u8>>) -> Self {
        Self { words }
    }

    /// The words, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.words.iter().map(Vec::as_slice)
    }

    /// The word, if there is only one.
    pub(crate) fn single(&self) -> Option<&[u8]> {
        match &self.words[..] {
            [word] => Some(word),
            _ => None,
        }
    }
}

/// A text that can be read at any offset.
pub(crate) trait TextSource {
    fn size(&self) -> Result<u64, AccessError>;
    /// Appends up to `len` bytes from `offset` on.
    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), AccessError>;
}

/// Bytes read first; doubled while they are not enough.
const WINDOW: u64 = 64;

/// The match of a phrase whose word number `place` is at `offset`, if the others are around it.
pub(crate) fn match_around(
    source: &dyn TextSource,
    phrase: &Phrase,
    place: usize,
    offset: u64,
) -> Result<Option<Match>, AccessError> {
    let (before, from_here) = phrase.words.split_at(place);
    let Some(end) = end_of_words(source, from_here, offset)? else { return Ok(None) };
    let Some(start) = start_of_words(source, before, offset)? else { return Ok(None) };
    Ok(Some(Match { offset: start, len: (end - start) as usize }))
}

/// The end of these words, if they are the words from `offset` on.
fn end_of_words(
    source: &dyn TextSource,
    words: &[Vec<u8>],
    offset: u64,
) -> Result<Option<u64>, AccessError> {
    let rest = source.size()? - offset;
    let mut window = WINDOW;
    loop {
        let is_all = window >= rest;
        let found = words_in(source, offset, offset + window.min(rest), is_all)?;
        let same =
            found.iter().zip(words).take_while(|(found, word)| found.bytes == **word).count();
        if same == words.len() {
            return Ok(Some(found[same - 1].end));
        }
        if is_all || same < found.len() {
            return Ok(None);
        }
        window *= 2;
    }
}

/// The start of these words, if they are the words right before `offset`, where a word begins.
fn start_of_words(
    source: &dyn TextSource,
    words: &[Vec<u8>],
    offset: u64,
) -> Result<Option<u64>, AccessError> {
    if words.is_empty() {
        return Ok(Some(offset));
    }
    let mut window = WINDOW;
    loop {
        let is_all = window >= offset;
        let start = offset.saturating_sub(window);
        let mut found = words_in(source, start, offset, true)?;
        if !is_all && !found.is_empty() {
            // The first word may begin before the window.
            found.remove(0);
        }
        let same = found
            .iter()
            .rev()
            .zip(words.iter().rev())
            .take_while(|(found, word)| found.bytes == **word)
            .count();
        if same == words.len() {
            return Ok(Some(found[found.len() - same].start));
        }
        if is_all || same < found.len() {
            return Ok(None);
        }
        window *= 2;
    }
}

struct Word {
    bytes: Vec<u8>,
    start: u64,
    end: u64,
}

/// The words between two offsets. The last is left out if it may continue, unless `to_end` is set.
fn words_in(
    source: &dyn TextSource,
    start: u64,
    end: u64,
    to_end: bool,
) -> Result<Vec<Word>, AccessError> {
    let mut text = Vec::new();
    source.read(start, (end - start) as usize, &mut text)?;
    Ok(words_of(&text, to_end)
        .into_iter()
        .map(|(at, bytes)| Word {
            bytes: bytes.to_vec(),
            start: start + at as u64,
            end: start + (at + bytes.len()) as u64,
        })
        .collect())
}

/// The words of a text with their offsets. The last is left out if it may continue, unless `to_end` is
/// set.
#[must_use]
pub fn words_of(text: &[u8], to_end: bool) -> Vec<(usize, &[u8])> {
    let mut words = Vec::new();
    each_word(text, to_end, |at, word| words.push((at, word)));
    words
}

/// Calls `found` with the same words, one by one.
pub(crate) fn each_word<'a>(text: &'a [u8], to_end: bool, mut found: impl FnMut(usize, &'a [u8])) {
    // The offset of the next token. A single space between two words is implied, not a token.
    let mut at = 0;
    let mut last = TokenClass::Separator;
    let mut emit = |class: TokenClass, bytes: &'a [u8]| {
        at += join(last, class).len();
        last = class;
        if class.is_word() {
            found(at, bytes);
        }
        at += bytes.len();
    };
    if to_end {
        Splitter::default().finish(text, &mut emit);
    } else {
        Splitter::default().push(text, &mut emit);
    }
}
