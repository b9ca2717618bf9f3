//! Searching a corpus with its edits.
//!
//! A phrase may match millions of times, so matches are passed on one by one. Matches of several
//! phrases, such as the spellings of one word, are merged: each phrase has some of its next matches
//! waiting, and is searched for again from there on when these are used up.

use crate::access::{MOST_MATCHES, Match, Phrase, all_kept, keep, push_match};
use crate::error::{AccessError, OpenError};
use crate::store::context::context;
use crate::store::{State, Store};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::ops::ControlFlow;

/// Matches of all phrases together that wait to be merged.
const MOST_WAITING: usize = 1 << 18;

/// A match of a phrase in a document of a store.
pub struct Found<'a> {
    state: &'a State,
    /// The document's number.
    pub document: usize,
    /// Where in the document.
    pub place: Match,
}

impl Found<'_> {
    /// The document's name.
    ///
    /// # Errors
    /// When the document table is damaged.
    pub fn name(&self) -> Result<&[u8], OpenError> {
        self.state.name(self.document)
    }

    /// The text of up to `words` words before the match, of the match, and of as many words after it,
    /// with the separators between them.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn context(&self, words: usize) -> Result<[Vec<u8>; 3], AccessError> {
        context(self.state, self.document, self.place, words)
    }
}

impl Store {
    /// Calls `found` with each match of some phrases, until `found` breaks: documents in their order,
    /// or in that of `documents`, and in each the matches in order. Holds few matches at a time,
    /// however many there are. Returns whether `found` broke.
    ///
    /// Edits wait until this returns. So `found` must not call the store; a [`Found`] has what it needs.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn search_each(
        &self,
        phrases: &[Phrase],
        documents: Option<&[usize]>,
        mut found: impl FnMut(Found<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        let state = &*self.read();
        let mut found = |document, place| found(Found { state, document, place });
        let Some(documents) = documents else {
            if let [phrase] = phrases {
                return state.search_all_each(phrase, (0, 0), found);
            }
            return merge(phrases.len(), &mut found, |phrase, from, found| {
                state.search_all_each(&phrases[phrase], from, found)
            });
        };
        for &document in documents {
            state.check_document(document)?;
            let flow = if let [phrase] = phrases {
                state.search_each(document, phrase, 0, |place| found(document, place))
            } else {
                merge(phrases.len(), &mut found, |phrase, (_, from), found| {
                    let phrase = &phrases[phrase];
                    state.search_each(document, phrase, from, |place| found(document, place))
                })
            }?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The matches of a phrase in a document, in order.
    ///
    /// # Errors
    /// When there is no such document, a section is damaged, or there are more than
    /// 16,777,216 matches; [`search_each`](Self::search_each) takes
    /// any number.
    pub fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, AccessError> {
        let state = self.read();
        state.check_document(document)?;
        let mut matches = Vec::new();
        let flow = state.search_each(document, phrase, 0, |place| keep(&mut matches, place))?;
        all_kept(flow)?;
        Ok(matches)
    }

    /// The matches of a phrase in all documents that have any, in order.
    ///
    /// # Errors
    /// When a section is damaged, or there are more than
    /// 16,777,216 matches; [`search_each`](Self::search_each) takes
    /// any number.
    pub fn search_all(&self, phrase: &Phrase) -> Result<Vec<(usize, Vec<Match>)>, AccessError> {
        let (mut documents, mut left) = (Vec::new(), MOST_MATCHES);
        let flow = self.read().search_all_each(phrase, (0, 0), |document, place| {
            push_match(&mut documents, document, place, &mut left)
        })?;
        all_kept(flow)?;
        Ok(documents)
    }
}

impl State {
    pub(in crate::store) fn search_each(
        &self,
        document: usize,
        phrase: &Phrase,
        from: u64,
        found: impl FnMut(Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        self.overlay.search_each(&self.access, document, phrase, from, found)
    }

    pub(in crate::store) fn search_all_each(
        &self,
        phrase: &Phrase,
        from: (usize, u64),
        found: impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        self.overlay.search_all_each(&self.access, phrase, from, found)
    }
}

/// The next matches of a phrase.
struct Stream {
    waiting: VecDeque<(usize, Match)>,
    /// Where to search on for more; `None` if there are none.
    next: Option<(usize, u64)>,
}

/// Calls `found` with the matches of several phrases, in order, until it breaks. `search` calls its
/// argument with the matches of a phrase from a position on.
fn merge(
    phrases: usize,
    found: &mut impl FnMut(usize, Match) -> ControlFlow<()>,
    search: impl Fn(
        usize,
        (usize, u64),
        &mut dyn FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError>,
) -> Result<ControlFlow<()>, AccessError> {
    let most = (MOST_WAITING / phrases.max(1)).max(16);
    let fill = |phrase: usize, stream: &mut Stream| -> Result<(), AccessError> {
        let Some(from) = stream.next.take() else { return Ok(()) };
        let waiting = &mut stream.waiting;
        let flow = search(phrase, from, &mut |document, place| {
            waiting.push_back((document, place));
            if waiting.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        if flow.is_break() {
            stream.next = waiting.back().map(|&(document, place)| (document, place.offset + 1));
        }
        Ok(())
    };
    let mut streams = Vec::with_capacity(phrases);
    let mut heap = BinaryHeap::with_capacity(phrases);
    for phrase in 0..phrases {
        let mut stream = Stream { waiting: VecDeque::new(), next: Some((0, 0)) };
        fill(phrase, &mut stream)?;
        heap.extend(stream.waiting.pop_front().map(|first| Reverse((first, phrase))));
        streams.push(stream);
    }
    while let Some(Reverse(((document, place), phrase))) = heap.pop() {
        if found(document, place).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let stream = &mut streams[phrase];
        if stream.waiting.is_empty() {
            fill(phrase, stream)?;
        }
        heap.extend(stream.waiting.pop_front().map(|next| Reverse((next, phrase))));
    }
    Ok(ControlFlow::Continue(()))
}
