//! Huffman coding (section 2.3). The device counts symbols and writes codes. The host constructs the
//! codes, which takes a few microseconds.
//!
//! The position of a stretch's codes is a sum of bit lengths. Threads of neighbouring stretches share
//! words, so each code is written with `atomicOr`.

use super::{Run, Stages};
use crate::backend::Backend;
use crate::error::GpuError;
use crate::kernels::bwt::huffman_encode_bits::{self, LENGTH_BITS, STRETCH};
use crate::kernels::bwt::huffman_histogram::{self, MAX_ALPHABET, PER_THREAD};
use crate::kernels::bwt::{huffman_encode_chunk_sizes, huffman_encode_write};
use crate::recording::{Buffer, Recording};
use zgram_bwt::huffman::{CHUNK, Coded, LONGEST, code_lengths, codes};

/// The codes of a text of symbols.
#[derive(Clone, Debug)]
pub struct Codes<'c> {
    /// The code lengths of each table, all for the same alphabet.
    pub lengths: &'c [Vec<u8>],
    /// The table of each group.
    pub selectors: &'c [u8],
    /// Symbols in a group.
    pub group: usize,
}

impl<B: Backend> Stages<B> {
    /// Counts symbols below `alphabet` (section 2.3.1).
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    ///
    /// # Panics
    /// If a symbol is not below `alphabet`, or the alphabet has more than 2¹¹ symbols.
    pub fn histogram(&self, symbols: &[u16], alphabet: usize) -> Result<Vec<u32>, GpuError> {
        Ok(self.count(&mut self.run(), symbols, alphabet)?.1)
    }

    /// Counts symbols, and keeps them on the device.
    fn count(
        &self,
        run: &mut Run<'_>,
        symbols: &[u16],
        alphabet: usize,
    ) -> Result<(Buffer, Vec<u32>), GpuError> {
        check_alphabet(symbols, alphabet);
        self.check_fits(symbols.len().div_ceil(2))?;
        let mut recording = Recording::new();
        let count = symbols.len();
        let symbols = recording.upload("symbols", pairs(symbols));
        let counts = recording.buffer("counts", alphabet);
        recording.dispatch(
            &huffman_histogram::KERNEL,
            count.div_ceil(PER_THREAD),
            &[count as u32, alphabet as u32],
            &[symbols.into(), counts.into()],
        );
        let counted = recording.download(counts, 0..alphabet);
        recording.free(counts);
        Ok((symbols, run.submit(recording)?.take(counted)))
    }

    /// Encodes symbols below `alphabet` as [`zgram_bwt::huffman::encode`] does.
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    ///
    /// # Panics
    /// If a symbol is not below `alphabet`, or the alphabet has more than 2¹¹ symbols.
    pub fn huffman(&self, symbols: &[u16], alphabet: usize) -> Result<Coded, GpuError> {
        let mut run = self.run();
        let (uploaded, counts) = self.count(&mut run, symbols, alphabet)?;
        let lengths = [code_lengths(&counts, LONGEST as u8)];
        let group = symbols.len().max(1);
        let codes = Codes { lengths: &lengths, selectors: &[0], group };
        let (starts, bytes, _) =
            self.put_codes(&mut run, symbols, Some(uploaded), &codes, CHUNK)?;
        let sizes = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let [lengths] = lengths;
        Ok(Coded { lengths, symbols: symbols.len(), sizes, bytes })
    }

    /// Encodes symbols with the tables that groups select, as one sequence of bits. Returns the bytes,
    /// and the number of bits.
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    ///
    /// # Panics
    /// If a group has no table or a symbol no code.
    pub fn code(&self, symbols: &[u16], codes: &Codes<'_>) -> Result<(Vec<u8>, u64), GpuError> {
        let chunk = symbols.len().max(1);
        let (_, bytes, bits) = self.put_codes(&mut self.run(), symbols, None, codes, chunk)?;
        Ok((bytes, bits))
    }

