//! One span of an edited document, and what several cover.

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Span {
    /// A range of the compressed document.
    Base { start: u64, len: u64 },
    /// A range of the new bytes.
    New { start: usize, len: usize },
}

impl Span {
    pub(in crate::store) fn len(self) -> u64 {
        match self {
            Self::Base { len, .. } => len,
            Self::New { len, .. } => len as u64,
        }
    }

    /// Splits it after `at` bytes.
    pub(super) fn split(self, at: u64) -> (Self, Self) {
        match self {
            Self::Base { start, len } => {
                (Self::Base { start, len: at }, Self::Base { start: start + at, len: len - at })
            }
            Self::New { start, len } => {
                let at = at as usize;
                (Self::New { start, len: at }, Self::New { start: start + at, len: len - at })
            }
        }
    }

    /// Both as one span, if the second continues the first.
    pub(super) fn join(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::New { start, len }, Self::New { start: next, len: more })
                if start + len == next =>
            {
                Some(Self::New { start, len: len + more })
            }
            _ => None,
        }
    }
}

/// What spans cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cover {
    pub(super) len: u64,
    /// The range of the compressed document; empty if all bytes are new.
    pub(super) base: (u64, u64),
    /// Whether there are new bytes.
    pub(super) has_new: bool,
}

impl Cover {
    pub(super) const NOTHING: Self = Self { len: 0, base: (u64::MAX, 0), has_new: false };

    pub(super) fn of_span(span: Span) -> Self {
        match span {
            Span::Base { start, len } => Self { len, base: (start, start + len), has_new: false },
            Span::New { len, .. } => Self { len: len as u64, has_new: true, ..Self::NOTHING },
        }
    }

    pub(super) fn of(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::NOTHING, |sum, part| Self {
            len: sum.len + part.len,
            base: (sum.base.0.min(part.base.0), sum.base.1.max(part.base.1)),
            has_new: sum.has_new || part.has_new,
        })
    }
}
