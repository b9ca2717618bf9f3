//! A text to count: ranks of words in order, with breaks, and the places of each word.

use std::ops::Range;

/// Neighbourhoods are copied in groups of this many words.
pub(super) const GROUP: usize = 16;

/// Words that are copied around each place: the window on both sides and the place, in whole groups.
pub(super) fn stride(window: usize) -> usize {
    (2 * window + 1).next_multiple_of(GROUP)
}

/// Words in order, and what each place says of its neighbours.
pub(super) trait Text: Sync {
    /// Whether pairs count several times.
    const HAS_USES: bool;

    /// Ranks and breaks. A window of breaks comes first; a [`stride`] of them comes last.
    fn ids(&self) -> &[u32];

    /// The places whose words are counted. The others are only neighbours.
    fn centers(&self) -> Range<usize>;

    /// What is known of a place. Without uses it is [`Place::ONCE`].
    fn place(&self, at: usize) -> Place;

    /// How often a pair counts at most.
    fn most_uses(&self) -> u64;
}

/// What is known of a word's place.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    /// How many words at the left end, and at the right end, are not counted.
    pub(super) left: usize,
    pub(super) right: usize,
    /// How often each pair counts.
    pub(super) uses: u64,
}

impl Place {
    /// All neighbours count, and each pair once.
    pub(super) const ONCE: Self = Self { left: 0, right: 0, uses: 1 };
}

/// A text in which every pair counts once.
pub(super) struct FlatText {
    ids: Vec<u32>,
    centers: Range<usize>,
    window: usize,
    break_number: u32,
}

impl FlatText {
    /// An empty text, with room for `words` words.
    pub(super) fn new(window: usize, break_number: u32, words: usize) -> Self {
        let mut ids = Vec::with_capacity(words + window + stride(window));
        ids.resize(window, break_number);
        Self { ids, centers: window..window, window, break_number }
    }

    /// Adds ranks and breaks.
    pub(super) fn extend(&mut self, ids: &[u32]) {
        self.ids.extend_from_slice(ids);
    }

    pub(super) fn push_break(&mut self) {
        self.ids.push(self.break_number);
    }

    /// The number of words and breaks.
    pub(super) fn len(&self) -> usize {
        self.ids.len() - self.window
    }

    /// Ends the text.
    pub(super) fn finish(mut self) -> Self {
        self.centers.end = self.ids.len();
        self.pad()
    }

    /// Cuts the text where it is and returns what comes before. The rest, with room for `words` words,
    /// begins with the words that pairs across the cut need.
    pub(super) fn cut(&mut self, words: usize) -> Self {
        let len = self.ids.len();
        // Places with fewer than a window of words after them are counted in the rest.
        self.centers.end = len.saturating_sub(self.window).max(self.centers.start);
        let mut rest = Self::new(self.window, self.break_number, words);
        rest.ids.extend_from_slice(&self.ids[self.centers.end - self.window..]);
        rest.centers.start = rest.ids.len() - (len - self.centers.end);
        std::mem::replace(self, rest).pad()
    }

    fn pad(mut self) -> Self {
        self.ids.resize(self.ids.len() + stride(self.window), self.break_number);
        self
    }
}

impl Text for FlatText {
    const HAS_USES: bool = false;

    fn ids(&self) -> &[u32] {
        &self.ids
    }

    fn centers(&self) -> Range<usize> {
        self.centers.clone()
    }

    #[inline(always)]
    fn place(&self, _: usize) -> Place {
        Place::ONCE
    }

    fn most_uses(&self) -> u64 {
        1
    }
}

/// The places of each word in a text, in order.
pub(super) struct Places {
    /// Where each word's places begin.
    starts: Vec<u32>,
    places: Vec<u32>,
}

/// Bytes that a text and its places take for each word.
pub(super) const BYTES_A_WORD: u64 = 8;

impl Places {
    /// Of words below `words`, by counting sort.
    pub(super) fn of(text: &impl Text, words: usize) -> Self {
        let centers = text.centers();
        let first = centers.start as u32;
        let ids = &text.ids()[centers];
        let mut starts = vec![0u32; words + 1];
        for &id in ids {
            if let Some(count) = starts.get_mut(id as usize) {
                *count += 1;
            }
        }
        // Breaks are counted in the last start, which becomes the end of all.
        starts[words] = 0;
        let mut next = 0;
        for start in &mut starts {
            next += std::mem::replace(start, next);
        }
        let mut places = vec![0; next as usize];
        for (&id, place) in ids.iter().zip(first..) {
            if (id as usize) < words {
                let at = &mut starts[id as usize];
                places[*at as usize] = place;
                *at += 1;
            }
        }
        // Each start has moved to the next one's place.
        starts.rotate_right(1);
        starts[0] = 0;
        Self { starts, places }
    }

    /// The places of a word.
    pub(super) fn of_word(&self, word: usize) -> &[u32] {
        &self.places[self.starts[word] as usize..self.starts[word + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_in_order() {
        let mut text = FlatText::new(2, 3, 8);
        text.extend(&[0, 2, 3, 0, 2]);
        let text = text.finish();
        let places = Places::of(&text, 3);
        let all: Vec<&[u32]> = (0..3).map(|word| places.of_word(word)).collect();
        assert_eq!(all, [&[2, 5][..], &[], &[3, 6]]);
        assert_eq!(text.ids().len(), 2 + 5 + 16);
    }

    #[test]
    fn a_cut_counts_every_place_once() {
        for window in 1..5 {
            for len in 0..20 {
                let mut text = FlatText::new(window, 99, 0);
                let mut counted = Vec::new();
                let mut cut = |text: FlatText| {
                    let (centers, ids) = (text.centers(), text.ids());
                    counted.extend_from_slice(&ids[centers.clone()]);
                    for center in centers {
                        // Its neighbours are there.
                        for distance in 1..=window as u32 {
                            let at = |at: usize| ids[at];
                            let id = ids[center];
                            let before = at(center - distance as usize);
                            assert_eq!(before, id.checked_sub(distance).unwrap_or(99));
                            let after = if id + distance < len { id + distance } else { 99 };
                            assert_eq!(at(center + distance as usize), after);
                        }
                    }
                };
                for id in 0..len {
                    text.extend(&[id]);
                    if id % 7 == 3 {
                        cut(text.cut(0));
                    }
                }
                cut(text.finish());
                assert_eq!(counted, (0..len).collect::<Vec<_>>());
            }
        }
    }
}
