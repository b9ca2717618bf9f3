//! The formulas of BM25, as bm25s has them (Kamphuis and others, *Which BM25 Do You Mean?*, ECIR 2020).
//!
//! The score of a document is the sum over the words of the query of `idf * weight`. N is the number of
//! documents, n of those that contain the word, f the count of the word in the document, and
//! L = 1 - b + b * length / mean length.
//!
//! | variant | idf | weight |
//! |---|---|---|
//! | lucene | ln(1 + (N - n + 0.5) / (n + 0.5)) | f / (f + k1 L) |
//! | robertson | ln((N - n + 0.5) / (n + 0.5)), at least 0 | f / (f + k1 L) |
//! | atire | ln(N / n) | f (k1 + 1) / (f + k1 L) |
//! | bm25+ | ln((N + 1) / n) | f (k1 + 1) / (f + k1 L) + delta |
//! | bm25l | ln((N + 1) / (n + 0.5)) | (k1 + 1) (f / L + delta) / (k1 + f / L + delta) |
//!
//! In the last two, a word counts even for documents that do not contain it: their f is 0.

use crate::error::RankError;

/// A variant of BM25. They differ in how they weigh rare words and repeated ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bm25Variant {
    /// Lucene's, without the constant factor k1 + 1.
    #[default]
    Lucene,
    /// The original one. A word of more than half of the documents counts nothing.
    Robertson,
    /// ATIRE's.
    Atire,
    /// BM25+: a document that contains a word gets at least delta for it.
    Plus,
    /// BM25L: favours long documents more than the others do.
    L,
}

/// A variant and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scoring {
    pub(super) variant: Bm25Variant,
    pub(super) k1: f64,
    pub(super) b: f64,
    pub(super) delta: f64,
}

/// As bm25s has them.
impl Default for Scoring {
    fn default() -> Self {
        Self { variant: Bm25Variant::default(), k1: 1.5, b: 0.75, delta: 0.5 }
    }
}

impl Scoring {
    /// Refuses parameters that make no sense.
    pub(super) fn check(&self) -> Result<(), RankError> {
        let Self { k1, b, delta, .. } = *self;
        if !(k1 >= 0.0 && k1.is_finite()) {
            return Err(RankError::BadK1 { k1 });
        }
        if !(0.0..=1.0).contains(&b) {
            return Err(RankError::BadB { b });
        }
        if !(delta >= 0.0 && delta.is_finite()) {
            return Err(RankError::BadDelta { delta });
        }
        Ok(())
    }

    /// The idf of a word that `with` of `documents` documents contain; 0 if none does.
    pub(super) fn idf(&self, with: usize, documents: usize) -> f64 {
        if with == 0 {
            return 0.0;
        }
        let (n, all) = (with as f64, documents as f64);
        let odds = (all - n + 0.5) / (n + 0.5);
        match self.variant {
            Bm25Variant::Lucene => (1.0 + odds).ln(),
            Bm25Variant::Robertson => odds.max(1.0).ln(),
            Bm25Variant::Atire => (all / n).ln(),
            Bm25Variant::Plus => ((all + 1.0) / n).ln(),
            Bm25Variant::L => ((all + 1.0) / (n + 0.5)).ln(),
        }
    }

    /// The factor L of a document.
    pub(super) fn length_factor(&self, length: u64, mean: f64) -> f64 {
        1.0 - self.b + self.b * length as f64 / mean
    }

    /// The weight of a word that occurs `count` times in a document.
    #[inline(always)]
    pub(super) fn weight(&self, count: f64, length_factor: f64) -> f64 {
        let Self { k1, delta, .. } = *self;
        match self.variant {
            Bm25Variant::Lucene | Bm25Variant::Robertson => count / (count + k1 * length_factor),
            Bm25Variant::Atire => count * (k1 + 1.0) / (count + k1 * length_factor),
            Bm25Variant::Plus => count * (k1 + 1.0) / (count + k1 * length_factor) + delta,
            Bm25Variant::L => {
                let count = count / length_factor + delta;
                (k1 + 1.0) * count / (k1 + count)
            }
        }
    }

    /// The weight of a word in a document that does not contain it.
    pub(super) fn weight_of_none(&self) -> f64 {
        match self.variant {
            Bm25Variant::Lucene | Bm25Variant::Robertson | Bm25Variant::Atire => 0.0,
            Bm25Variant::Plus => self.delta,
            Bm25Variant::L if self.delta == 0.0 => 0.0,
            Bm25Variant::L => (self.k1 + 1.0) * self.delta / (self.k1 + self.delta),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of bm25s's README, computed by hand for its first document: 12 words of 10.75 on
    /// average, one "cat" that no other document of four has.
    #[test]
    fn lucene_is_the_textbook_formula() {
        let scoring = Scoring::default();
        let idf = scoring.idf(1, 4);
        assert!((idf - (1.0 + 3.5 / 1.5_f64).ln()).abs() < 1e-15);
        let factor = scoring.length_factor(12, 10.75);
        let weight = scoring.weight(1.0, factor);
        assert!((weight - 1.0 / (1.0 + 1.5 * (0.25 + 0.75 * 12.0 / 10.75))).abs() < 1e-15);
    }

    #[test]
    fn parameters_are_checked() {
        let with = |k1, b, delta| Scoring { k1, b, delta, ..Scoring::default() }.check();
        assert!(with(0.0, 0.0, 0.0).is_ok() && with(3.0, 1.0, 1.0).is_ok());
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(matches!(with(bad, 0.5, 0.5), Err(RankError::BadK1 { .. })));
            assert!(matches!(with(1.5, bad, 0.5), Err(RankError::BadB { .. })));
            assert!(matches!(with(1.5, 0.5, bad), Err(RankError::BadDelta { .. })));
        }
        assert!(with(1.5, 1.1, 0.5).is_err());
    }
}
