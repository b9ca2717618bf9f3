//! Huffman decoding (section 3.1).
//!
//! Where the starts of chunks are recorded, one thread decodes each chunk (section 3.1.1). The groups of
//! a bzip2 block have different tables and no recorded starts: a group begins where the one before it
//! ends. So the device computes, for every bit that a group could begin at and for every table, where it
//! would end: first where one code ends, then two, four and so on, by doubling in a workgroup's memory.
//! One thread then follows the groups, and one thread per group decodes it. All this happens window by
//! window, so that memory does not grow with the block.

use super::Stages;
use crate::backend::Backend;
use crate::error::GpuError;
use crate::kernels::bwt::coded::{NONE, table_words, words_of};
use crate::kernels::bwt::huffman_decode_group_ends::{self, TILE};
use crate::kernels::bwt::{huffman_decode_group_starts, huffman_decode_symbols};
use crate::recording::{Buffer, Download, Recording};
use zgram_bwt::bzip2::{CodedSymbols, DecodedSymbols};
use zgram_bwt::huffman::{CHUNK, CodeTable, Coded, LONGEST};

/// The bits of a window, at which groups may begin.
const WINDOW: usize = 1 << 18;

impl<B: Backend> Stages<B> {
    /// Decodes the symbols of a block up to its end symbol; `None` if bits or groups end before it, or if
    /// bits are no code.
    ///
    /// # Errors
    /// When the device fails, or the bits do not fit.
    ///
    /// # Panics
    /// If a group has no table, or more than 51 symbols.
    pub fn decode(&self, coded: &CodedSymbols<'_>) -> Result<Option<DecodedSymbols>, GpuError> {
        let CodedSymbols { bytes, start, tables, selectors, group, end } = *coded;
        assert!(selectors.iter().all(|&table| usize::from(table) < tables.len()), "a table each");
        let base = (start / 8) as usize;
        let Some(bytes) = bytes.get(base..) else { return Ok(None) };
        // The most bytes that the groups can take.
        let longest = (selectors.len() * group * LONGEST).div_ceil(8) + 1;
        let bytes = &bytes[..bytes.len().min(longest)];
        assert!(group * LONGEST < TILE, "a group of {group} symbols is too long");
        let most = 2 * self.backend.limits().binding / tables.len().max(1);
        self.check_fits(TILE / 2 * tables.len())?;
        let window = WINDOW.min(most / TILE * TILE);
        let mut recording = Recording::new();
        let groups = selectors.len();
        let mut starts = vec![0; groups + 2];
        starts[0] = (start % 8) as u32;
        let input = self.upload(&mut recording, bytes, tables, selectors, starts)?;
        let jumps = recording
            .buffer("jumps", tables.len() * window.min(input.bits.next_multiple_of(TILE)) / 2);
        for first in (0..input.bits).step_by(window) {
            let tiles = (input.bits - first).min(window).div_ceil(TILE);
            let params = [first, tiles, tables.len(), input.bits, group, input.table_words];
            let params = params.map(|param| param as u32);
            let used = jumps.part(0..tables.len() * tiles * TILE / 2);
            let bindings = [input.coded.into(), input.tables.into(), used];
            let threads =
                tables.len() * tiles * huffman_decode_group_ends::KERNEL.workgroup as usize;
            recording.dispatch(&huffman_decode_group_ends::KERNEL, threads, &params, &bindings);
            let params = [first, tiles * TILE, groups].map(|param| param as u32);
            let bindings = [used, input.selectors.into(), input.starts.into()];
            recording.dispatch(&huffman_decode_group_starts::KERNEL, 1, &params, &bindings);
        }
        let symbols = input.decode(&mut recording, group, groups * group, end.into());
        let mut run = self.run();
        // For each group, a jump and a table are read and the end is written.
        run.add(huffman_decode_group_starts::KERNEL.name, 4 * 3 * groups as u64);
        let symbols = run.submit(recording)?.take(symbols);
        let (symbols, ends) = symbols.split_at(groups * group);
        let Some(last) = symbols.iter().position(|&symbol| symbol == end.into()) else {
            return Ok(None);
        };
        if symbols[..last].contains(&NONE) {
            return Ok(None);
        }
        let symbols = symbols[..last].iter().map(|&symbol| symbol as u16).collect();
        let end = 8 * base as u64 + u64::from(ends[last / group]);
        Ok(Some(DecodedSymbols { symbols, end }))
    }

