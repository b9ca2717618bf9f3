//! Rows for documents, or for units of several documents.

use super::matrix::Terms;
use super::query::Query;
use super::tasks::{InvertedIndex, RankedInvertedIndex, SequenceCount, TermVector};
use crate::corpus::Corpus;
use crate::error::{NoDocument, QueryError};
use crate::format::DocumentTable;
use bstr::ByteSlice;
use regex::Regex;
use std::borrow::Cow;
use std::collections::HashMap;

/// What a row is, if not a document: a unit of several documents, counted together. Sequences of
/// words do not cross from one document of a unit to the next.
#[derive(Clone, Debug)]
pub enum Units {
    /// The folder of a document's name: all before the last `/`, or `.` if there is none.
    Folder,
    /// What the pattern's first group matches in a document's name, or the whole match if the
    /// pattern has no group. Documents whose names do not match are left out.
    Pattern(Regex),
}

/// Tasks whose rows name documents.
pub trait OfDocuments {}

impl OfDocuments for InvertedIndex {}
impl OfDocuments for TermVector {}
impl OfDocuments for SequenceCount {}
impl OfDocuments for RankedInvertedIndex {}

impl<Q: OfDocuments> Query<'_, Q> {
    /// Counts units of several documents in place of documents, in the order of their first
    /// documents. Rows then name units: see [`row_names`](Self::row_names).
    #[must_use]
    pub fn by(mut self, units: Units) -> Self {
        self.options.units = Some(units);
        self
    }
}

impl<'c, Q> Query<'c, Q> {
    /// The names behind the numbers that rows give as their document: of the corpus's documents, or
    /// of [units](Units).
    ///
    /// # Errors
    /// When the names cannot be loaded, or no name matches the pattern of units.
    pub fn row_names(&self) -> Result<RowNames<'c>, QueryError> {
        let chosen = self.options.documents.as_deref();
        let plan = RowPlan::new(self.corpus, chosen, self.options.units.as_ref())?;
        Ok(RowNames(match plan.units {
            Some((_, names)) => Names::Units(names),
            None => Names::Documents(plan.table),
        }))
    }
}

/// The names that rows give, by number.
pub struct RowNames<'c>(Names<'c>);

enum Names<'c> {
    Documents(&'c DocumentTable),
    Units(Terms),
}

impl RowNames<'_> {
    /// A name.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&[u8]> {
        match &self.0 {
            Names::Documents(table) => table.name(number),
            Names::Units(names) => (number < names.len()).then(|| names.get(number)),
        }
    }

    /// All names, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let count = match &self.0 {
            Names::Documents(table) => table.len(),
            Names::Units(names) => names.len(),
        };
        (0..count).filter_map(|number| self.get(number))
    }
}

/// No row.
const NONE: u32 = u32::MAX;

/// Which documents make up which row.
pub(crate) struct RowPlan<'c> {
    table: &'c DocumentTable,
    /// The chosen documents, in ascending order; all if `None`.
    pub(crate) documents: Option<Vec<usize>>,
    /// For units: the row of each document of the corpus, and the names of rows.
    units: Option<(Vec<u32>, Terms)>,
    count: usize,
}

impl<'c> RowPlan<'c> {
    pub(crate) fn new(
        corpus: &'c Corpus,
        chosen: Option<&[usize]>,
        units: Option<&Units>,
    ) -> Result<Self, QueryError> {
        let table = corpus.documents()?;
        let chosen = chosen.map(|chosen| {
            let mut chosen = chosen.to_vec();
            chosen.sort_unstable();
            chosen.dedup();
            chosen
        });
        for &document in chosen.iter().flatten() {
            corpus.check_document(document)?;
        }
        let Some(units) = units else {
            let count = chosen.as_ref().map_or(table.len(), Vec::len);
            return Ok(Self { table, documents: chosen, units: None, count });
        };
        let mut rows: HashMap<Cow<'_, [u8]>, u32> = HashMap::new();
        let mut names = Terms::default();
        let mut row_of = vec![NONE; table.len()];
        let mut documents = Vec::new();
        let all: Box<dyn Iterator<Item = usize>> = match &chosen {
            Some(chosen) => Box::new(chosen.iter().copied()),
            None => Box::new(0..table.len()),
        };
        for document in all {
            let Some(unit) = units.of(table.known_name(document)) else { continue };
            let next = names.len() as u32;
            let row = *rows.entry(unit).or_insert_with_key(|unit| {
                names.push(unit);
                next
            });
            row_of[document] = row;
            documents.push(document);
        }
        if documents.is_empty()
            && let Units::Pattern(pattern) = units
        {
            return Err(QueryError::NoUnit { pattern: pattern.to_string() });
        }
        let count = names.len();
        Ok(Self { table, documents: Some(documents), units: Some((row_of, names)), count })
    }

