//! The section PHRS: an index as bytes, and opened from a file without reading all of it.
//!
//! A root has all sizes, the codes of pages, and where every other part is. Each part has a checksum of
//! its own, so that a question reads and checks only the parts that it needs. `docs/format.md` has the
//! bytes.

use super::BuildError;
use super::build::{Sorted, rank_bits};
use super::cells::{Cells, Kind, SUM, Stored, checksum};
use super::gaps::{Counts, PageDecoder, PageEncoder, PageForm};
use super::index::{PART_BITS, SegmentIndex, Shape};
use super::page::{Page, Run, each_page};
use super::parts::{
    SampleChunk, WordChunk, documents, documents_to_bytes, put_numbers, take_numbers,
};
use super::sequence::{BLOCK, block_bits};
use super::text::MOST_SYMBOLS;
use crate::format::bytes::{ByteReader, put_varint};
use crate::format::container::Container;
use crate::format::layer::{Layer, put_stream, take_stream};
use crate::format::{ContainerError, Malformed, Section};
use crate::grammar::Grammar;
use std::sync::Arc;

/// The version of the section.
const VERSION: u8 = 1;

/// Set in the flags if pages have runs.
const AS_RUNS: u8 = 1;

/// Entries of a page with one entry a run, as a power of two; and limits for pages with runs.
const PAGE_BITS: u32 = 12;
const MOST_PAGE_BITS: u32 = 20;

/// Entries for each sample, as a power of two, and the limit of a file.
const SAMPLE_BITS: u32 = 6;
const MOST_SAMPLE_BITS: u32 = 12;

/// Most words of a segment whose index is built in memory.
const MOST_BUILT: u64 = 1 << 28;

/// Bytes read first: most roots are shorter.
const FIRST_READ: usize = 1 << 16;

/// The bytes of the length of the root.
const LEN: usize = 4;

/// What decides how entries are stored.
struct Plan {
    shape: Shape,
    sorted: Sorted,
}

impl Plan {
    fn new(grammar: &Grammar, first_word: u32) -> Result<Self, BuildError> {
        let sorted = Sorted::new(grammar, first_word)?;
        let entries = sorted.next.len() as u32;
        let sizes = Sizes::of(sorted.keys());
        // Searching among runs takes longer, so they must save some space.
        let as_runs = sizes.as_runs < sizes.one_by_one / 10 * 9;
        let length = u64::from(entries).checked_div(sizes.runs).unwrap_or(1).max(1).ilog2();
        let (page_bits, sample_bits) = match as_runs {
            true => ((PAGE_BITS + length).min(MOST_PAGE_BITS), SAMPLE_BITS + (length / 2).min(2)),
            false => (PAGE_BITS, SAMPLE_BITS),
        };
        let shape = Shape {
            documents: sorted.documents(),
            entries,
            words: sorted.counts.len() as u32,
            first: sorted.first(),
            page_bits,
            sample_bits,
            form: PageForm { rank_bits: sorted.rank_bits(), as_runs },
        };
        Ok(Self { shape, sorted })
    }

    fn each_page<E>(&self, take: impl FnMut(&[Run]) -> Result<(), E>) -> Result<(), E> {
        let Shape { page_bits, form, .. } = self.shape;
        each_page(self.sorted.keys(), 1 << page_bits, form.as_runs, take)
    }

    /// Entries, and distinct words, before each part of the words.
    fn word_bases(&self) -> Vec<(u32, u32)> {
        let mut base = (0, 0);
        let parts = self.sorted.counts.chunks(1 << PART_BITS).map(|counts| {
            let before = base;
            base.0 += counts.iter().sum::<u32>();
            base.1 += counts.iter().filter(|&&count| count > 0).count() as u32;
            before
        });
        parts.collect()
    }
}

/// How many bits of memory the keys take in either form, and how many runs there are.
struct Sizes {
    one_by_one: u64,
    as_runs: u64,
    runs: u64,
}

impl Sizes {
    fn of(keys: impl Iterator<Item = u64>) -> Self {
        let mut sizes = Self { one_by_one: 0, as_runs: 0, runs: 0 };
        // The first keys of the present blocks, and the first entry of the one of runs.
        let (mut single, mut run, mut start) = (0, 0, 0);
        let mut last = None;
        for (entry, key) in (0u64..).zip(keys) {
            let before = last.unwrap_or(key);
            if entry % BLOCK as u64 == 0 {
                sizes.one_by_one += 64 + block_bits(BLOCK, before.saturating_sub(single));
                single = key;
            }
            if last.is_none_or(|last| last + 1 != key) {
                if sizes.runs.is_multiple_of(BLOCK as u64) {
                    let keys = block_bits(BLOCK, before.saturating_sub(run));
                    sizes.as_runs += 128 + keys + block_bits(BLOCK, entry - start);
                    (run, start) = (key, entry);
                }
                sizes.runs += 1;
            }
            last = Some(key);
        }
        sizes
    }
}

