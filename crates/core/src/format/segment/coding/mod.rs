//! The codings, one module per level. A segment's first byte names its coding.

pub(crate) mod default;
pub(crate) mod fast;
pub(crate) mod max;

use crate::format::{Level, Sizes};

/// How a segment stores its symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Coding {
    /// Rules and root in fixed widths; the root in blocks.
    BitPacked = 0,
    /// Everything by static rANS in eight lanes; the root is part of the segment.
    Rans = 1,
    /// Rules as by [`Coding::Rans`]; the root by Huffman codes, in blocks of eight lanes.
    Huffman = 2,
    /// As [`Coding::Huffman`]; rare symbols that occurred recently are coded by their distance.
    HuffmanBackrefs = 3,
    /// Everything by adaptive models, each rule at its first use; the root is part of the segment.
    /// The last token helps to predict columns.
    AdaptiveTokens = 4,
    /// As [`Coding::AdaptiveTokens`]; the last bucket helps to predict columns, not the last token.
    AdaptiveBuckets = 5,
}

impl Coding {
    /// By code.
    const ALL: [Self; 6] = [
        Self::BitPacked,
        Self::Rans,
        Self::Huffman,
        Self::HuffmanBackrefs,
        Self::AdaptiveTokens,
        Self::AdaptiveBuckets,
    ];

    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// The coding of a grammar at a level.
///
/// At `default` most grammars get static codes, which load fastest but suit roots better than rules.
/// Where rules outweigh the root, as in many versions of one text, adaptive models save a sixth. If a
/// symbol also expands to 128 bytes of text or more, they load more text per second than static codes
/// do on prose. At `max`, contexts of tokens save up to 2 % where symbols expand to much text, which
/// loads fast in any coding. Elsewhere contexts of buckets are nearly as small and much faster.
pub(crate) fn coding_of(level: Level, sizes: &Sizes) -> Coding {
    let rules_outweigh = sizes.root_symbols < sizes.symbols / 2;
    let text_a_symbol = sizes.text_bytes / sizes.symbols.max(1);
    match level {
        Level::Fast => Coding::BitPacked,
        Level::Default if rules_outweigh && text_a_symbol >= 128 => Coding::AdaptiveTokens,
        Level::Default => Coding::Huffman,
        Level::Max if text_a_symbol >= 32 => Coding::AdaptiveTokens,
        Level::Max => Coding::AdaptiveBuckets,
    }
}
