//! Compares the sets in which rules can keep their documents, as table 8 of the TADOC paper does:
//!
//! ```sh
//! cargo run --release -p zgram --example document_sets -- corpus.zgram
//! ```
//!
//! Every set runs the paper's algorithm 3 on the grammars of the corpus: documents enter the sets of the
//! symbols they begin with, rules hand their documents down, and at the end each word has its documents.
//! `zgram` itself uses the bitmap of two layers. Times are of one thread's processor.

use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use zgram::Corpus;
use zgram::plumbing::Grammar;

/// Documents of a rule or a word.
trait Set: Default + Clone {
    const NAME: &'static str;
    /// Adds a document that is not smaller than any in the set; all are below `documents`.
    fn push(&mut self, document: u32, documents: usize);
    fn unite(&mut self, other: &Self);
    fn len(&self) -> usize;
    fn bytes(&self) -> usize;
}

/// One bit per document.
#[derive(Default, Clone)]
struct OneLayer(Vec<u64>);

impl Set for OneLayer {
    const NAME: &'static str = "bitmap, one layer";

    fn push(&mut self, document: u32, documents: usize) {
        self.0.resize(documents.div_ceil(64), 0);
        self.0[document as usize / 64] |= 1 << (document % 64);
    }

    fn unite(&mut self, other: &Self) {
        if self.0.is_empty() {
            return self.0.clone_from(&other.0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(own, new)| *own |= new);
    }

    fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    fn bytes(&self) -> usize {
        8 * self.0.capacity()
    }
}

/// The paper's figure 8: pointers to bit vectors of `N` words, of which only those in use exist.
#[derive(Default, Clone)]
struct TwoLayers<const N: usize> {
    used: Vec<u64>,
    vectors: Vec<Option<Box<[u64; N]>>>,
}

impl<const N: usize> TwoLayers<N> {
    fn vector(&mut self, at: usize) -> &mut [u64; N] {
        self.used[at / 64] |= 1 << (at % 64);
        self.vectors[at].get_or_insert_with(|| Box::new([0; N]))
    }
}

impl<const N: usize> Set for TwoLayers<N> {
    const NAME: &'static str =
        if N == 1 { "bitmap, two layers (64)" } else { "bitmap, two layers (512)" };

    fn push(&mut self, document: u32, documents: usize) {
        let vectors = documents.div_ceil(64 * N);
        if self.vectors.is_empty() {
            self.vectors = vec![None; vectors];
            self.used = vec![0; vectors.div_ceil(64)];
        }
        let document = document as usize;
        self.vector(document / 64 / N)[document / 64 % N] |= 1 << (document % 64);
    }

    fn unite(&mut self, other: &Self) {
        if self.vectors.is_empty() {
            return self.clone_from(other);
        }
        for (word, &used) in other.used.iter().enumerate() {
            let mut left = used;
            while left != 0 {
                let at = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let Some(new) = &other.vectors[at] else { continue };
                self.vector(at).iter_mut().zip(new.iter()).for_each(|(own, new)| *own |= new);
            }
        }
    }

    fn len(&self) -> usize {
        let vectors = self.vectors.iter().flatten();
        vectors.flat_map(|vector| vector.iter()).map(|bits| bits.count_ones() as usize).sum()
    }

    fn bytes(&self) -> usize {
        let used = self.vectors.iter().flatten().count();
        8 * (self.used.capacity() + self.vectors.capacity() + N * used)
    }
}

/// What zgram uses: the first layer says where vectors are, so that none needs a pointer.
#[derive(Default, Clone)]
struct Packed {
    used: Vec<u64>,
    vectors: Vec<u64>,
}

impl Set for Packed {
    const NAME: &'static str = "bitmap, two layers, packed";

