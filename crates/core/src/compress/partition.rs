//! Where segments end: the load-balance rule of the TADOC paper, section 4.3.
//!
//! The paper gives each of `n` workers about `S / n` of `S` bytes. It splits a file only if the file is
//! larger than half a share *and* would make a part exceed its share by a quarter. Here the share is the
//! target size of a segment. It never depends on the number of threads, so neither does the file.

use super::budget;
use crate::format::GrammarKind;

/// Decides where segments end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    target: u64,
}

impl Partition {
    /// Segments of about `target` bytes of text.
    pub(super) fn new(target: u64) -> Self {
        Self { target: target.clamp(1, 1 << 32) }
    }

    /// As few segments as memory allows, of equal size if the `total` of all text is known. More
    /// segments would cost space: text that repeats across segments is stored once in each.
    pub(super) fn automatic(ceiling: u64, grammar: GrammarKind, total: Option<u64>) -> Self {
        let fitting = Self::new(budget::fitting_text(ceiling, grammar));
        match total {
            None => fitting,
            Some(total) if total <= fitting.most() => Self::new(total.max(fitting.target)),
            Some(total) => Self::new(total.div_ceil(total.div_ceil(fitting.target))),
        }
    }

    /// The most bytes of text in a segment.
    fn most(&self) -> u64 {
        self.target + self.target / 4
    }

    /// Bytes of text that segments aim for.
    pub(super) fn target(&self) -> u64 {
        self.target
    }

    /// Whether a segment of `filled` bytes ends before a document of `size` bytes.
    pub(super) fn ends_before(&self, filled: u64, size: Option<u64>) -> bool {
        match size {
            _ if filled == 0 => false,
            // A small document is never split. It goes where the sizes end up closer to the target.
            Some(size) if size <= self.target / 2 => filled + size / 2 > self.target,
            // A large document may be split, but does not add to a segment that is full.
            Some(_) | None => filled >= self.target,
        }
    }

    /// After how many more bytes of a document a segment of `filled` bytes ends, if the document has
    /// `left` bytes left, `None` if that is unknown. Returns `None` if the document fits.
    pub(super) fn split_after(&self, filled: u64, left: Option<u64>) -> Option<u64> {
        match left {
            Some(left) if filled.saturating_add(left) <= self.most() => None,
            Some(_) => Some(self.target.saturating_sub(filled).max(1)),
            None => Some(self.most().saturating_sub(filled).max(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_documents_are_never_split() {
        let partition = Partition::new(1000);
        assert!(!partition.ends_before(0, Some(500)));
        assert!(!partition.ends_before(800, Some(400)));
        assert!(partition.ends_before(800, Some(402)));
        assert!(!partition.ends_before(750, Some(500)));
        assert_eq!(partition.split_after(750, Some(500)), None);
    }

    #[test]
    fn large_documents_are_split_only_when_they_unbalance() {
        let partition = Partition::new(1000);
        assert!(!partition.ends_before(100, Some(5000)));
        assert!(partition.ends_before(1000, Some(5000)));
        assert_eq!(partition.split_after(100, Some(1150)), None);
        assert_eq!(partition.split_after(100, Some(1151)), Some(900));
        assert_eq!(partition.split_after(0, None), Some(1250));
    }

    #[test]
    fn automatic_segments_are_few_and_balanced() {
        const MIB: u64 = 1 << 20;
        let target = |memory: u64, total: Option<u64>| {
            Partition::automatic(memory, GrammarKind::RePair, total).target
        };
        let ceiling = 4096 * MIB;
        assert_eq!(target(ceiling, None), 192 * MIB);
        assert_eq!(target(ceiling, Some(MIB)), 192 * MIB);
        // Up to a quarter more than fits is still one segment.
        assert_eq!(target(ceiling, Some(240 * MIB)), 240 * MIB);
        assert_eq!(target(ceiling, Some(242 * MIB)), 121 * MIB);
        assert_eq!(target(ceiling, Some(513 * MIB)), 171 * MIB);
        assert_eq!(target(ceiling / 4, Some(480 * MIB)), 48 * MIB);
        // Readers load the rules of a whole segment, so there is a largest one.
        assert_eq!(target(1 << 40, Some(1 << 30)), 512 * MIB);
        let sequitur = Partition::automatic(ceiling, GrammarKind::Sequitur, None);
        assert_eq!(sequitur.target, 96 * MIB);
    }
}
