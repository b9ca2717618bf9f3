//! The keys of a page as bytes: steps between keys, coded by how large the last ones were.
//!
//! In the list of one word, ψ rises by steps that are of similar size near each other. A step is a
//! *class* (its size in half octaves), coded with a prefix code chosen by the classes before, and plain
//! bits. The first entry of the next word is a class of its own, with ψ in plain bits. All pages of a
//! segment share their codes, and each page can be decoded alone.

use super::bits::{BitReader, BitWriter};
use super::page::Run;
use super::prefix_code::{Decoder, Encoder, code_lengths};
use crate::format::Malformed;

/// Classes of numbers: 0 to 3 themselves, then two to an octave, below two to the power of 31.
const NUMBERS: usize = 62;

/// The class of the first entry of the next word.
const NEXT_WORD: usize = NUMBERS;

/// Classes of steps.
const CLASSES: usize = NUMBERS + 1;

/// Prefix codes of steps, and of lengths of runs.
const STEP_CODES: usize = 64;
const LENGTH_CODES: usize = 32;

fn class_of(number: u64) -> usize {
    match number {
        0..4 => number as usize,
        _ => {
            let octave = number.ilog2();
            2 * octave as usize + (number >> (octave - 1) & 1) as usize
        }
    }
}

/// The first number of a class, and the plain bits that follow it.
#[inline]
fn numbers_of(class: usize) -> (u64, u32) {
    match class {
        0..4 => (class as u64, 0),
        _ => {
            let bits = class as u32 / 2 - 1;
            ((2 | class as u64 & 1) << bits, bits)
        }
    }
}

/// Predicts classes from those before.
#[derive(Default)]
struct Context {
    /// A moving average of the classes of steps, in sixteenths.
    steps: u32,
    /// Whether the last entry was the first of its word.
    is_first: bool,
    /// The class of the last length.
    length: usize,
}

impl Context {
    #[inline]
    fn step_code(&self) -> usize {
        (self.steps / 32) as usize + if self.is_first { STEP_CODES / 2 } else { 0 }
    }

    #[inline]
    fn length_code(&self) -> usize {
        STEP_CODES + self.length / 2
    }

    #[inline]
    fn saw_step(&mut self, class: usize) {
        self.is_first = class == NEXT_WORD;
        if !self.is_first {
            self.steps = (3 * self.steps + 16 * class as u32) / 4;
        }
    }
}

/// Something that takes what a page is coded as: the number of a code, a class, and plain bits.
trait Sink {
    fn put(&mut self, code: usize, class: usize, bits: u64, width: u32);
}

/// What all pages of a segment have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageForm {
    /// The bits of ψ in a key.
    pub(super) rank_bits: u32,
    /// Whether lengths of runs are stored; otherwise each run has one entry.
    pub(super) as_runs: bool,
}

fn code_page(runs: &[Run], form: PageForm, sink: &mut impl Sink) {
    let mut context = Context { is_first: true, ..Context::default() };
    let put_length = |context: &mut Context, run: &Run, sink: &mut _| {
        if form.as_runs {
            let number = u64::from(run.len - 1);
            let class = class_of(number);
            let (first, width) = numbers_of(class);
            Sink::put(sink, context.length_code(), class, number - first, width);
            context.length = class;
        }
    };
    if let Some(first) = runs.first() {
        put_length(&mut context, first, sink);
    }
    for pair in runs.windows(2) {
        let [last, run] = pair else { unreachable!("windows of two") };
        let (step, class);
        if last.key >> form.rank_bits == run.key >> form.rank_bits {
            step = run.key - last.key - u64::from(last.len);
            class = class_of(step);
            let (first, width) = numbers_of(class);
            sink.put(context.step_code(), class, step - first, width);
        } else {
            class = NEXT_WORD;
            let next = run.key & ((1 << form.rank_bits) - 1);
            sink.put(context.step_code(), class, next, form.rank_bits);
        }
        context.saw_step(class);
        put_length(&mut context, run, sink);
    }
}

/// Counts classes, to find good codes.
pub(super) struct Counts {
    classes: Vec<[u64; CLASSES]>,
}

impl Sink for Counts {
    fn put(&mut self, code: usize, class: usize, _: u64, _: u32) {
        self.classes[code][class] += 1;
    }
}

