//! Co-occurrences as Stanford's GloVe counts them: the rival of `zgram cooccurrence`.
//!
//! The steps are those of its `vocab_count` and `cooccur` (version 1.2): words are hashed; pairs of
//! frequent words are added to a dense table, all others are written down as records; full buffers of
//! records are sorted and stored as runs; and the table and all runs are merged in the end.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// What to count.
#[derive(Clone, Copy, Debug)]
pub struct Glove {
    /// The largest distance between the words of a pair.
    pub window: usize,
    /// Whether the right neighbours count too.
    pub symmetric: bool,
    /// The fewest occurrences of a word.
    pub min_count: u64,
    /// Memory for the table and the records, in bytes; GloVe's default is 4 GiB.
    pub memory: u64,
}

/// A cell: two words, numbered from 1, and the sum of their weights.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Record {
    words: (u32, u32),
    sum: f64,
}

const RECORD: usize = 16;

impl Record {
    fn to_bytes(self) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..4].copy_from_slice(&self.words.0.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.words.1.to_le_bytes());
        bytes[8..].copy_from_slice(&self.sum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: [u8; RECORD]) -> Self {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
        let sum = f64::from_le_bytes(bytes[8..].try_into().expect("eight bytes"));
        Self { words: (number(0), number(4)), sum }
    }
}

/// The dense table: a row of each word as far as the product of both ranks is small.
struct Table {
    most_product: u64,
    /// Where each word's row begins; the first word is number 1.
    starts: Vec<usize>,
    sums: Vec<f64>,
}

impl Table {
    fn new(words: u64, most_product: u64) -> Self {
        let mut starts = vec![0, 0];
        for word in 1..=words {
            let len = (most_product / word).min(words);
            starts.push(starts[word as usize] + len as usize);
        }
        Self { most_product, sums: vec![0.0; starts[words as usize + 1]], starts }
    }

    fn get(&mut self, first: u32, second: u32) -> Option<&mut f64> {
        let is_dense = u64::from(first) < self.most_product / u64::from(second);
        is_dense.then(|| &mut self.sums[self.starts[first as usize] + second as usize - 1])
    }

    fn records(&self) -> impl Iterator<Item = Record> {
        (1..self.starts.len() - 1).flat_map(|first| {
            let sums = &self.sums[self.starts[first]..self.starts[first + 1]];
            let record = move |(second, &sum)| Record { words: (first as u32, second), sum };
            (1..).zip(sums).filter(|(_, sum)| **sum != 0.0).map(record)
        })
    }
}

/// Takes one word after the other; `None` ends a line.
pub type Words<'w> = dyn FnMut(Option<&[u8]>) -> io::Result<()> + 'w;

