//! Answers queries from an index.

use super::index::{Index, Postings};
use super::scoring::{Bm25Variant, Scoring};
use crate::analytics::engine::{Passes, Setting};
use crate::analytics::matrix::{Terms, WordNumbers, rank_of};
use crate::analytics::options::Options;
use crate::analytics::report::Report;
use crate::analytics::select;
use crate::analytics::tasks::Shape;
use crate::analytics::units::RowPlan;
use crate::analytics::words::words_of_texts;
use crate::corpus::Corpus;
use crate::error::{QueryError, RankError};
use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, HashMap};

/// Ranks documents for any number of queries. It holds an index of words in memory, so that a query
/// takes microseconds. Edits that are made later do not change its answers.
pub struct Ranker<'c> {
    setting: Setting<'c>,
    rows: RowPlan<'c>,
    scoring: Scoring,
    index: Index,
    /// The factor of each document's length.
    length_factors: Vec<f64>,
    mean_length: f64,
    /// The words of the index, if not all are in it.
    only: Option<HashMap<String, Option<u32>>>,
}

/// A document in an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The document's number.
    pub document: usize,
    /// Its score; the higher, the better.
    pub score: f64,
}

/// What a word of a query adds to the score of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct WordScore {
    /// The word as the view shows it.
    pub word: String,
    /// How many documents contain it.
    pub documents: u64,
    /// The weight of rare words.
    pub idf: f64,
    /// How often it occurs in the document.
    pub count: u64,
    /// How many words the document has.
    pub length: u64,
    /// What it adds to the score.
    pub score: f64,
}

/// A word of a query.
struct QueryWord<'r> {
    text: String,
    postings: Option<Postings<'r>>,
    idf: f64,
}

impl<'c> Ranker<'c> {
    /// Indexes these words; all if `words` is `None`.
    pub(super) fn new(
        corpus: &'c Corpus,
        options: &Options<'c>,
        scoring: Scoring,
        words: Option<&[String]>,
    ) -> Result<Self, QueryError> {
        scoring.check()?;
        let only = words.map(|words| viewed(options, words)).transpose()?;
        let rows = RowPlan::new(corpus, options.documents.as_deref(), None)?;
        let options = Options { documents: rows.documents.clone(), ..options.clone() };
        let decision = select::decide(corpus, &Shape::COUNTS, &options);
        let setting = Setting::new(corpus, options, &decision)?;
        let known = &setting.plan.words;
        let (numbers, width, only) = match only {
            None => (WordNumbers::All, known.len(), None),
            Some(mut words) => {
                words.sort_unstable();
                words.dedup();
                let terms: Terms = words.iter().collect();
                let numbers = WordNumbers::of_vocabulary(&terms, known);
                let number = |word: &String, at: u32| rank_of(known, word.as_bytes()).map(|_| at);
                let only = words.iter().zip(0..).map(|(word, at)| (word.clone(), number(word, at)));
                (numbers, words.len(), Some(only.collect()))
            }
        };
        let index = Index::new(&setting, &rows, &numbers, width)?;
        let length = index.lengths().iter().map(|&length| u128::from(length)).sum::<u128>();
        if length == 0 {
            return Err(RankError::NoWordsInDocuments.into());
        }
        let mean_length = length as f64 / index.lengths().len() as f64;
        let factor = |&length: &u64| scoring.length_factor(length, mean_length);
        let length_factors = index.lengths().iter().map(factor).collect();
        Ok(Self { setting, rows, scoring, index, length_factors, mean_length, only })
    }

    /// The `most` documents that match the words best, the best first. Documents with the same score are
    /// in the order of the corpus. Documents without any of the words are left out. A text with several
    /// words counts as these words, one by one.
    ///
    /// # Errors
    /// [`QueryError::Rank`] when the view leaves no word of the query, when `most` is 0, or when the ranker
    /// was [made for other words](Corpus::rank).
    pub fn rank<W: AsRef<str>>(&self, words: &[W], most: usize) -> Result<Vec<Ranked>, QueryError> {
        if most == 0 {
            return Err(RankError::NoRows.into());
        }
        let words = self.query(words)?;
        let best = Search::new(self, &words, most).run();
        let ranked = |Candidate { score, row }| Ranked {
            document: self.rows.document(row as usize).expect("rows are documents"),
            score,
        };
        Ok(best.into_iter().map(ranked).collect())
    }