    /// Encodes symbols, which may be on the device already, in chunks that begin at whole bytes. Returns
    /// the start of each chunk and the end of the last, the bytes, and the total number of code bits.
    fn put_codes(
        &self,
        run: &mut Run<'_>,
        symbols: &[u16],
        uploaded: Option<Buffer>,
        codes: &Codes<'_>,
        chunk: usize,
    ) -> Result<(Vec<u32>, Vec<u8>, u64), GpuError> {
        let Codes { lengths, selectors, group } = *codes;
        let alphabet = lengths.first().map_or(0, Vec::len);
        check_alphabet(symbols, alphabet);
        assert!(symbols.len() <= selectors.len() * group, "each group has a table");
        let count = symbols.len();
        if count >= 1 << 27 {
            return Err(GpuError::TooMany { what: "symbols of a block" });
        }
        let chunks = count.div_ceil(chunk);
        let stretches = count.div_ceil(STRETCH);
        assert!(chunks < 2 || chunk.is_multiple_of(STRETCH), "a stretch is in one chunk");
        let bits: usize = symbols
            .chunks(group)
            .zip(selectors)
            .flat_map(|(group, &table)| group.iter().map(move |&symbol| (table, symbol)))
            .map(|(table, symbol)| usize::from(lengths[usize::from(table)][usize::from(symbol)]))
            .sum();
        // Chunks begin at whole bytes.
        let words = (bits + 7 * chunks).div_ceil(32);
        self.check_fits(words.max(count.div_ceil(2)))?;
        let params = [count as u32, group as u32, alphabet as u32];
        let mut recording = Recording::new();
        let symbols = uploaded.unwrap_or_else(|| recording.upload("symbols", pairs(symbols)));
        let selectors =
            recording.upload("selectors", selectors.iter().map(|&s| s.into()).collect());
        let codes = recording.upload("codes", lengths.iter().flat_map(|l| code_words(l)).collect());
        let sums = recording.buffer("sums", stretches + 1);
        let bindings = [symbols, selectors, codes, sums].map(Into::into);
        recording.dispatch(&huffman_encode_bits::KERNEL, stretches + 1, &params, &bindings);
        recording.scan(sums, stretches + 1);
        let starts = recording.buffer("chunk_starts", chunks + 1);
        recording.dispatch(
            &huffman_encode_chunk_sizes::KERNEL,
            chunks + 1,
            &[count as u32, chunk as u32, chunks as u32],
            &[sums.into(), starts.into()],
        );
        recording.scan(starts, chunks + 1);
        let coded = recording.buffer("coded", words);
        recording.dispatch(
            &huffman_encode_write::KERNEL,
            stretches,
            &[params[0], params[1], params[2], chunk as u32],
            &[symbols, selectors, codes, sums, starts, coded].map(Into::into),
        );
        let starts = recording.download(starts, 0..chunks + 1);
        let coded = recording.download(coded, 0..words);
        let mut outcome = run.submit(recording)?;
        let starts = outcome.take(starts);
        let len = starts.last().map_or(0, |&end| end as usize);
        let words = outcome.take(coded);
        let bytes = words.iter().flat_map(|word| word.to_be_bytes()).take(len).collect();
        Ok((starts, bytes, bits as u64))
    }
}

fn check_alphabet(symbols: &[u16], alphabet: usize) {
    assert!(alphabet <= MAX_ALPHABET, "an alphabet of {alphabet} symbols is too large");
    assert!(symbols.iter().all(|&s| usize::from(s) < alphabet), "symbols are of the alphabet");
}

/// Packs symbols for kernels, two per word.
fn pairs(symbols: &[u16]) -> Vec<u32> {
    let word = |pair: &[u16]| pair.iter().rev().fold(0, |word, &s| word << 16 | u32::from(s));
    symbols.chunks(2).map(word).collect()
}

/// The codes of a table with their lengths, as kernels read them.
fn code_words(lengths: &[u8]) -> impl Iterator<Item = u32> {
    let words = codes(lengths).into_iter().zip(lengths);
    words.map(|(code, &length)| code << LENGTH_BITS | u32::from(length))
}