    /// Decodes symbols as [`zgram_bwt::huffman::decode`] does; `None` if the bits are no codes.
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    pub fn from_huffman(&self, coded: &Coded) -> Result<Option<Vec<u16>>, GpuError> {
        let Coded { lengths, symbols, sizes, bytes } = coded;
        let (symbols, chunks) = (*symbols, sizes.len());
        let are_lengths = lengths.iter().all(|&length| (1..=LONGEST).contains(&length.into()));
        let mut ends = vec![0u64];
        ends.extend(sizes.iter().scan(0, |end, &size| {
            *end += 8 * u64::from(size);
            Some(*end)
        }));
        let is_long = ends[chunks] <= 8 * bytes.len() as u64 && symbols <= 8 * bytes.len();
        if !are_lengths || lengths.len() > 1 << 11 || symbols.div_ceil(CHUNK) != chunks || !is_long
        {
            return Ok(None);
        }
        if chunks == 0 {
            return Ok(Some(Vec::new()));
        }
        let mut recording = Recording::new();
        let mut starts: Vec<u32> = ends.iter().map(|&end| end as u32).collect();
        starts.push(chunks as u32);
        let tables = [CodeTable::new(lengths)];
        let input = self.upload(&mut recording, bytes, &tables, &vec![0; chunks], starts)?;
        let decoded = input.decode(&mut recording, CHUNK, symbols, NONE);
        let decoded = self.run().submit(recording)?.take(decoded);
        let (symbols, reached) = decoded.split_at(symbols);
        let is_overrun = reached.iter().zip(&ends[1..]).any(|(&at, &end)| u64::from(at) > end);
        if is_overrun || symbols.contains(&NONE) {
            return Ok(None);
        }
        Ok(Some(symbols.iter().map(|&symbol| symbol as u16).collect()))
    }

    /// Records the upload of bits, tables, and starts of groups.
    fn upload(
        &self,
        recording: &mut Recording,
        bytes: &[u8],
        tables: &[CodeTable],
        selectors: &[u8],
        starts: Vec<u32>,
    ) -> Result<Input, GpuError> {
        if bytes.len() >= 1 << 28 {
            return Err(GpuError::TooMany { what: "bits of a block" });
        }
        let word = |four: &[u8]| four.iter().fold(0, |word, &byte| word << 8 | u32::from(byte));
        let (whole, rest) = bytes.as_chunks::<4>();
        let mut words: Vec<u32> = whole.iter().map(|four| word(four)).collect();
        words.push(word(rest) << (8 * (4 - rest.len()) % 32));
        words.extend([0, 0]);
        self.check_fits(words.len())?;
        let most = tables.iter().map(|table| table.symbols.len()).max().unwrap_or(0);
        let table_words = table_words(most);
        let laid_out = tables.iter().flat_map(|table| words_of(table, table_words)).collect();
        Ok(Input {
            bits: 8 * bytes.len(),
            groups: selectors.len(),
            table_words,
            coded: recording.upload("coded", words),
            tables: recording.upload("tables", laid_out),
            selectors: recording.upload("selectors", selectors.iter().map(|&s| s.into()).collect()),
            starts: recording.upload("starts", starts),
        })
    }
}

/// The input of decoding.
struct Input {
    bits: usize,
    groups: usize,
    table_words: usize,
    coded: Buffer,
    tables: Buffer,
    selectors: Buffer,
    /// The starts of groups, the end of the last, and the number of known starts.
    starts: Buffer,
}

impl Input {
    /// Records the decoding of groups with known starts.
    fn decode(
        &self,
        recording: &mut Recording,
        group: usize,
        symbols: usize,
        end: u32,
    ) -> Download {
        let words = symbols + self.groups;
        let decoded = recording.buffer("symbols", words);
        let params = [self.bits, self.groups, group, symbols, end as usize, self.table_words];
        recording.dispatch(
            &huffman_decode_symbols::KERNEL,
            self.groups,
            &params.map(|param| param as u32),
            &[self.coded, self.tables, self.selectors, self.starts, decoded].map(Into::into),
        );
        recording.download(decoded, 0..words)
    }
}