/// Builds the index of a segment, as a section.
pub(crate) fn encode(grammar: &Grammar, first_word: u32) -> Result<Vec<u8>, BuildError> {
    let plan = Plan::new(grammar, first_word)?;
    let Plan { shape, sorted } = &plan;
    let mut counts = Counts::new();
    plan.each_page::<BuildError>(|runs| {
        counts.add(runs, shape.form);
        Ok(())
    })?;
    let code_lengths = counts.code_lengths();
    let mut body = Body::default();

    let bases = plan.word_bases();
    let ends = bases.iter().skip(1).copied().chain([(shape.entries, 0)]);
    let mut words = Vec::new();
    for (part, (counts, end)) in sorted.counts.chunks(1 << PART_BITS).zip(ends).enumerate() {
        let len = body.put(Kind::Words, part, &WordChunk::to_bytes(counts));
        let distinct = counts.iter().filter(|&&count| count > 0).count() as u64;
        words.extend([len, u64::from(end.0 - bases[part].0), distinct]);
    }
    let mut places = Vec::new();
    for (part, starts) in sorted.starts.chunks(1 << PART_BITS).enumerate() {
        let end = sorted.starts.get((part + 1) << PART_BITS).copied();
        let end = end.unwrap_or(shape.suffixes() as u32);
        let len = body.put(Kind::Documents, part, &documents_to_bytes(starts, end));
        places.extend([len, u64::from(end - starts[0])]);
    }
    let (mut encoder, mut pages, mut last) = (PageEncoder::new(&code_lengths), Vec::new(), 0);
    plan.each_page::<BuildError>(|runs| {
        let len = body.put(Kind::Pages, pages.len() / 2, &encoder.encode(runs, shape.form));
        pages.extend([len, runs[0].key - last]);
        last = runs[0].key;
        Ok(())
    })?;
    let (samples, extra) = sorted.samples(1 << shape.sample_bits);
    let mut sample_lens = Vec::new();
    for (part, places) in samples.chunks(1 << PART_BITS).enumerate() {
        let bytes = SampleChunk::to_bytes(places, shape.form.rank_bits);
        sample_lens.push(body.put(Kind::Samples, part, &bytes));
    }

    let mut root = vec![VERSION, if shape.form.as_runs { AS_RUNS } else { 0 }];
    root.extend([shape.page_bits as u8, shape.sample_bits as u8]);
    for number in [shape.documents, shape.entries, shape.words, shape.first, extra.len() as u32] {
        put_varint(&mut root, number.into());
    }
    for numbers in [words, places, pages, sample_lens] {
        put_numbers(&mut root, numbers.into_iter());
    }
    put_numbers(&mut root, extra.iter().flat_map(|&(entry, place)| [entry.into(), place.into()]));
    put_stream(&mut root, Layer::Zstd, &code_lengths);

    let mut out = (root.len() as u32).to_le_bytes().to_vec();
    out.extend_from_slice(&root);
    out.extend(checksum(Kind::Root, root.len(), &root).to_le_bytes());
    out.extend_from_slice(&body.bytes);
    Ok(out)
}

/// Parts back to back, each with its checksum.
#[derive(Default)]
struct Body {
    bytes: Vec<u8>,
}

impl Body {
    /// Appends a part and returns its length.
    fn put(&mut self, kind: Kind, number: usize, part: &[u8]) -> u64 {
        self.bytes.extend_from_slice(part);
        self.bytes.extend(checksum(kind, number, part).to_le_bytes());
        part.len() as u64
    }
}

