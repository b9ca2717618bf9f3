//! The kinds of sections that a file is made of, and where one section is stored.

use std::fmt;

/// What a section contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SectionKind {
    /// Sizes and other facts of the corpus and its segments.
    Facts,
    /// All tokens.
    Dictionary,
    /// Names and sizes of the documents.
    Documents,
    /// The grammar of one segment.
    Segment,
    /// One block of a segment's root. The blocks of a root are stored in order.
    Root,
    /// The JSON around the documents of one segment, if they are lines of JSON Lines files.
    Envelopes,
    /// How often each word occurs in each document of one segment.
    WordCounts,
    /// Which corpus, and which of its edits, were compacted into this file.
    Origin,
    /// When pending edits are compacted automatically.
    Threshold,
    /// How often each word occurs in the whole corpus.
    WordTotals,
    /// Tokens that the dictionary gained after one segment was encoded.
    Later,
    /// The phrase index of one segment.
    Phrases,
}

/// All that depends on the kind of a section alone.
struct KindFacts {
    kind: SectionKind,
    /// The kind's four letters in the index.
    code: [u8; 4],
    /// Its name in messages.
    name: &'static str,
    presence: Presence,
    scope: Scope,
}

/// Whether a reader that does not know the kind may skip the section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Required,
    Optional,
}

/// Whether the corpus has one such section, or each segment its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Corpus,
    Segment,
}

/// In the order of [`SectionKind`].
const KINDS: [KindFacts; 12] = {
    use Presence::{Optional, Required};
    use SectionKind as Kind;
    [
        row(Kind::Facts, b"FACT", "facts", Required, Scope::Corpus),
        row(Kind::Dictionary, b"DICT", "dictionary", Required, Scope::Corpus),
        row(Kind::Documents, b"DOCS", "document table", Required, Scope::Corpus),
        row(Kind::Segment, b"SEGM", "segment", Required, Scope::Segment),
        row(Kind::Root, b"ROOT", "root of segment", Required, Scope::Segment),
        row(Kind::Envelopes, b"ENVL", "envelopes of segment", Optional, Scope::Segment),
        row(Kind::WordCounts, b"WDOC", "word counts of segment", Optional, Scope::Segment),
        row(Kind::Origin, b"ORIG", "origin", Optional, Scope::Corpus),
        row(Kind::Threshold, b"THRS", "threshold", Optional, Scope::Corpus),
        row(Kind::WordTotals, b"WSUM", "word totals", Optional, Scope::Corpus),
        row(Kind::Later, b"LATE", "later tokens of segment", Required, Scope::Segment),
        row(Kind::Phrases, b"PHRS", "phrase index of segment", Optional, Scope::Segment),
    ]
};

const fn row(
    kind: SectionKind,
    code: &[u8; 4],
    name: &'static str,
    presence: Presence,
    scope: Scope,
) -> KindFacts {
    KindFacts { kind, code: *code, name, presence, scope }
}

impl SectionKind {
    fn facts(self) -> &'static KindFacts {
        &KINDS[self as usize]
    }

    pub(super) fn from_code(code: [u8; 4]) -> Option<Self> {
        KINDS.iter().find(|facts| facts.code == code).map(|facts| facts.kind)
    }

    pub(super) fn code(self) -> [u8; 4] {
        self.facts().code
    }

    /// Whether each segment has its own section of this kind.
    pub(crate) fn is_of_segment(self) -> bool {
        self.facts().scope == Scope::Segment
    }

    /// Whether a reader that does not know the kind may skip the section.
    pub(super) fn is_optional(self) -> bool {
        self.facts().presence == Presence::Optional
    }
}

/// Where a section is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it contains.
    pub kind: SectionKind,
    /// The number of its segment, or 0 if it belongs to the whole corpus.
    pub number: u32,
    /// Where it starts in the file.
    pub offset: u64,
    /// Its length in bytes.
    pub len: u64,
    pub(super) checksum: u64,
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = self.kind.facts();
        match facts.scope {
            Scope::Corpus => f.write_str(facts.name),
            Scope::Segment => write!(f, "{} {}", facts.name, self.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_kinds() {
        for (at, facts) in KINDS.iter().enumerate() {
            assert_eq!(facts.kind as usize, at);
            assert_eq!(facts.kind.code(), facts.code);
            assert_eq!(SectionKind::from_code(facts.code), Some(facts.kind));
        }
        assert_eq!(SectionKind::from_code(*b"NONE"), None);
    }
}