impl Counts {
    pub(super) fn new() -> Self {
        Self { classes: vec![[0; CLASSES]; STEP_CODES + LENGTH_CODES] }
    }

    pub(super) fn add(&mut self, runs: &[Run], form: PageForm) {
        code_page(runs, form, self);
    }

    /// The lengths of all codes, one after the other.
    pub(super) fn code_lengths(&self) -> Vec<u8> {
        self.classes.iter().flat_map(|counts| code_lengths(counts)).collect()
    }
}

/// Writes pages.
pub(super) struct PageEncoder {
    codes: Vec<Encoder>,
    out: BitWriter,
}

impl Sink for PageEncoder {
    fn put(&mut self, code: usize, class: usize, bits: u64, width: u32) {
        self.codes[code].put(class, &mut self.out);
        self.out.put(bits, width);
    }
}

impl PageEncoder {
    pub(super) fn new(code_lengths: &[u8]) -> Self {
        let codes = code_lengths.chunks(CLASSES).map(Encoder::new).collect();
        Self { codes, out: BitWriter::default() }
    }

    /// A page as bytes. The first key is stored elsewhere.
    pub(super) fn encode(&mut self, runs: &[Run], form: PageForm) -> Vec<u8> {
        code_page(runs, form, self);
        std::mem::take(&mut self.out).to_bytes()
    }
}

/// Reads pages.
pub(super) struct PageDecoder {
    codes: Vec<Decoder>,
}

impl PageDecoder {
    /// Bytes of the lengths of all codes.
    pub(super) const LENGTHS: usize = CLASSES * (STEP_CODES + LENGTH_CODES);

    pub(super) fn new(code_lengths: &[u8]) -> Result<Self, Malformed> {
        if code_lengths.len() != Self::LENGTHS {
            return Err(Malformed::at(0, "codes are missing"));
        }
        let codes = code_lengths.chunks(CLASSES).map(Decoder::new).collect::<Result<_, _>>()?;
        Ok(Self { codes })
    }

    /// Decodes a page of `entries` entries. Keys rise strictly, ψ is below `suffixes`, and the runs have
    /// exactly these entries.
    pub(super) fn decode(
        &self,
        bytes: &[u8],
        first: u64,
        entries: u32,
        suffixes: u64,
        form: PageForm,
    ) -> Result<Vec<Run>, Malformed> {
        let mask = (1u64 << form.rank_bits) - 1;
        let bad = |what: &str| Malformed::at(bytes.len(), what);
        let mut bits = BitReader::new(bytes);
        let mut context = Context { is_first: true, ..Context::default() };
        // A run takes at least a bit, so a short page cannot ask for much memory.
        let most = (entries as usize).min(8 * bytes.len() + 1);
        let mut runs: Vec<Run> = Vec::with_capacity(most);
        let (mut key, mut left) = (first, entries);
        loop {
            let mut len = 1;
            if form.as_runs {
                bits.refill();
                let class = self.codes[context.length_code()].take(&mut bits);
                let class = class.filter(|&class| class < NUMBERS);
                let class = class.ok_or_else(|| bad("a length is no code"))?;
                let (start, width) = numbers_of(class);
                context.length = class;
                let more = start + bits.take(width);
                let fits = u32::try_from(more + 1).ok().filter(|&len| len <= left);
                len = fits.ok_or_else(|| bad("a run is longer than its page"))?;
            }
            left = left.checked_sub(len).ok_or_else(|| bad("no entries"))?;
            if (key & mask) + u64::from(len) > suffixes {
                return Err(bad("a rank is too high"));
            }
            runs.push(Run { key, len });
            if left == 0 {
                break;
            }
            if runs.len() == most {
                return Err(bad("too few bytes"));
            }
            bits.refill();
            let class = self.codes[context.step_code()].take(&mut bits);
            let class = class.ok_or_else(|| bad("a step is no code"))?;
            context.saw_step(class);
            if class == NEXT_WORD {
                key = ((key >> form.rank_bits) + 1) << form.rank_bits | bits.take(form.rank_bits);
            } else {
                let (start, width) = numbers_of(class);
                let word = key >> form.rank_bits;
                key += u64::from(len) + start + bits.take(width);
                if key >> form.rank_bits != word {
                    return Err(bad("a rank is too high"));
                }
            }
        }
        if bits.is_at_end() { Ok(runs) } else { Err(bad("bytes are left over")) }
    }
}