    /// The number of rows.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The row of a chosen document.
    pub(crate) fn row_of(&self, document: usize) -> usize {
        match (&self.units, &self.documents) {
            (Some((row_of, _)), _) => row_of[document] as usize,
            (None, Some(chosen)) => chosen.partition_point(|&other| other < document),
            (None, None) => document,
        }
    }

    /// The row of a document, which must be chosen. Rows must be documents.
    pub(crate) fn find(&self, document: usize) -> Result<usize, NoDocument> {
        let row = match &self.documents {
            None => Some(document).filter(|&document| document < self.count),
            Some(chosen) => chosen.binary_search(&document).ok(),
        };
        row.ok_or_else(|| NoDocument::number(document))
    }

    /// How many bytes of text each row has.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let mut sizes = vec![0u64; self.count];
        let all: Vec<u64> = self.table.iter().map(|(_, size)| size).collect();
        let mut add = |document: usize| {
            let size = &mut sizes[self.row_of(document)];
            *size = size.saturating_add(all[document]);
        };
        match &self.documents {
            Some(chosen) => chosen.iter().copied().for_each(&mut add),
            None => (0..all.len()).for_each(&mut add),
        }
        sizes
    }

    /// The name of a row.
    pub(crate) fn name(&self, row: usize) -> &[u8] {
        match (&self.units, &self.documents) {
            (Some((_, names)), _) => names.get(row),
            (None, Some(chosen)) => self.table.known_name(chosen[row]),
            (None, None) => self.table.known_name(row),
        }
    }

    /// The document of a row, if rows are documents.
    pub(crate) fn document(&self, row: usize) -> Option<usize> {
        match (&self.units, &self.documents) {
            (Some(_), _) => None,
            (None, Some(chosen)) => Some(chosen[row]),
            (None, None) => Some(row),
        }
    }
}

impl Units {
    /// The unit of a document's name.
    fn of<'n>(&self, name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
        match self {
            Self::Folder => {
                Some(Cow::Borrowed(name.rfind_byte(b'/').map_or(b".", |end| &name[..end])))
            }
            Self::Pattern(pattern) => {
                let name = name.to_str_lossy();
                let groups = pattern.captures(&name)?;
                let group = groups.get(usize::from(pattern.captures_len() > 1))?;
                Some(Cow::Owned(group.as_str().as_bytes().to_vec()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_folders_and_groups() {
        let of = |units: &Units, name: &str| units.of(name.as_bytes()).map(Cow::into_owned);
        let found = |unit: &str| Some(unit.as_bytes().to_vec());
        assert_eq!(of(&Units::Folder, "a/b/c.txt"), found("a/b"));
        assert_eq!(of(&Units::Folder, "c.txt"), found("."));
        let year = Units::Pattern(Regex::new(r"(\d{4})-\d\d").unwrap());
        assert_eq!(of(&year, "log-2024-05.txt"), found("2024"));
        assert_eq!(of(&year, "log.txt"), None);
        let whole = Units::Pattern(Regex::new(r"\d{4}").unwrap());
        assert_eq!(of(&whole, "log-2024-05.txt"), found("2024"));
        let optional = Units::Pattern(Regex::new(r"log(-\d+)?").unwrap());
        assert_eq!(of(&optional, "log.txt"), None);
        assert_eq!(of(&optional, "log-7.txt"), found("-7"));
    }
}