    fn push(&mut self, document: u32, documents: usize) {
        self.used.resize(documents.div_ceil(64 * 64), 0);
        let at = document as usize / 64;
        let (word, bit) = (&mut self.used[at / 64], 1 << (at % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.vectors.push(0);
        }
        *self.vectors.last_mut().expect("the vector of the document") |= 1 << (document % 64);
    }

    fn unite(&mut self, other: &Self) {
        if self.vectors.is_empty() {
            return self.clone_from(other);
        }
        let has_all = self.used.iter().zip(&other.used).all(|(own, new)| new & !own == 0);
        if !has_all {
            let mut vectors = Vec::with_capacity(self.vectors.len() + other.vectors.len());
            let mut own = self.vectors.iter();
            for (used, others) in self.used.iter_mut().zip(&other.used) {
                let mut left = *used | others;
                while left != 0 {
                    let is_own = *used & left & left.wrapping_neg() != 0;
                    vectors.push(if is_own { own.next().copied().unwrap_or(0) } else { 0 });
                    left &= left - 1;
                }
                *used |= others;
            }
            self.vectors = vectors;
        }
        let (mut own, mut new) = (0, 0);
        for (&used, &others) in self.used.iter().zip(&other.used) {
            let mut left = others;
            while left != 0 {
                let below = used & ((left & left.wrapping_neg()) - 1);
                self.vectors[own + below.count_ones() as usize] |= other.vectors[new];
                new += 1;
                left &= left - 1;
            }
            own += used.count_ones() as usize;
        }
    }

    fn len(&self) -> usize {
        self.vectors.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    fn bytes(&self) -> usize {
        8 * (self.used.capacity() + self.vectors.capacity())
    }
}

impl Set for BTreeSet<u32> {
    const NAME: &'static str = "tree (BTreeSet)";

    fn push(&mut self, document: u32, _: usize) {
        self.insert(document);
    }

    fn unite(&mut self, other: &Self) {
        self.extend(other);
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        // Nodes are between half full and full.
        6 * self.len()
    }
}

impl Set for FxHashSet<u32> {
    const NAME: &'static str = "hash set";

    fn push(&mut self, document: u32, _: usize) {
        self.insert(document);
    }

    fn unite(&mut self, other: &Self) {
        self.extend(other);
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        5 * self.capacity()
    }
}

/// A sorted list.
#[derive(Default, Clone)]
struct Sorted(Vec<u32>);

impl Set for Sorted {
    const NAME: &'static str = "sorted vector";

    fn push(&mut self, document: u32, _: usize) {
        self.0.push(document);
    }

    fn unite(&mut self, other: &Self) {
        let old = std::mem::take(&mut self.0);
        self.0.reserve(old.len() + other.0.len());
        let (mut own, mut new) = (old.iter().peekable(), other.0.iter().peekable());
        loop {
            self.0.push(match (own.peek(), new.peek()) {
                (None, None) => break,
                (Some(a), Some(b)) if a == b => {
                    own.next();
                    *new.next().expect("it was seen")
                }
                (Some(a), Some(b)) if a > b => *new.next().expect("it was seen"),
                (Some(_), _) => *own.next().expect("it was seen"),
                (None, Some(_)) => *new.next().expect("it was seen"),
            });
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        4 * self.0.capacity()
    }
}

/// A grammar whose rows have each symbol once, and no separators.
struct Rows {
    tokens: u32,
    documents: Vec<Vec<u32>>,
    rules: Vec<Vec<u32>>,
}

impl Rows {
    fn new(grammar: &Grammar, first_word: u32) -> Self {
        let distinct = |symbols: &[u32]| {
            let mut symbols: Vec<u32> =
                symbols.iter().copied().filter(|&symbol| symbol >= first_word).collect();
            symbols.sort_unstable();
            symbols.dedup();
            symbols
        };
        let documents = (0..grammar.doc_count()).map(|at| distinct(grammar.document(at)));
        let rules = (1..grammar.rule_count()).map(|at| distinct(grammar.rule(at)));
        let rules = std::iter::once(Vec::new()).chain(rules).collect();
        Self { tokens: grammar.tokens(), documents: documents.collect(), rules }
    }
}

/// Seconds that the processor has worked for this thread.
fn clock() -> f64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = times.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    first.unwrap_or(0.0) / 1e9
}

/// Runs algorithm 3 and prints how long its two phases took and how many bytes the sets had.
fn run<S: Set>(segments: &[Rows]) {
    let (mut begin, mut process) = (f64::MAX, f64::MAX);
    let (mut bytes, mut found) = (0, 0);
    for _ in 0..3 {
        let (mut begun, mut processed) = (0.0, 0.0);
        (bytes, found) = (0, 0);
        for rows in segments {
            let start = clock();
            let tokens = rows.tokens as usize;
            let mut sets: Vec<S> = vec![S::default(); tokens + rows.rules.len()];
            for (document, symbols) in (0..).zip(&rows.documents) {
                for &symbol in symbols {
                    sets[symbol as usize].push(document, rows.documents.len());
                }
            }
            let middle = clock();
            bytes = bytes.max(sets.iter().map(S::bytes).sum::<usize>());
            for (rule, symbols) in rows.rules.iter().enumerate() {
                let set = std::mem::take(&mut sets[tokens + rule]);
                symbols.iter().for_each(|&symbol| sets[symbol as usize].unite(&set));
            }
            found += sets[..tokens].iter().map(S::len).sum::<usize>();
            bytes = bytes.max(sets.iter().map(S::bytes).sum::<usize>());
            let end = clock();
            begun += middle - start;
            processed += end - middle;
        }
        begin = f64::min(begin, begun);
        process = f64::min(process, processed);
    }
    println!(
        "| {} | {begin:.3} | {process:.3} | {:.3} | {:.1} | {found} |",
        S::NAME,
        begin + process,
        bytes as f64 / 1e6
    );
}

fn main() -> Result<(), zgram::Error> {
    for path in std::env::args_os().skip(1) {
        let corpus = Corpus::open(&path)?;
        let first_word = corpus.dictionary()?.ids(zgram::plumbing::TokenClass::Separator).end;
        let segments = (0..corpus.facts().segments.len())
            .map(|number| Ok(Rows::new(&corpus.segment(number)?, first_word)))
            .collect::<Result<Vec<_>, zgram::Error>>()?;
        println!("\n{}\n", path.to_string_lossy());
        println!(
            "| set | initialisation (s) | processing (s) | total (s) | sets (MB) | postings |"
        );
        println!("|---|--:|--:|--:|--:|--:|");
        run::<TwoLayers<8>>(&segments);
        run::<TwoLayers<1>>(&segments);
        run::<Packed>(&segments);
        run::<OneLayer>(&segments);
        run::<BTreeSet<u32>>(&segments);
        run::<FxHashSet<u32>>(&segments);
        run::<Sorted>(&segments);
    }
    Ok(())
}
