//! Counting and finding a phrase in the whole corpus without loading it.
//!
//! A program that asks once should not build for many questions. So the first questions read the rules of
//! each segment, and the root block by block, and keep nothing. After a few, segments are loaded and
//! stay.

use super::Access;
use super::phrase::Match;
use super::phrase_count::{Automaton, Effect, Effects};
use super::symbol_lens::SymbolLens;
use crate::corpus::{Corpus, Cursor, OpenSegment};
use crate::error::{AccessError, OpenError};
use crate::grammar::Symbol;
use crate::threads::on_threads;
use crate::token::{TokenClass, join};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Builder;

/// Questions that are answered without loading segments: together they take about as long as loading.
const STREAMED: u64 = 4;

/// Matches that a thread hands over at a time, and how many times it may be ahead.
const BATCH: usize = 1 << 10;
const AHEAD: usize = 16;

/// Matches that it hands over first; then twice as many each time. The caller may want only a few.
const FIRST_BATCH: usize = 16;

/// Documents, and matches in them.
type Found = Vec<(usize, Match)>;

impl Access {
    /// Whether the corpus is better read from the file than loaded for one more question.
    pub(super) fn should_stream(&self) -> bool {
        self.segments.iter().all(|segment| segment.made().is_none())
            && self.without_segments.spend(1, STREAMED)
    }

    /// How often the phrase of these tokens occurs in all documents together.
    pub(super) fn count_streamed(&self, ids: &[u32]) -> Result<u64, AccessError> {
        let phrase = StreamedPhrase::new(&self.corpus, ids);
        let segments = &self.corpus.facts().segments;
        let counted: Vec<(u64, u32)> = (0..segments.len())
            .into_par_iter()
            .map(|number| {
                let segment = self.corpus.open_segment(number)?;
                let documents = segments[number].documents as usize;
                let parts = shares(documents, self.corpus.pool_threads_a_segment());
                let counted = on_threads(parts, |part| phrase.count(&segment, part, 0));
                let mut total = (0u64, 0);
                for part in counted {
                    let (count, state) = part?;
                    total = (total.0.saturating_add(count), state);
                }
                Ok(total)
            })
            .collect::<Result<_, OpenError>>()?;
        let mut total = 0u64;
        // How many words of the phrase the piece before ends with.
        let mut state = 0;
        for (number, (count, end)) in counted.into_iter().enumerate() {
            total = total.saturating_add(count);
            let facts = &segments[number];
            if facts.documents == 0 {
                continue;
            }
            let mut next = end;
            if facts.first_piece > 0 && state > 0 {
                let segment = self.corpus.open_segment(number)?;
                let (apart, _) = phrase.count(&segment, 0..1, 0)?;
                let (whole, after) = phrase.count(&segment, 0..1, state)?;
                total = total.saturating_add(whole.saturating_sub(apart));
                next = if facts.documents == 1 { after } else { end };
            }
            state = next;
        }
        Ok(total)
    }