    /// What each word of a query adds to the score of a document, in the order of the query.
    ///
    /// # Errors
    /// As [`rank`](Self::rank); or [`QueryError::NoDocument`] when the document is not among those that are
    /// ranked.
    pub fn explain<W: AsRef<str>>(
        &self,
        words: &[W],
        document: usize,
    ) -> Result<Vec<WordScore>, QueryError> {
        let words = self.query(words)?;
        let row = self.rows.find(document)?;
        let (length, factor) = (self.index.lengths()[row], self.length_factors[row]);
        let explained = |QueryWord { text, postings, idf }| {
            let count = postings.map_or(0, |postings| postings.count_in(row as u32));
            let weight = match count {
                0 => self.scoring.weight_of_none(),
                count => self.scoring.weight(count as f64, factor),
            };
            let documents = postings.map_or(0, |postings| postings.rows.len() as u64);
            WordScore { word: text, documents, idf, count, length, score: idf * weight }
        };
        Ok(words.into_iter().map(explained).collect())
    }

    /// How many documents are ranked, those without words included.
    #[must_use]
    pub fn documents(&self) -> usize {
        self.length_factors.len()
    }

    /// How many words documents have on average.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        self.mean_length
    }

    /// What the preparation has cost.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.setting.into_report(Passes::ONE)
    }

    /// The words of a query, as often as they are in it.
    fn query<W: AsRef<str>>(&self, words: &[W]) -> Result<Vec<QueryWord<'_>>, QueryError> {
        let known = &self.setting.plan.words;
        let word = |text: String| {
            let number = match &self.only {
                None => rank_of(known, text.as_bytes()),
                Some(only) => match only.get(&text) {
                    Some(&number) => number,
                    None => return Err(RankError::NotIndexed { word: text }.into()),
                },
            };
            let postings = number.map(|number| self.index.postings(number));
            let with = postings.map_or(0, |postings| postings.rows.len());
            let idf = self.scoring.idf(with, self.documents());
            Ok(QueryWord { text, postings, idf })
        };
        viewed(&self.setting.plan.options, words)?.into_iter().map(word).collect()
    }
}

/// The words of texts as the view shows them.
fn viewed<W: AsRef<str>>(options: &Options<'_>, texts: &[W]) -> Result<Vec<String>, QueryError> {
    let mut words = Vec::new();
    let given = words_of_texts(texts, &options.view, &mut words)?;
    match (words.is_empty(), given) {
        (false, _) => Ok(words),
        (true, 0) => Err(RankError::NoWords.into()),
        (true, _) => Err(RankError::WordsLeftOut.into()),
    }
}

/// A document that may be among the best. Until the search ends, its score lacks what every document
/// gets.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    score: f64,
    row: u32,
}

/// The better one is greater.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.row.cmp(&self.row))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Candidate {}

/// Rows that are scored together. Their scores fit the cache.
const BLOCK: usize = 1 << 12;

/// A block in which one row of this many has a word is read row by row.
const ROWS_A_POSTING: usize = 16;

/// Finds the best rows, block by block: adds up what each word gives to the rows of a block, then
/// takes those that are better than the worst so far. All contributions are at least 0.
struct Search<'r> {
    ranker: &'r Ranker<'r>,
    words: Vec<Cursor<'r>>,
    /// What every row gets, also without the words.
    base: f64,
    scores: Vec<f64>,
    best: BinaryHeap<Reverse<Candidate>>,
    most: usize,
}

/// A word and the next of its rows.
struct Cursor<'r> {
    postings: Postings<'r>,
    at: usize,
    idf: f64,
    /// What a row gets without the word.
    least: f64,
}