impl SegmentIndex {
    /// Builds the index of a segment in memory. Tokens below `first_word` are separators. Refuses more
    /// words than fit into a few gigabytes: a small file may expand to very many.
    pub(crate) fn build(grammar: &Grammar, first_word: u32) -> Result<Self, BuildError> {
        let counts = grammar.uses();
        let counts = &counts[first_word as usize..grammar.tokens() as usize];
        if counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count)) > MOST_BUILT {
            return Err(BuildError::TooManyWords { most: MOST_BUILT });
        }
        let plan = Plan::new(grammar, first_word)?;
        let Plan { shape, sorted } = &plan;
        let (mut first_keys, mut pages) = (Vec::new(), Vec::new());
        plan.each_page::<BuildError>(|runs| {
            first_keys.push(runs[0].key);
            pages.push(Page::new(runs, shape.form.as_runs));
            Ok(())
        })?;
        let (samples, extra) = sorted.samples(1 << shape.sample_bits);
        let width = shape.form.rank_bits;
        let samples = samples.chunks(1 << PART_BITS).map(|places| SampleChunk::new(places, width));
        let words = sorted.counts.chunks(1 << PART_BITS).map(WordChunk::new).collect();
        let starts = sorted.starts.chunks(1 << PART_BITS);
        Ok(Self {
            shape: *shape,
            word_bases: plan.word_bases(),
            words: Cells::built(Kind::Words, words),
            document_bases: starts.clone().map(|starts| starts[0]).collect(),
            documents: Cells::built(Kind::Documents, starts.map(documents).collect()),
            first_keys,
            pages: Cells::built(Kind::Pages, pages),
            samples: Cells::built(Kind::Samples, samples.collect()),
            extra,
            stored: None,
        })
    }

    /// Opens the index in a section, and reads only its root.
    pub(crate) fn open(
        container: &Arc<Container>,
        section: Section,
    ) -> Result<Self, ContainerError> {
        let stored = Stored { container: Arc::clone(container), section };
        let mut bytes = stored.read(0, (FIRST_READ as u64).min(section.len) as usize)?;
        let malformed = |what: String| stored.malformed(0, Malformed::at(0, what));
        let Some(len) = bytes.first_chunk().map(|&len| u32::from_le_bytes(len) as usize) else {
            return Err(malformed("it has no root".into()));
        };
        let end = LEN + len + SUM;
        if end as u64 > section.len {
            return Err(malformed(format!("a root of {len} bytes does not fit the section")));
        }
        if end > bytes.len() {
            bytes = stored.read(0, end)?;
        }
        let (root, sum) = bytes[LEN..end].split_at(len);
        if checksum(Kind::Root, len, root).to_le_bytes() != sum {
            return Err(malformed("the checksum of its root is wrong".into()));
        }
        let mut at = end as u64;
        let parsed = parse_root(root, section.len, &mut at);
        let (index, codes) = parsed.map_err(|error| stored.malformed(LEN as u64, error))?;
        if at != section.len {
            return Err(malformed(format!("its parts end at byte {at}, not {}", section.len)));
        }
        Ok(Self { stored: Some((stored, codes)), ..index })
    }
}

/// A section with its checksums made right, as far as its root can be decoded: for tests of what lies
/// behind them.
#[must_use]
pub fn with_right_phrase_checksums(mut section: Vec<u8>) -> Vec<u8> {
    let Some(&len) = section.first_chunk() else { return section };
    let len = u32::from_le_bytes(len) as usize;
    let end = LEN.saturating_add(len).saturating_add(SUM);
    if end > section.len() {
        return section;
    }
    let sum = checksum(Kind::Root, len, &section[LEN..LEN + len]);
    section[LEN + len..end].copy_from_slice(&sum.to_le_bytes());
    let mut at = end as u64;
    let room = section.len() as u64;
    let Ok((index, _)) = parse_root(&section[LEN..LEN + len], room, &mut at) else {
        return section;
    };
    let SegmentIndex { words, documents, pages, samples, .. } = &index;
    let parts = words.places().chain(documents.places());
    for (kind, number, start, len) in parts.chain(pages.places()).chain(samples.places()) {
        if start.saturating_add(u64::from(len) + SUM as u64) > section.len() as u64 {
            return section;
        }
        let (start, end) = (start as usize, start as usize + len as usize);
        let sum = checksum(kind, number, &section[start..end]);
        section[end..end + SUM].copy_from_slice(&sum.to_le_bytes());
    }
    section
}

