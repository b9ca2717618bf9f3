//! Checkpoints: the topics of all tokens after a pass.
//!
//! All else follows from them, the matrix and the options: random numbers depend on the seed, the pass
//! and the block only. A resumed run therefore ends with the same model as one that never stopped.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `zgramLDA` |
//! | 4 | version: 1 |
//! | 4 | number of topics |
//! | 8, 8 | alpha and beta, as 64-bit floating-point numbers |
//! | 8 | seed |
//! | 8 | passes done |
//! | 8 | fingerprint of the corpus and vocabulary |
//! | 8 | number of tokens |
//! | 2 each | topic of each token, in the order of the grid |
//! | 8 | XXH3 of all bytes before |

use super::options::SPARSE_FROM;
use super::{Lda, LdaError, LdaOptions};
use std::io::{Read, Write};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};
use zgram::analytics::{Matrix, Terms};

const MAGIC: &[u8; 8] = b"zgramLDA";
const VERSION: u32 = 1;
const HEADER: usize = 64;
const CHECKSUM: usize = 8;

/// What tells one matrix, with its words and documents, from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a matrix, its columns' words and its rows' names.
    #[must_use]
    pub fn new<'n>(
        matrix: &Matrix<u64>,
        words: &'n Terms,
        names: impl IntoIterator<Item = &'n [u8]>,
    ) -> Self {
        let mut hash = Xxh3Default::new();
        let mut add = |numbers: &mut dyn Iterator<Item = u64>| {
            numbers.for_each(|number| hash.update(&number.to_le_bytes()));
        };
        add(&mut [matrix.width as u64, matrix.rows() as u64].into_iter());
        add(&mut matrix.row_starts.iter().copied());
        add(&mut matrix.columns.iter().map(|&column| u64::from(column)));
        add(&mut matrix.values.iter().copied());
        for text in words.iter().chain(names) {
            hash.update(&(text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        Self(hash.digest())
    }
}

impl Lda {
    /// Writes all that [`resume`](Self::resume) needs.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_checkpoint(
        &self,
        fingerprint: Fingerprint,
        out: &mut dyn Write,
    ) -> Result<(), LdaError> {
        let mut hash = Xxh3Default::new();
        let mut write = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        write(&self.header(fingerprint))?;
        let mut bytes = Vec::new();
        for block in &self.grid.blocks {
            bytes.clear();
            bytes.extend(block.topics.iter().flat_map(|topic| topic.to_le_bytes()));
            write(&bytes)?;
        }
        out.write_all(&hash.digest().to_le_bytes())?;
        Ok(())
    }

    fn header(&self, fingerprint: Fingerprint) -> [u8; HEADER] {
        let options = &self.options;
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&(options.topics as u32).to_le_bytes());
        let numbers = [
            options.alpha.to_bits(),
            options.beta.to_bits(),
            options.seed,
            self.iterations,
            fingerprint.0,
            self.tokens(),
        ];
        for (place, number) in header[16..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        header
    }

    /// Goes on from a checkpoint. The matrix and the options must be those that it was made with; the
    /// number of threads and the memory may differ.
    ///
    /// # Errors
    /// When the checkpoint is damaged or of another run, `input` fails, or the options are not
    /// possible.
    pub fn resume(
        matrix: &Matrix<u64>,
        options: &LdaOptions,
        fingerprint: Fingerprint,
        input: &mut dyn Read,
    ) -> Result<Self, LdaError> {
        let mut lda = Self::empty(matrix, options, None, SPARSE_FROM)?;
        let len = HEADER + 2 * lda.tokens() as usize + CHECKSUM;
        let mut bytes = Vec::new();
        // One byte more shows whether the file is too long.
        input.take(len as u64 + 1).read_to_end(&mut bytes)?;
        let bad = |reason| LdaError::BadCheckpoint { reason };
        if bytes.len() < HEADER + CHECKSUM || !bytes.starts_with(MAGIC) {
            return Err(bad("it does not begin as checkpoints do"));
        }
        if bytes[8..12] != VERSION.to_le_bytes() {
            return Err(bad("it was written by another version of zgram"));
        }
        lda.iterations = number(&bytes, 40);
        compare(&bytes, &lda.header(fingerprint), options)?;
        if bytes.len() != len {
            return Err(bad("it is too short or too long"));
        }
        let (body, checksum) = bytes.split_at(len - CHECKSUM);
        if xxh3_64(body).to_le_bytes() != checksum {
            return Err(bad("its checksum does not match"));
        }
        let mut topics =
            body[HEADER..].chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]]));
        for topic in lda.grid.blocks.iter_mut().flat_map(|block| &mut block.topics) {
            *topic = topics.next().expect("the length was checked");
            if usize::from(*topic) >= options.topics {
                return Err(bad("it has a topic that is out of range"));
            }
        }
        lda.count();
        Ok(lda)
    }
}

/// Refuses a checkpoint whose header is not as expected.
fn compare(stored: &[u8], expected: &[u8; HEADER], options: &LdaOptions) -> Result<(), LdaError> {
    let other =
        |what, stored: String, given: String| Err(LdaError::OtherRun { what, stored, given });
    if stored[12..16] != expected[12..16] {
        let topics = number(&stored[12..], 0) as u32;
        return other("the number of topics", topics.to_string(), options.topics.to_string());
    }
    for (what, at, given) in [("alpha", 16, options.alpha), ("beta", 24, options.beta)] {
        if stored[at..at + 8] != expected[at..at + 8] {
            let stored = f64::from_bits(number(stored, at));
            return other(what, stored.to_string(), given.to_string());
        }
    }
    if number(stored, 32) != options.seed {
        return other("the seed", number(stored, 32).to_string(), options.seed.to_string());
    }
    if stored[48..HEADER] != expected[48..HEADER] {
        return Err(LdaError::OtherMatrix);
    }
    Ok(())
}

/// Eight bytes at a place, as a number.
fn number(bytes: &[u8], at: usize) -> u64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(eight)
}
