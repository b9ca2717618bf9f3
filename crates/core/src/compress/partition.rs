//! Where segments end: the load-balance rule of tadoc section 4.3.
//!
//! The paper gives each of `n` workers about `S / n` of `S` bytes and splits a file only when it is
//! larger than half of that *and* would make a part exceed its share by a quarter. Here the share is
//! the target size of a segment, since the total of a stream is not known beforehand.

/// Decides where segments end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    target: u64,
}

impl Partition {
    /// Segments of about `target` bytes of text.
    #[must_use]
    pub fn new(target: u64) -> Self {
        Self { target: target.max(1) }
    }

    /// A segment never holds more than this.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.target + self.target / 4
    }

    /// Whether a segment of `filled` bytes should end before a document of `size` bytes.
    #[must_use]
    pub fn ends_before(&self, filled: u64, size: Option<u64>) -> bool {
        match size {
            _ if filled == 0 => false,
            Some(size) if size <= self.target / 2 => filled + size > self.most(),
            // A large document may be split; but not a segment begun for a few bytes more.
            Some(_) | None => filled >= self.target,
        }
    }

    /// After how many bytes more of a document a segment of `filled` bytes ends, if the document
    /// has `left` bytes left, `None` if that is not known. `None` if it need not be split.
    #[must_use]
    pub fn split_after(&self, filled: u64, left: Option<u64>) -> Option<u64> {
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
        assert!(!partition.ends_before(800, Some(450)));
        assert!(partition.ends_before(800, Some(451)));
        assert_eq!(partition.split_after(800, Some(450)), None);
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
}