    /// Calls `found` with each match of the phrase of these tokens, in order, until it breaks. `None` if
    /// the segments should be loaded: this is a later question, the search does not begin at the first
    /// document, a document continues in another segment, or the system starts no thread.
    pub(super) fn search_streamed(
        &self,
        ids: &[u32],
        from: (usize, u64),
        found: &mut impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Option<Result<ControlFlow<()>, AccessError>> {
        let segments = &self.corpus.facts().segments;
        let has_pieces = segments.iter().any(|segment| segment.first_piece > 0);
        if from != (0, 0) || has_pieces || !self.should_stream() {
            return None;
        }
        let phrase = StreamedPhrase::new(&self.corpus, ids);
        // Each segment has a channel. Threads take segments in order, and so does the caller.
        let (mut senders, mut receivers) = (Vec::new(), Vec::new());
        for _ in segments {
            let (sender, receiver) = sync_channel(AHEAD);
            senders.push(Some(sender));
            receivers.push(receiver);
        }
        let (senders, next) = (Mutex::new(senders), AtomicUsize::new(0));
        let work = || {
            while let Some(number) = Some(next.fetch_add(1, Ordering::Relaxed))
                && number < segments.len()
            {
                let sender = senders.lock().expect("no holder panics")[number].take();
                let sender = sender.expect("a segment is taken once");
                let first = segments[number].first_document as usize;
                let done = phrase.search(number, first, &sender);
                let gone = match done {
                    Ok(flow) => flow.is_break(),
                    Err(error) => sender.send(Err(error)).is_err(),
                };
                if gone {
                    // The caller wants no more.
                    next.store(segments.len(), Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            let threads = rayon::current_num_threads().min(segments.len());
            let started = (0..threads).map_while(|_| Builder::new().spawn_scoped(scope, work).ok());
            if started.count() == 0 {
                return None;
            }
            let flow = take_in_order(receivers, found);
            Some(flow.map_err(AccessError::from))
        })
    }
}

/// Calls `found` with all matches, receiver by receiver, until it breaks.
fn take_in_order(
    receivers: Vec<Receiver<Result<Found, OpenError>>>,
    found: &mut impl FnMut(usize, Match) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, OpenError> {
    for receiver in receivers {
        while let Ok(matches) = receiver.recv() {
            for (document, one) in matches? {
                if found(document, one).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// Divides documents among threads.
fn shares(documents: usize, threads: usize) -> Vec<Range<usize>> {
    let each = documents.div_ceil(threads.max(1)).max(1);
    (0..documents).step_by(each).map(|first| first..documents.min(first + each)).collect()
}

/// A phrase, for segments that are read block by block and not kept.
struct StreamedPhrase<'a> {
    corpus: &'a Corpus,
    automaton: Automaton,
    /// Its words, as the automaton knows them.
    tokens: FxHashMap<u32, u32>,
    len: usize,
}

impl<'a> StreamedPhrase<'a> {
    fn new(corpus: &'a Corpus, ids: &[u32]) -> Self {
        let mut tokens = FxHashMap::default();
        let numbers = (0..).zip(ids).map(|(at, &id)| *tokens.entry(id).or_insert(at)).collect();
        Self { corpus, automaton: Automaton::new(numbers), tokens, len: ids.len() }
    }

    fn effects<'s>(&self, segment: &'s OpenSegment) -> Result<Effects<'s>, OpenError> {
        let words = self.corpus.dictionary()?.words();
        Ok(Effects::new(segment.documents().grammar(), words.start, &self.tokens))
    }

    /// Matches in some documents of a segment, of whose first one some of the phrase's words were just
    /// seen; and the state after the last one.
    fn count(
        &self,
        segment: &OpenSegment,
        documents: Range<usize>,
        state: u32,
    ) -> Result<(u64, u32), OpenError> {
        let open = segment.documents();
        let mut effects = self.effects(segment)?;
        // By the numbers that the root is read in, which are often not symbols.
        let symbol_of = open.symbol_of();
        let by_number: Option<Vec<Effect>> =
            symbol_of.map(|of| of.iter().map(|&symbol| effects.of[symbol as usize]).collect());
        let (mut cursor, mut total, mut state) = (Cursor::default(), 0u64, state);
        for (at, document) in documents.enumerate() {
            state = if at > 0 { 0 } else { state };
            open.read(document, &mut cursor, |numbers| {
                let (Some(by_number), Some(symbol_of)) = (&by_number, symbol_of) else {
                    let (next, count) = effects.read(&self.automaton, &self.tokens, state, numbers);
                    (state, total) = (next, total.saturating_add(count));
                    return;
                };
                for &number in numbers {
                    match by_number[number as usize] {
                        Effect::None => {}
                        Effect::Reset => state = 0,
                        Effect::Step => {
                            let symbol = [symbol_of[number as usize]];
                            let (next, count) =
                                effects.read(&self.automaton, &self.tokens, state, &symbol);
                            (state, total) = (next, total.saturating_add(count));
                        }
                    }
                }
            })?;
        }
        Ok((total, state))
    }

    /// Sends all matches in a segment, whose first document is `first`. Breaks if nobody receives them.
    fn search(
        &self,
        number: usize,
        first: usize,
        sender: &SyncSender<Result<Found, OpenError>>,
    ) -> Result<ControlFlow<()>, OpenError> {
        let segment = self.corpus.open_segment(number)?;
        let open = segment.documents();
        let effects = self.effects(&segment)?;
        let lens = SymbolLens::new(open.grammar(), self.corpus.dictionary()?);
        let mut finder =
            Finder { phrase: self, effects, lens, batch: Vec::new(), size: FIRST_BATCH, sender };
        let (mut cursor, symbol_of) = (Cursor::default(), open.symbol_of());
        let documents = self.corpus.facts().segments[number].documents as usize;
        for document in 0..documents {
            let mut place = Place::default();
            let mut flow = ControlFlow::Continue(());
            open.read(document, &mut cursor, |numbers| {
                for &number in numbers {
                    let symbol = symbol_of.map_or(number, |of| of[number as usize]);
                    if flow.is_continue() {
                        flow = finder.read(first + document, symbol, &mut place);
                    }
                }
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(finder.hand_over())
    }
}

/// Where a search is in a document.
#[derive(Default)]
struct Place {
    /// The end of the symbols before, and the class of their last token.
    offset: u64,
    last: Option<TokenClass>,
    /// How many words of the phrase were just seen.
    state: u32,
    /// The last symbols with words of the phrase, and their offsets: those words are in them.
    since: Vec<(Symbol, u64)>,
}

/// Finds a phrase in one segment.
struct Finder<'a, 's> {
    phrase: &'a StreamedPhrase<'a>,
    effects: Effects<'s>,
    lens: SymbolLens,
    batch: Found,
    /// When it is handed over.
    size: usize,
    sender: &'a SyncSender<Result<Found, OpenError>>,
}

impl Finder<'_, '_> {
    /// Reads the next symbol of a document.
    fn read(&mut self, document: usize, symbol: Symbol, place: &mut Place) -> ControlFlow<()> {
        let (first, last) = self.lens.ends(symbol);
        let gap = join(place.last.unwrap_or(TokenClass::Separator), first).len() as u64;
        let offset = place.offset.saturating_add(gap);
        place.offset = offset.saturating_add(self.lens.len(symbol));
        place.last = Some(last);
        match self.effects.of[symbol as usize] {
            Effect::None => {}
            Effect::Reset => {
                place.state = 0;
                place.since.clear();
            }
            Effect::Step => {
                let StreamedPhrase { automaton, tokens, len, .. } = self.phrase;
                let (next, count) = self.effects.read(automaton, tokens, place.state, &[symbol]);
                place.since.push((symbol, offset));
                if count > 0 {
                    self.emit(document, &place.since)?;
                }
                place.state = next;
                if next == 0 {
                    place.since.clear();
                } else if place.since.len() >= *len {
                    // Each of these symbols has a word.
                    place.since.remove(0);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Finds the matches that end in the last of these symbols.
    fn emit(&mut self, document: usize, symbols: &[(Symbol, u64)]) -> ControlFlow<()> {
        let StreamedPhrase { automaton, tokens, len, corpus } = self.phrase;
        let dictionary = corpus.dictionary().expect("it was read before the segment");
        let end = symbols.last().map_or(0, |&(_, offset)| offset);
        // The offsets of the last words, in a ring.
        let (mut offsets, mut words, mut state) = (vec![0; *len], 0usize, 0);
        for &(symbol, start) in symbols {
            let (mut offset, mut last) = (start, TokenClass::Separator);
            let mut pending = vec![std::slice::from_ref(&symbol)];
            while let Some(rest) = pending.last_mut() {
                let Some((&symbol, more)) = rest.split_first() else {
                    pending.pop();
                    continue;
                };
                *rest = more;
                let rule = self.effects.rule(symbol);
                let (first, last_of_this) = self.lens.ends(symbol);
                let gap = join(last, first).len() as u64;
                let effect = self.effects.of[symbol as usize];
                let is_dull = match (effect, rule) {
                    (Effect::Step, Some(_)) => {
                        self.effects.read(automaton, tokens, state, &[symbol]) == (0, 0)
                    }
                    (Effect::Step, None) => false,
                    (Effect::Reset | Effect::None, _) => true,
                };
                if let Some(rule) = rule.filter(|_| !is_dull) {
                    pending.push(rule);
                    continue;
                }
                offset = offset.saturating_add(gap);
                if is_dull {
                    state = if effect == Effect::None { state } else { 0 };
                } else {
                    let (next, is_match) = automaton.step(state, tokens[&symbol]);
                    state = next;
                    offsets[words % len] = offset;
                    words += 1;
                    if is_match && offset >= end {
                        let from = offsets[words % len];
                        let until = offset.saturating_add(dictionary.bytes(symbol).len() as u64);
                        let one = Match { offset: from, len: (until - from) as usize };
                        self.batch.push((document, one));
                        if self.batch.len() >= self.size {
                            self.hand_over()?;
                        }
                    }
                }
                offset = offset.saturating_add(self.lens.len(symbol));
                last = last_of_this;
            }
        }
        ControlFlow::Continue(())
    }

    /// Sends the matches so far. Breaks if nobody receives them.
    fn hand_over(&mut self) -> ControlFlow<()> {
        self.size = BATCH.min(2 * self.size);
        match self.sender.send(Ok(std::mem::take(&mut self.batch))) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::access::sample::corpus_of;
    use crate::access::{Access, Phrase};
    use std::sync::Arc;
    use zgram_testkit::Random;

    /// A text of few words, many of them in repeated phrases.
    fn text(random: &mut Random) -> String {
        let words = ["a", "b", "the cat", "sat, ", "中文", " - ", "\n", "a a b", "the"];
        let phrase = |random: &mut Random| -> String {
            let some: Vec<&str> =
                (0..1 + random.below(6)).map(|_| words[random.below(9)]).collect();
            some.join([" ", "", "; "][random.below(3)])
        };
        let phrases: Vec<String> = (0..4).map(|_| phrase(random)).collect();
        (0..random.below(60)).map(|_| phrases[random.below(4)].clone() + " ").collect()
    }

    /// An access answers its first questions without loading segments.
    #[test]
    fn answers_are_those_of_loaded_segments() {
        let mut random = Random::new(3);
        for _ in 0..60 {
            let texts: Vec<String> = (0..1 + random.below(4)).map(|_| text(&mut random)).collect();
            let corpus = corpus_of(&texts);
            let loaded = Access::new(Arc::clone(&corpus));
            loaded.prepare().unwrap();
            for query in ["a", "the", "文", "a a", "a b a", "the cat sat", "b the cat", "a a a a"]
            {
                let phrase = Phrase::new(query).unwrap();
                let streams = Access::new(Arc::clone(&corpus));
                let expected = loaded.search_all(&phrase).unwrap();
                assert_eq!(streams.search_all(&phrase).unwrap(), expected, "{query}: {texts:?}");
                let count: usize = expected.iter().map(|(_, matches)| matches.len()).sum();
                assert_eq!(streams.count_all(&phrase).unwrap(), count as u64, "{query}: {texts:?}");
                assert!(streams.loaded(0).is_none(), "it was loaded");
                let first = expected.first().map(|(document, matches)| (*document, matches[0]));
                let mut found = None;
                let streams = Access::new(Arc::clone(&corpus));
                let flow = streams.search_all_each(&phrase, (0, 0), |document, one| {
                    found = Some((document, one));
                    std::ops::ControlFlow::Break(())
                });
                assert_eq!((found, flow.unwrap().is_break()), (first, first.is_some()));
            }
        }
    }
}