impl<'r> Search<'r> {
    fn new(ranker: &'r Ranker<'_>, words: &[QueryWord<'r>], most: usize) -> Self {
        let none = ranker.scoring.weight_of_none();
        let cursor = |word: &QueryWord<'r>| {
            let postings = word.postings?;
            Some(Cursor { postings, at: 0, idf: word.idf, least: none })
        };
        let words: Vec<Cursor<'r>> = words.iter().filter_map(cursor).collect();
        let base = words.iter().map(|word| word.idf * none).sum();
        let scores = vec![0.0; BLOCK.min(ranker.length_factors.len())];
        Self { ranker, words, base, scores, best: BinaryHeap::new(), most }
    }

    fn run(mut self) -> Vec<Candidate> {
        while let Some(first) = self.words.iter().filter_map(Cursor::next).min() {
            let starts: Vec<usize> = self.words.iter().map(|word| word.at).collect();
            self.add_up(first);
            self.take(first, &starts);
        }
        let mut best: Vec<Candidate> = self.best.into_iter().map(|Reverse(best)| best).collect();
        best.sort_unstable_by_key(|&candidate| Reverse(candidate));
        best.iter_mut().for_each(|candidate| candidate.score += self.base);
        best
    }

    /// Adds up the scores of the block that begins at a row.
    fn add_up(&mut self, first: u32) {
        let scoring = self.ranker.scoring;
        let k1 = scoring.k1;
        // The default has a loop of its own, without a choice of formula for each row.
        match scoring.variant {
            Bm25Variant::Lucene | Bm25Variant::Robertson => {
                self.add_up_by(first, |count, factor| count / (count + k1 * factor));
            }
            _ => self.add_up_by(first, |count, factor| scoring.weight(count, factor)),
        }
    }

    fn add_up_by(&mut self, first: u32, weight_of: impl Fn(f64, f64) -> f64) {
        let Self { ranker, words, scores, .. } = self;
        let factors = &ranker.length_factors[first as usize..];
        let factors = &factors[..scores.len().min(factors.len())];
        for word in words {
            let Cursor { postings, idf, least, .. } = *word;
            let rows = &postings.rows[word.at..];
            let len = rows.partition_point(|&row| ((row - first) as usize) < scores.len());
            for (at, &row) in (word.at..).zip(&rows[..len]) {
                let place = (row - first) as usize;
                let weight = weight_of(postings.count(at) as f64, factors[place]);
                scores[place] += idf * (weight - least);
            }
            word.at += len;
        }
    }

    /// Takes the best rows of a block and clears its scores. `starts` is where its words began.
    fn take(&mut self, first: u32, starts: &[usize]) {
        let postings: usize =
            self.words.iter().zip(starts).map(|(word, start)| word.at - start).sum();
        if self.best.len() == self.most && postings > self.scores.len() / ROWS_A_POSTING {
            // A row without the words scores 0, which is not better than the worst so far.
            let mut worst = self.worst();
            for place in 0..self.scores.len() {
                if self.scores[place] > worst {
                    self.offer(self.scores[place], first + place as u32);
                    worst = self.worst();
                }
            }
            self.scores.fill(0.0);
            return;
        }
        let mut rows: Vec<u32> = Vec::with_capacity(postings);
        for (word, &start) in self.words.iter().zip(starts) {
            rows.extend_from_slice(&word.postings.rows[start..word.at]);
        }
        rows.sort_unstable();
        rows.dedup();
        for row in rows {
            let score = std::mem::take(&mut self.scores[(row - first) as usize]);
            self.offer(score, row);
        }
    }

    /// The worst score of the best rows.
    fn worst(&self) -> f64 {
        self.best.peek().map_or(f64::NEG_INFINITY, |Reverse(worst)| worst.score)
    }

    fn offer(&mut self, score: f64, row: u32) {
        let candidate = Candidate { score, row };
        if self.best.len() < self.most {
            self.best.push(Reverse(candidate));
        } else if self.best.peek().is_some_and(|Reverse(worst)| candidate > *worst) {
            self.best.pop();
            self.best.push(Reverse(candidate));
        }
    }
}

impl Cursor<'_> {
    fn next(&self) -> Option<u32> {
        self.postings.rows.get(self.at).copied()
    }
}