/// Counts the words that `read` passes on, twice, into `folder/vocab.txt` and `folder/cooccurrence.bin`.
/// Returns the number of words and of cells.
///
/// # Errors
/// When the text cannot be read, or a file not be written or read back.
pub fn count(
    read: impl Fn(&mut Words<'_>) -> io::Result<()>,
    folder: &Path,
    glove: Glove,
) -> io::Result<(usize, u64)> {
    let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
    read(&mut |word| {
        let Some(word) = word else { return Ok(()) };
        match counts.get_mut(word) {
            Some(count) => *count += 1,
            None => drop(counts.insert(word.to_vec(), 1)),
        }
        Ok(())
    })?;
    let mut words: Vec<(Vec<u8>, u64)> =
        counts.into_iter().filter(|&(_, count)| count >= glove.min_count).collect();
    words.sort_unstable_by(|(a, some), (b, others)| others.cmp(some).then_with(|| a.cmp(b)));
    let mut vocabulary = BufWriter::new(File::create(folder.join("vocab.txt"))?);
    for (word, count) in &words {
        vocabulary.write_all(word)?;
        writeln!(vocabulary, " {count}")?;
    }
    vocabulary.flush()?;
    let numbers: HashMap<&[u8], u32> = words.iter().map(|(word, _)| &word[..]).zip(1..).collect();
    let mut runs = Runs::new(folder, glove, words.len() as u64);
    // The last words of the line; more are dropped now and then.
    let mut line: Vec<u32> = Vec::new();
    read(&mut |word| {
        let Some(word) = word else {
            line.clear();
            return Ok(());
        };
        let Some(&second) = numbers.get(word) else { return Ok(()) };
        for (&first, distance) in line.iter().rev().take(glove.window).zip(1u32..) {
            runs.add(first, second, 1.0 / f64::from(distance));
            if glove.symmetric {
                runs.add(second, first, 1.0 / f64::from(distance));
            }
        }
        if line.len() > 1 << 16 {
            line.drain(..line.len() - glove.window);
        }
        line.push(second);
        if runs.records.len() >= runs.most_records { runs.store() } else { Ok(()) }
    })?;
    Ok((words.len(), runs.merge(&folder.join("cooccurrence.bin"))?))
}

/// The table, the records in memory, and those in files.
struct Runs {
    folder: PathBuf,
    table: Table,
    records: Vec<Record>,
    most_records: usize,
    files: Vec<PathBuf>,
}

impl Runs {
    fn new(folder: &Path, glove: Glove, words: u64) -> Self {
        // As GloVe divides its memory: of n pairs in order of frequency, n (ln n + 0.154) are dense.
        let limit = (0.85 * glove.memory as f64 / RECORD as f64).max(64.0);
        let mut product = 1e5;
        for _ in 0..100 {
            product = limit / (f64::ln(product) + 0.154_431_329_8).max(1.0);
        }
        let most_records = (limit / 6.0) as usize;
        Self {
            folder: folder.to_owned(),
            table: Table::new(words, product as u64),
            records: Vec::new(),
            most_records,
            files: Vec::new(),
        }
    }

    #[inline]
    fn add(&mut self, first: u32, second: u32, weight: f64) {
        match self.table.get(first, second) {
            Some(sum) => *sum += weight,
            None => self.records.push(Record { words: (first, second), sum: weight }),
        }
    }

    /// Stores the records in memory as a run.
    fn store(&mut self) -> io::Result<()> {
        self.records.sort_unstable_by_key(|record| record.words);
        self.records.dedup_by(|next, kept| {
            let is_same = next.words == kept.words;
            if is_same {
                kept.sum += next.sum;
            }
            is_same
        });
        let records = std::mem::take(&mut self.records);
        self.write_run(records.iter().copied())?;
        self.records = records;
        self.records.clear();
        Ok(())
    }

    fn write_run(&mut self, records: impl Iterator<Item = Record>) -> io::Result<()> {
        let path = self.folder.join(format!("overflow_{:04}.bin", self.files.len()));
        let mut out = BufWriter::new(File::create(&path)?);
        self.files.push(path);
        for record in records {
            out.write_all(&record.to_bytes())?;
        }
        out.flush()
    }

    /// Merges all runs into `path` and removes them. Returns the number of cells.
    fn merge(mut self, path: &Path) -> io::Result<u64> {
        self.store()?;
        let table = std::mem::replace(&mut self.table, Table::new(0, 0));
        self.write_run(table.records())?;
        drop(table);
        let open = |path: &PathBuf| File::open(path).map(BufReader::new);
        let mut runs = self.files.iter().map(open).collect::<io::Result<Vec<_>>>()?;
        let mut next = BinaryHeap::new();
        for (run, reader) in runs.iter_mut().enumerate() {
            next.extend(read(reader)?.map(|record| Next { record, run }));
        }
        let mut out = BufWriter::new(File::create(path)?);
        let (mut cells, mut open) = (0, None::<Record>);
        while let Some(Next { record, run }) = next.pop() {
            next.extend(read(&mut runs[run])?.map(|record| Next { record, run }));
            match &mut open {
                Some(same) if same.words == record.words => same.sum += record.sum,
                _ => {
                    if let Some(done) = open.replace(record) {
                        out.write_all(&done.to_bytes())?;
                        cells += 1;
                    }
                }
            }
        }
        if let Some(done) = open {
            out.write_all(&done.to_bytes())?;
            cells += 1;
        }
        out.flush()?;
        self.files.iter().try_for_each(std::fs::remove_file)?;
        Ok(cells)
    }
}

/// The next record of a run; `None` at its end.
fn read(run: &mut BufReader<File>) -> io::Result<Option<Record>> {
    let mut bytes = [0; RECORD];
    match run.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Record::from_bytes(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// A record and its run. The smallest words come first.
struct Next {
    record: Record,
    run: usize,
}

impl Ord for Next {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |next: &Self| (next.record.words, next.run);
        key(other).cmp(&key(self))
    }
}

impl PartialOrd for Next {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next {}

#[cfg(test)]
mod tests {
    use super::*;
    use zgram_testkit::oracle::{CooccurrenceQuestion, Sides, cooccurrence};
    use zgram_testkit::{Document, Random};

    /// With any memory, that is, with any division into dense table and records, the cells are those of
    /// the oracle.
    #[test]
    fn cells_are_the_oracle_s() {
        let mut random = Random::new(3);
        let words = ["a", "b", "c", "d", "e", "f", "g"];
        let mut line = || -> String {
            // Small numbers are more frequent.
            let word = |_| words[random.below(7) * random.below(7) / 6];
            (0..40).map(word).collect::<Vec<_>>().join(" ")
        };
        let texts: Vec<String> = (0..20).map(|_| line()).collect();
        let documents: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| Document::new(format!("{number:02}"), text.as_str()))
            .collect();
        for (symmetric, memory) in [(true, 1 << 30), (true, 3000), (false, 3000), (true, 1)] {
            let folder = tempfile::tempdir().unwrap();
            let glove = Glove { window: 4, symmetric, min_count: 2, memory };
            let read = |take: &mut Words<'_>| {
                texts.iter().try_for_each(|text| {
                    text.split(' ').try_for_each(|word| take(Some(word.as_bytes())))?;
                    take(None)
                })
            };
            let (terms, cells) = count(read, folder.path(), glove).unwrap();
            // GloVe's first word is the one on the left.
            let sides = if symmetric { Sides::Both } else { Sides::Right };
            let asked =
                CooccurrenceQuestion { window: 4, min_count: 2, sides, ..Default::default() };
            let expected = cooccurrence(&documents, &asked);
            assert_eq!(terms, expected.terms.len());
            let rows = expected.rows.iter().enumerate();
            let expected: Vec<(u32, u32, f64)> = rows
                .flat_map(|(row, cells)| {
                    cells.iter().map(move |&(column, sum)| (row as u32 + 1, column + 1, sum))
                })
                .collect();
            let bytes = std::fs::read(folder.path().join("cooccurrence.bin")).unwrap();
            let found: Vec<Record> = bytes
                .chunks_exact(RECORD)
                .map(|bytes| Record::from_bytes(bytes.try_into().unwrap()))
                .collect();
            assert_eq!((found.len() as u64, found.len()), (cells, expected.len()));
            for (found, (first, second, sum)) in found.iter().zip(expected) {
                assert_eq!(found.words, (first, second));
                assert!((found.sum - sum).abs() < 1e-9);
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "no run stays");
        }
    }
}
