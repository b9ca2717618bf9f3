//! Tokens in a grid: parts of the documents by parts of the words.
//!
//! Work goes in rounds. In round r, document part i is sampled together with word part i + r, so no two
//! threads touch the same counts, and nothing is copied. The number of parts depends on the number of
//! tokens only: the result does not depend on the threads.

use crate::random::Random;
use zgram::analytics::Matrix;

/// A corpus gets one part for this many tokens.
const TOKENS_PER_PART: u64 = 1 << 18;
/// The most parts, and so the most threads that have work.
const MOST_PARTS: usize = 64;

/// The tokens of a corpus, in blocks.
#[derive(Debug)]
pub(super) struct Grid {
    /// Where each part's documents begin, and where the last one's end.
    pub(super) document_starts: Vec<usize>,
    /// The words of each part.
    pub(super) words: Vec<Vec<u32>>,
    /// Block `i * parts + j` has document part i and word part j.
    pub(super) blocks: Vec<Block>,
}

/// The tokens of one part's words in one part's documents, ordered by word, then by document.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) words: Vec<WordCells>,
    pub(super) cells: Vec<Cell>,
    /// The topic of each token.
    pub(super) topics: Vec<u16>,
}

/// A word, and the number of documents of the part that have it.
#[derive(Debug)]
pub(super) struct WordCells {
    /// Its number in its part.
    pub(super) word: u32,
    pub(super) cells: u32,
}

/// How often the word occurs in a document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// Its number in its part.
    pub(super) document: u32,
    pub(super) count: u32,
}

impl Grid {
    /// Divides a matrix with this many tokens.
    pub(super) fn new(matrix: &Matrix<u64>, tokens: u64) -> Self {
        let parts = (tokens / TOKENS_PER_PART).clamp(1, MOST_PARTS as u64) as usize;
        Self::with_parts(matrix, tokens, parts)
    }

    pub(super) fn with_parts(matrix: &Matrix<u64>, tokens: u64, parts: usize) -> Self {
        let document_starts = divide_documents(matrix, tokens, parts);
        let (words, places) = divide_words(matrix, parts);
        let mut blocks = Vec::with_capacity(parts * parts);
        for ends in document_starts.windows(2) {
            fill_blocks(matrix, ends[0]..ends[1], &words, &places, &mut blocks);
        }
        Self { document_starts, words, blocks }
    }

    pub(super) fn parts(&self) -> usize {
        self.words.len()
    }

    /// Gives each token any topic.
    pub(super) fn scatter(&mut self, topics: usize, seed: u64) {
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let mut random = stream(seed, 0, number);
            block.topics.fill_with(|| random.below(topics as u32) as u16);
        }
    }
}

/// The random numbers of a block in a pass.
pub(super) fn stream(seed: u64, pass: u64, block: usize) -> Random {
    Random::new(seed, pass << 16 | block as u64)
}

/// Ranges of documents with about as many tokens each.
fn divide_documents(matrix: &Matrix<u64>, tokens: u64, parts: usize) -> Vec<usize> {
    let mut starts = vec![0];
    let mut seen = 0;
    for document in 0..matrix.rows() {
        while starts.len() < parts && seen * parts as u64 >= tokens * starts.len() as u64 {
            starts.push(document);
        }
        seen += matrix.row(document).1.iter().sum::<u64>();
    }
    starts.resize(parts, matrix.rows());
    starts.push(matrix.rows());
    starts
}

/// Sets of words with about as many tokens each, and the part and number there of each word.
fn divide_words(matrix: &Matrix<u64>, parts: usize) -> (Vec<Vec<u32>>, Vec<(u32, u32)>) {
    let mut totals = vec![0u64; matrix.width];
    for (&word, &count) in matrix.columns.iter().zip(&matrix.values) {
        totals[word as usize] += count;
    }
    let mut by_total: Vec<u32> = (0..matrix.width as u32).collect();
    by_total.sort_by_key(|&word| std::cmp::Reverse(totals[word as usize]));
    // Each word goes where the fewest tokens are.
    let mut tokens = vec![0u64; parts];
    let mut part_of = vec![0; matrix.width];
    for word in by_total {
        let part = (0..parts).min_by_key(|&part| tokens[part]).expect("there is a part");
        tokens[part] += totals[word as usize];
        part_of[word as usize] = part as u32;
    }
    let mut words = vec![Vec::new(); parts];
    let places = part_of.into_iter().enumerate().map(|(word, part)| {
        let words: &mut Vec<u32> = &mut words[part as usize];
        words.push(word as u32);
        (part, words.len() as u32 - 1)
    });
    let places = places.collect();
    (words, places)
}

/// Adds the blocks of some documents.
fn fill_blocks(
    matrix: &Matrix<u64>,
    documents: std::ops::Range<usize>,
    words: &[Vec<u32>],
    places: &[(u32, u32)],
    blocks: &mut Vec<Block>,
) {
    // How many cells each word has, then where its next cell goes.
    let mut next: Vec<Vec<u32>> = words.iter().map(|words| vec![0; words.len()]).collect();
    let mut tokens = vec![0; words.len()];
    let cells = || {
        documents.clone().enumerate().flat_map(|(number, document)| {
            let (columns, counts) = matrix.row(document);
            let cells = columns.iter().zip(counts).filter(|(_, count)| **count > 0);
            cells.map(move |(&word, &count)| {
                let cell = Cell { document: number as u32, count: count as u32 };
                (places[word as usize], cell)
            })
        })
    };
    for ((part, word), cell) in cells() {
        next[part as usize][word as usize] += 1;
        tokens[part as usize] += cell.count as usize;
    }
    let first = blocks.len();
    for (next, tokens) in next.iter_mut().zip(tokens) {
        let mut block = Block { topics: vec![0; tokens], ..Block::default() };
        let mut total = 0;
        for (word, next) in next.iter_mut().enumerate() {
            let cells = std::mem::replace(next, total);
            if cells > 0 {
                block.words.push(WordCells { word: word as u32, cells });
            }
            total += cells;
        }
        block.cells = vec![Cell::default(); total as usize];
        blocks.push(block);
    }
    for ((part, word), cell) in cells() {
        let at = &mut next[part as usize][word as usize];
        blocks[first + part as usize].cells[*at as usize] = cell;
        *at += 1;
    }
}

impl Block {
    /// Passes on each token: document, word and topic.
    pub(super) fn for_each(&self, mut visit: impl FnMut(usize, usize, usize)) {
        let (mut cells, mut topics) = (self.cells.iter(), self.topics.iter());
        for word in &self.words {
            for cell in cells.by_ref().take(word.cells as usize) {
                for &topic in topics.by_ref().take(cell.count as usize) {
                    visit(cell.document as usize, word.word as usize, usize::from(topic));
                }
            }
        }
    }
}
