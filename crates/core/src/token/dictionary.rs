//! All tokens of a corpus: id to bytes in one step, bytes to id by binary search.
//!
//! Ids are ordered by class first (separators, then spaced words, then unspaced ones), so that two
//! comparisons give a token's class. Within a class, tokens are ordered by descending frequency level,
//! then by their bytes. So frequent tokens share low ids, and arrays indexed by id stay in the cache
//! while counting. Each group of one class and level is sorted: it supports binary search and prefix
//! queries, and is front-coded on disk. The level needs no storage and gives the coder the frequency of
//! a token.

use super::splitter::is_token;
use super::{Interner, TokenClass};
use std::cmp::Reverse;
use std::ops::Range;

/// Number of frequency levels.
pub(crate) const LEVELS: usize = 66;

/// Levels below this are exact counts.
pub(crate) const EXACT_LEVELS: u8 = 8;

/// The level of a count: the count itself up to 7, then two levels per power of two. Higher is more
/// frequent.
pub(crate) fn frequency_level(count: u32) -> u8 {
    if count < u32::from(EXACT_LEVELS) {
        return count as u8;
    }
    let octave = count.ilog2();
    let half = count >> (octave - 1) & 1;
    (2 * octave + half + 2) as u8
}

/// The tokens of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dictionary {
    arena: Vec<u8>,
    /// Token `id` is `arena[starts[id]..starts[id + 1]]`.
    starts: Vec<u32>,
    groups: Vec<Group>,
    /// First id that is a spaced word, and first id that is an unspaced one.
    spaced_start: u32,
    unspaced_start: u32,
}

/// Tokens of one class and frequency level: a sorted range of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) class: TokenClass,
    pub(crate) level: u8,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Why a list of tokens is not a dictionary.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// All tokens together have more than 4 GiB.
    #[error("the distinct tokens take more than 4 GiB; split the corpus into several files")]
    TooLarge,
    /// Tokens of a group are not in order, or one occurs twice.
    #[error("token {id} does not sort after the one before it")]
    Unsorted {
        /// The id at fault.
        id: u32,
    },
}

impl Dictionary {
    /// Orders the tokens of `interner`, where token `id` occurs `uses[id]` times in the grammars. Tokens
    /// without uses are dropped. Also returns the final id of each provisional one.
    ///
    /// # Errors
    /// When the tokens take more than 4 GiB.
    pub fn arrange(interner: &Interner, uses: &[u32]) -> Result<(Self, Vec<u32>), DictionaryError> {
        // Class, descending level and the first bytes in one number. It decides most comparisons
        // without reading the tokens, which are scattered in memory.
        let key = |id: u32| {
            let (class, level) = (interner.class(id), frequency_level(uses[id as usize]));
            let group = u64::from(class as u8) << 7 | (LEVELS as u64 - 1 - u64::from(level));
            let first = interner.bytes(id).iter().take(6);
            let first = first
                .fold((0u64, 48), |(sum, at), &byte| (sum | u64::from(byte) << (at - 8), at - 8));
            group << 48 | first.0
        };
        let used = (0..interner.len() as u32).filter(|&id| uses[id as usize] > 0);
        let mut order: Vec<(u64, u32)> = used.map(|id| (key(id), id)).collect();
        order.sort_unstable_by(|&(a_key, a), &(b_key, b)| {
            a_key.cmp(&b_key).then_with(|| interner.bytes(a).cmp(interner.bytes(b)))
        });

        let total: u64 = order.iter().map(|&(_, id)| interner.bytes(id).len() as u64).sum();
        if total > u64::from(u32::MAX) {
            return Err(DictionaryError::TooLarge);
        }
        let mut builder = DictionaryBuilder::with_capacity(order.len(), total as usize);
        let mut finals = vec![u32::MAX; interner.len()];
        for (number, &(_, id)) in order.iter().enumerate() {
            finals[id as usize] = number as u32;
            let level = frequency_level(uses[id as usize]);
            builder.push(interner.class(id), level, interner.bytes(id));
        }
        Ok((builder.finish()?, finals))
    }

