//! The text itself, and random queries on it.

use anyhow::Result;
use rustc_hash::FxHashSet;
use std::path::Path;
use zgram::Corpus;
use zgram::plumbing::Splitter;

/// All documents in memory: the oracle, and the input of the rivals.
pub(super) struct Texts {
    pub(super) documents: Vec<Vec<u8>>,
    /// Bytes before each document, and all.
    starts: Vec<u64>,
}

impl Texts {
    pub(super) fn read(corpus: &Path) -> Result<Self> {
        let corpus = Corpus::open(corpus)?;
        let mut all = Vec::new();
        let numbers: Vec<usize> = (0..corpus.documents()?.len()).collect();
        corpus.write_documents(&numbers, &mut all)?;
        let (mut documents, mut starts) = (Vec::new(), vec![0]);
        let mut rest = &all[..];
        for (_, size) in corpus.documents()?.iter() {
            let (document, after) = rest.split_at(size as usize);
            documents.push(document.to_vec());
            starts.push(starts[starts.len() - 1] + size);
            rest = after;
        }
        Ok(Self { documents, starts })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// A document and an offset in it; every byte of the corpus is equally likely.
    pub(super) fn place(&self, random: &mut Random) -> (usize, u64) {
        let at = random.next() % self.bytes().max(1);
        let document = self.starts.partition_point(|&start| start <= at) - 1;
        (document, at - self.starts[document])
    }

    /// Documents, and a word drawn from the vocabulary of each.
    pub(super) fn words(&self, count: usize, random: &mut Random) -> Vec<(usize, Vec<u8>)> {
        // Vocabularies take a while: several words are drawn from each.
        let mut words = Vec::new();
        while words.len() < count {
            let (document, _) = self.place(random);
            let mut seen = FxHashSet::default();
            let mut distinct = Vec::new();
            Splitter::default().finish(&self.documents[document], |class, bytes| {
                if class.is_word() && bytes.len() < 100 && seen.insert(bytes) {
                    distinct.push(bytes);
                }
            });
            for _ in 0..distinct.len().min(20) {
                let word = distinct[(random.next() % distinct.len() as u64) as usize];
                words.push((document, word.to_vec()));
            }
        }
        words
    }
}

/// SplitMix64: the same queries in every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}