/// Decodes the root of a section: the index without its file, and the codes of its pages. `at` is where the first part
/// is, and becomes the end of the last one.
fn parse_root(
    bytes: &[u8],
    section_len: u64,
    at: &mut u64,
) -> Result<(SegmentIndex, PageDecoder), Malformed> {
    let mut reader = ByteReader::new(bytes);
    let [version, flags, page_bits, sample_bits] = [(); 4].map(|()| reader.u8());
    if version? != VERSION || flags.clone()? > AS_RUNS {
        return reader.malformed("written by a newer version; upgrade zgram");
    }
    let (page_bits, sample_bits) = (u32::from(page_bits?), u32::from(sample_bits?));
    if !(PAGE_BITS..=MOST_PAGE_BITS).contains(&page_bits) || sample_bits > MOST_SAMPLE_BITS {
        return reader.malformed("its pages or samples are too large");
    }
    let [documents, entries, words, first, extra] =
        [(); 5].map(|()| reader.varint_at_most(MOST_SYMBOLS, "number"));
    let (documents, entries) = (documents? as u32, entries? as u32);
    let suffixes = u64::from(documents) + u64::from(entries);
    let shape = Shape {
        documents,
        entries,
        words: words? as u32,
        first: first? as u32,
        page_bits,
        sample_bits,
        form: PageForm { rank_bits: rank_bits(suffixes), as_runs: flags? == AS_RUNS },
    };
    let is_sound = suffixes <= MOST_SYMBOLS
        && (u64::from(shape.first) < suffixes || suffixes == 0)
        && (documents > 0 || entries == 0);
    if !is_sound {
        return reader.malformed("its sizes contradict each other");
    }
    let parts = [
        Shape::parts(shape.words, PART_BITS),
        Shape::parts(documents, PART_BITS),
        Shape::parts(entries, page_bits),
        Shape::parts(shape.samples(), PART_BITS),
    ];
    if (SUM * parts.iter().sum::<usize>()) as u64 > section_len {
        return reader.malformed("its parts do not fit the section");
    }
    let words = take_numbers(&mut reader, 3 * parts[0])?;
    let places = take_numbers(&mut reader, 2 * parts[1])?;
    let pages = take_numbers(&mut reader, 2 * parts[2])?;
    let samples = take_numbers(&mut reader, parts[3])?;
    let extra = take_numbers(&mut reader, 2 * extra? as usize)?;
    let codes = PageDecoder::new(&take_stream(&mut reader)?)?;
    reader.expect_end()?;

    let bad = |what: &str| Malformed::at(0, what);
    let word_bases = bases(words.chunks(3).map(|part| (part[1], part[2])));
    let (word_bases, all) = word_bases.ok_or_else(|| bad("too many words"))?;
    if all.0 != entries {
        return Err(bad("the words are too many or too few"));
    }
    let document_bases = bases(places.chunks(2).map(|part| (part[1], 0)));
    let (document_bases, all) = document_bases.ok_or_else(|| bad("too many documents"))?;
    if u64::from(all.0) != suffixes {
        return Err(bad("the documents are too many or too few"));
    }
    let limit = u64::from(shape.words) << shape.form.rank_bits;
    let mut first_keys: Vec<u64> = Vec::with_capacity(pages.len() / 2);
    for page in pages.chunks(2) {
        let last = first_keys.last().copied();
        let key = last.unwrap_or(0).checked_add(page[1]).filter(|&key| key < limit);
        let key = key.filter(|&key| last.is_none_or(|last| last < key));
        first_keys.push(key.ok_or_else(|| bad("keys of pages do not rise"))?);
    }
    let extra: Vec<(u32, u32)> = extra
        .chunks(2)
        .map(|pair| {
            let fits = pair[0] < u64::from(entries) && pair[1] < suffixes;
            fits.then_some((pair[0] as u32, pair[1] as u32))
        })
        .collect::<Option<_>>()
        .filter(|extra: &Vec<(u32, u32)>| extra.is_sorted_by(|a, b| a.0 < b.0))
        .ok_or_else(|| bad("places are not in order"))?;
    let lens = |numbers: &[u64], each: usize| -> Result<Vec<u32>, Malformed> {
        let lens = numbers.iter().step_by(each).map(|&len| u32::try_from(len));
        lens.collect::<Result<_, _>>().map_err(|_| bad("a part is too long"))
    };
    let index = SegmentIndex {
        shape,
        words: Cells::stored(Kind::Words, &lens(&words, 3)?, at),
        documents: Cells::stored(Kind::Documents, &lens(&places, 2)?, at),
        pages: Cells::stored(Kind::Pages, &lens(&pages, 2)?, at),
        samples: Cells::stored(Kind::Samples, &lens(&samples, 1)?, at),
        word_bases,
        document_bases: document_bases.into_iter().map(|base| base.0).collect(),
        first_keys,
        extra,
        stored: None,
    };
    Ok((index, codes))
}

/// Sums of two kinds.
type Sums = (u32, u32);

/// The sums before each pair, and the sum of all; `None` if one is too large.
fn bases(parts: impl Iterator<Item = (u64, u64)>) -> Option<(Vec<Sums>, Sums)> {
    let mut sum = (0u64, 0u64);
    let mut bases = Vec::new();
    for part in parts {
        bases.push((sum.0 as u32, sum.1 as u32));
        sum = (sum.0.checked_add(part.0)?, sum.1.checked_add(part.1)?);
        if sum.0.max(sum.1) > MOST_SYMBOLS {
            return None;
        }
    }
    Some((bases, (sum.0 as u32, sum.1 as u32)))
}