    /// These tokens, with the levels they have, and between them the tokens that `interner` has beyond
    /// them: there, these come first, with their ids, and token `id` occurs `uses[id]` times in new
    /// grammars. New tokens without uses are dropped. Also returns the final id of each token of
    /// `interner`.
    pub(crate) fn extended(
        &self,
        interner: &Interner,
        uses: &[u32],
    ) -> Result<(Self, Vec<u32>), DictionaryError> {
        type Key<'a> = (TokenClass, Reverse<u8>, &'a [u8]);
        let new = (self.len() as u32..interner.len() as u32).filter(|&id| uses[id as usize] > 0);
        let mut new: Vec<(Key<'_>, u32)> = new
            .map(|id| {
                let level = frequency_level(uses[id as usize]);
                ((interner.class(id), Reverse(level), interner.bytes(id)), id)
            })
            .collect();
        new.sort_unstable();
        let bytes = self.arena.len() + new.iter().map(|(key, _)| key.2.len()).sum::<usize>();
        if bytes > u32::MAX as usize {
            return Err(DictionaryError::TooLarge);
        }
        let mut builder = DictionaryBuilder::with_capacity(self.len() + new.len(), bytes);
        let mut finals = vec![u32::MAX; interner.len()];
        let mut put = |(class, Reverse(level), bytes): Key<'_>, id: u32| {
            finals[id as usize] = builder.dictionary.len() as u32;
            builder.push(class, level, bytes);
        };
        let mut new = new.into_iter().peekable();
        for group in &self.groups {
            for id in group.start..group.end {
                let key = (group.class, Reverse(group.level), self.bytes(id));
                while let Some((new, id)) = new.next_if(|(new, _)| *new < key) {
                    put(new, id);
                }
                put(key, id);
            }
        }
        new.for_each(|(key, id)| put(key, id));
        Ok((builder.finish()?, finals))
    }

    /// These tokens and `others`, which must be new and sorted by class and bytes. The new ones come last
    /// in their class, with the level of unused tokens.
    pub(crate) fn with(&self, others: &[(TokenClass, &[u8])]) -> Result<Self, DictionaryError> {
        let bytes = self.arena.len() + others.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
        if bytes > u32::MAX as usize {
            return Err(DictionaryError::TooLarge);
        }
        let mut builder = DictionaryBuilder::with_capacity(self.len() + others.len(), bytes);
        for class in TokenClass::ALL {
            builder.push_class(self, class);
            for (_, bytes) in others.iter().filter(|(of, _)| *of == class) {
                builder.push(class, frequency_level(0), bytes);
            }
        }
        builder.finish()
    }

    /// Number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A token's bytes.
    #[must_use]
    pub fn bytes(&self, id: u32) -> &[u8] {
        &self.arena[self.starts[id as usize] as usize..self.starts[id as usize + 1] as usize]
    }

    /// A token's class.
    #[must_use]
    pub fn class(&self, id: u32) -> TokenClass {
        if id < self.spaced_start {
            TokenClass::Separator
        } else if id < self.unspaced_start {
            TokenClass::Spaced
        } else {
            TokenClass::Unspaced
        }
    }

    /// The frequency level of a token: about how often it occurs in all grammars.
    pub(crate) fn level(&self, id: u32) -> u8 {
        let group = self.groups.partition_point(|group| group.end <= id);
        self.groups.get(group).map_or(0, |group| group.level)
    }

    /// The ids of a class.
    #[must_use]
    pub fn ids(&self, class: TokenClass) -> Range<u32> {
        match class {
            TokenClass::Separator => 0..self.spaced_start,
            TokenClass::Spaced => self.spaced_start..self.unspaced_start,
            TokenClass::Unspaced => self.unspaced_start..self.len() as u32,
        }
    }

    /// The id of a token with these bytes.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        self.groups.iter().find_map(|group| {
            let id = self.lower_bound(group, |token| token < bytes);
            (id < group.end && self.bytes(id) == bytes).then_some(id)
        })
    }

    /// The first id whose bytes the splitter would cut into something else than this one token. Only
    /// a forged dictionary has one.
    pub(crate) fn first_foreign(&self) -> Option<u32> {
        (0..self.len() as u32).find(|&id| !is_token(self.class(id), self.bytes(id)))
    }

    /// The ids of all tokens that begin with `prefix`, as ranges: one for each group that has any.
    pub fn with_prefix(&self, prefix: &[u8]) -> impl Iterator<Item = Range<u32>> {
        self.groups.iter().filter_map(move |group| {
            let start = self.lower_bound(group, |token| token < prefix);
            let end = self.lower_bound(group, |token| token < prefix || token.starts_with(prefix));
            (start < end).then_some(start..end)
        })
    }

    /// Bytes of memory it holds.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (self.arena.len() + self.starts.len() * 4) as u64
    }

    /// The ids of all words.
    pub(crate) fn words(&self) -> Range<u32> {
        self.spaced_start..self.len() as u32
    }

    pub(crate) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The first id of `group` that is not `before`.
    fn lower_bound(&self, group: &Group, before: impl Fn(&[u8]) -> bool) -> u32 {
        let (mut low, mut high) = (group.start, group.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.bytes(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Builds a dictionary of tokens that come in the order of their ids.
pub(crate) struct DictionaryBuilder {
    dictionary: Dictionary,
    unsorted: Option<u32>,
}

impl DictionaryBuilder {
    pub(crate) fn with_capacity(tokens: usize, bytes: usize) -> Self {
        let mut starts = Vec::with_capacity(tokens + 1);
        starts.push(0);
        let arena = Vec::with_capacity(bytes);
        let dictionary =
            Dictionary { arena, starts, groups: Vec::new(), spaced_start: 0, unspaced_start: 0 };
        Self { dictionary, unsorted: None }
    }

    /// Adds all tokens of a class of another dictionary. All tokens so far have lower classes.
    fn push_class(&mut self, other: &Dictionary, class: TokenClass) {
        let (ids, dictionary) = (other.ids(class), &mut self.dictionary);
        let first = dictionary.starts.len() as u32 - 1;
        let starts = &other.starts[ids.start as usize..=ids.end as usize];
        let (start, end) = (starts[0], starts[starts.len() - 1]);
        let moved = dictionary.arena.len() as u32;
        dictionary.arena.extend_from_slice(&other.arena[start as usize..end as usize]);
        dictionary.starts.extend(starts[1..].iter().map(|at| at - start + moved));
        let groups = other.groups.iter().filter(|group| group.class == class);
        dictionary.groups.extend(groups.map(|group| Group {
            start: group.start - ids.start + first,
            end: group.end - ids.start + first,
            ..*group
        }));
        let count = ids.end - ids.start;
        dictionary.spaced_start += if class < TokenClass::Spaced { count } else { 0 };
        dictionary.unspaced_start += if class < TokenClass::Unspaced { count } else { 0 };
    }

    /// Adds a token; order is checked by [`finish`](Self::finish).
    pub(crate) fn push(&mut self, class: TokenClass, level: u8, bytes: &[u8]) {
        self.push_sharing(class, level, 0, bytes, bytes.len());
    }

    /// Adds a token made of the first `shared` bytes of the one before and the first `len` of
    /// `following`. `shared` must not be longer than that token, nor the arena grow past 4 GiB.
    pub(crate) fn push_sharing(
        &mut self,
        class: TokenClass,
        level: u8,
        shared: usize,
        following: &[u8],
        len: usize,
    ) {
        let dictionary = &mut self.dictionary;
        let id = dictionary.starts.len() as u32 - 1;
        let start = dictionary.arena.len();
        let previous = id.checked_sub(1).map_or(0, |id| dictionary.starts[id as usize] as usize);
        append_within(&mut dictionary.arena, previous, shared);
        append(&mut dictionary.arena, following, len);
        dictionary.starts.push(dictionary.arena.len() as u32);
        match dictionary.groups.last_mut() {
            Some(group) if group.class == class && group.level == level => {
                group.end = id + 1;
                // The first byte that is not shared decides nearly always.
                let (last, new) = dictionary.arena[previous..].split_at(start - previous);
                let parts_above =
                    matches!((last.get(shared), new.get(shared)), (Some(a), Some(b)) if a < b);
                if !parts_above && new <= last {
                    self.unsorted.get_or_insert(id);
                }
            }
            last => {
                let ordered = last
                    .is_none_or(|last| (last.class, Reverse(last.level)) < (class, Reverse(level)));
                if !ordered {
                    self.unsorted.get_or_insert(id);
                }
                dictionary.groups.push(Group { class, level, start: id, end: id + 1 });
            }
        }
        dictionary.spaced_start += u32::from(class < TokenClass::Spaced);
        dictionary.unspaced_start += u32::from(class < TokenClass::Unspaced);
    }

    pub(crate) fn finish(self) -> Result<Dictionary, DictionaryError> {
        match self.unsorted {
            Some(id) => Err(DictionaryError::Unsorted { id }),
            None => Ok(self.dictionary),
        }
    }
}

/// Bytes that are copied at once, in one instruction. Most tokens have fewer.
const STRIDE: usize = 16;

/// Appends the first `len` of `bytes`.
#[inline(always)]
fn append(arena: &mut Vec<u8>, bytes: &[u8], len: usize) {
    let end = arena.len() + len;
    match bytes.first_chunk::<STRIDE>() {
        Some(chunk) if len <= STRIDE => arena.extend_from_slice(chunk),
        _ => arena.extend_from_slice(&bytes[..len]),
    }
    arena.truncate(end);
}

/// Appends the `len` bytes at `from`.
#[inline(always)]
fn append_within(arena: &mut Vec<u8>, from: usize, len: usize) {
    match arena[from..].first_chunk::<STRIDE>().copied() {
        Some(chunk) => append(arena, &chunk, len.min(STRIDE)),
        None => return arena.extend_from_within(from..from + len),
    }
    if len > STRIDE {
        arena.extend_from_within(from + STRIDE..from + len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn levels_rise_with_counts() {
        let levels: Vec<_> = [1, 2, 3, 7, 8, 11, 12, 15, 16].map(frequency_level).to_vec();
        assert_eq!(levels, [1, 2, 3, 7, 8, 8, 9, 9, 10]);
        assert_eq!(frequency_level(u32::MAX) as usize, LEVELS - 1);
    }

    proptest! {
        #[test]
        fn tokens_of_any_length_share_their_beginnings(
            tokens in proptest::collection::btree_set("[ab]{0,40}", 0..60),
            more in 0usize..40,
        ) {
            let mut builder = DictionaryBuilder::with_capacity(0, 0);
            let mut last: &[u8] = &[];
            for token in &tokens {
                let token = token.as_bytes();
                let shared = last.iter().zip(token).take_while(|(a, b)| a == b).count();
                let following = [&token[shared..], &vec![b'x'; more]].concat();
                let len = token.len() - shared;
                builder.push_sharing(TokenClass::Spaced, 1, shared, &following, len);
                last = token;
            }
            let dictionary = builder.finish().unwrap();
            let found: Vec<&[u8]> =
                (0..dictionary.len() as u32).map(|id| dictionary.bytes(id)).collect();
            prop_assert_eq!(found, tokens.iter().map(String::as_bytes).collect::<Vec<_>>());
        }

        #[test]
        fn what_is_not_sorted_is_refused(
            tokens in proptest::collection::vec("[ab]{0,3}", 2..5),
        ) {
            let mut builder = DictionaryBuilder::with_capacity(0, 0);
            let mut last: &[u8] = &[];
            for token in &tokens {
                let token = token.as_bytes();
                // A writer may call fewer bytes shared than are.
                let most = last.iter().zip(token).take_while(|(a, b)| a == b).count();
                let shared = most / 2;
                builder.push_sharing(TokenClass::Spaced, 1, shared, &token[shared..], token.len() - shared);
                last = token;
            }
            prop_assert_eq!(builder.finish().is_ok(), tokens.is_sorted_by(|a, b| a < b));
        }
    }

    proptest! {
        /// Tokens that are added are as if each had been pushed in its place.
        #[test]
        fn others_come_last_in_their_class(
            tokens in proptest::collection::btree_map("[a-c]{1,4}", (0usize..3, 0u8..4), 0..40),
        ) {
            let ordered = |wanted: &dyn Fn(u8) -> bool| {
                let mut some: Vec<(TokenClass, std::cmp::Reverse<u8>, &[u8])> = tokens
                    .iter()
                    .filter(|(_, (_, level))| wanted(*level))
                    .map(|(token, &(class, level))| {
                        (TokenClass::ALL[class], std::cmp::Reverse(level), token.as_bytes())
                    })
                    .collect();
                some.sort_unstable();
                some
            };
            let build = |wanted: &dyn Fn(u8) -> bool| {
                let mut builder = DictionaryBuilder::with_capacity(0, 0);
                for (class, level, bytes) in ordered(wanted) {
                    builder.push(class, level.0, bytes);
                }
                builder.finish().unwrap()
            };
            let others: Vec<(TokenClass, &[u8])> =
                ordered(&|level| level == 0).into_iter().map(|(class, _, bytes)| (class, bytes)).collect();
            prop_assert_eq!(build(&|level| level > 0).with(&others).unwrap(), build(&|_| true));
        }

        #[test]
        fn ids_and_bytes_agree(
            // Long ones differ behind the bytes that are compared first.
            tokens in proptest::collection::hash_map("[a-c ]{0,3}|[a\\x00]{4,9}", 1u32..40, 0..60),
            prefix in "[a-c]{0,2}",
        ) {
            let mut interner = Interner::default();
            let mut uses = Vec::new();
            for (token, &count) in &tokens {
                let class = match token.as_bytes().first() {
                    Some(b'a' | b'b') => TokenClass::Spaced,
                    Some(b'c') => TokenClass::Unspaced,
                    _ => TokenClass::Separator,
                };
                interner.intern(class, token.as_bytes());
                uses.push(count);
            }
            let (dictionary, finals) = Dictionary::arrange(&interner, &uses).unwrap();
            prop_assert_eq!(dictionary.len(), tokens.len());
            for id in 0..interner.len() as u32 {
                let final_id = finals[id as usize];
                prop_assert_eq!(dictionary.bytes(final_id), interner.bytes(id));
                prop_assert_eq!(dictionary.class(final_id), interner.class(id));
                prop_assert_eq!(dictionary.find(interner.bytes(id)), Some(final_id));
                prop_assert!(dictionary.ids(interner.class(id)).contains(&final_id));
            }
            prop_assert_eq!(dictionary.find(b"zz"), None);
            let mut found: Vec<u32> = dictionary.with_prefix(prefix.as_bytes()).flatten().collect();
            found.sort_unstable();
            let expected: Vec<u32> = (0..dictionary.len() as u32)
                .filter(|&id| dictionary.bytes(id).starts_with(prefix.as_bytes()))
                .collect();
            prop_assert_eq!(found, expected);
        }
    }
}
