//! Coded symbols as kernels read them: see `shared/coded.wgsl`.

use zgram_bwt::huffman::{CodeTable, LONGEST};

/// Marks bits that are no code.
pub(crate) const NONE: u32 = 0xffff;

/// Bits and tables.
pub(super) struct Coded<'b> {
    pub(super) bits: &'b [u32],
    pub(super) tables: &'b [u32],
    pub(super) table_words: u32,
}

impl Coded<'_> {
    /// The symbol whose code begins at a bit, and the length of the code.
    pub(super) fn find(&self, table: u32, at: u32) -> Option<(u32, u32)> {
        let word = at as usize / 32;
        let ahead = u64::from(self.bits[word]) << 32 | u64::from(self.bits[word + 1]);
        let ahead = (ahead << (at % 32) >> (64 - LONGEST)) as u32;
        let table = &self.tables[(table * self.table_words) as usize..];
        let rows = table[..3 * LONGEST].chunks_exact(3).zip(1..);
        let (row, length) = rows.into_iter().find(|(row, _)| ahead < row[0])?;
        let rank = (ahead >> (LONGEST as u32 - length)).checked_sub(row[1])? + row[2];
        (rank < table[3 * LONGEST]).then(|| (table[3 * LONGEST + 1 + rank as usize], length))
    }
}

/// The words of a table of this many symbols.
pub(crate) fn table_words(symbols: usize) -> usize {
    3 * LONGEST + 1 + symbols
}

/// A table as kernels read it: for each length the limit, the first code and the number of shorter codes,
/// then the symbols.
pub(crate) fn words_of(table: &CodeTable, words: usize) -> Vec<u32> {
    let mut all = Vec::with_capacity(words);
    for length in 1..=LONGEST {
        all.extend([table.limit[length], table.first[length], table.shorter[length]]);
    }
    all.push(table.symbols.len() as u32);
    all.extend(table.symbols.iter().map(|&symbol| u32::from(symbol)));
    all.resize(words, 0);
    all
}
