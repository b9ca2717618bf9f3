//! A corpus in several files: its shards.
//!
//! The documents of all shards follow each other, and so do the segments. Each shard has a dictionary of
//! its own. The union of all is made when a question first needs a dictionary; from then on, a segment
//! gets the ids of the union when it is loaded. So every question is answered as for one file.

use super::word_totals::WordTotals;
use super::{Corpus, OpenSegment, SegmentTally, Variant};
use crate::error::OpenError;
use crate::format::word_counts::WordCounts;
use crate::format::{DocumentTable, Facts, SectionKind, Sizes};
use crate::grammar::Grammar;
use crate::lazy::Lazy;
use crate::progress::Progress;
use crate::token::{Dictionary, DictionaryError, Renumbering, Union, UnionError};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

impl Corpus {
    /// Makes one corpus of several, its shards: their documents follow each other in this order. Every
    /// question gets the answer that a single file of all these documents gives. Errors call the corpus
    /// `name`; errors about one shard name that shard.
    ///
    /// Two documents in different shards may have the same name. They stay two documents.
    ///
    /// # Errors
    /// When there are no shards, or they cannot be one corpus: because some contain lines of JSON Lines
    /// files and others do not, or because they were split into words by different rules.
    pub fn of_shards(
        name: impl AsRef<Path>,
        shards: impl IntoIterator<Item = Arc<Self>>,
    ) -> Result<Self, OpenError> {
        let (path, shards) = (name.as_ref().to_owned(), shards.into_iter().collect::<Vec<_>>());
        let facts = check(&shards)
            .and_then(|()| facts_of(&shards))
            .map_err(|what| OpenError::Shards { path: path.clone(), what })?;
        let notices = shards.iter().flat_map(|shard| shard.notices().to_vec()).collect();
        let mut first_segments = vec![0];
        for shard in &shards {
            first_segments.push(first_segments[first_segments.len() - 1] + shard.segment_count());
        }
        let variant = Shards {
            shards,
            first_segments,
            union: Lazy::default(),
            documents: OnceLock::new(),
            word_totals: OnceLock::new(),
        };
        Ok(Self::of_variant(path, facts, Box::new(variant)).with_notices(notices))
    }

    /// The corpora that this one is made of, if it is in several files; otherwise none.
    #[must_use]
    pub fn shards(&self) -> &[Arc<Self>] {
        self.variant.as_ref().map_or(&[], |variant| variant.shards())
    }

    /// The shard that contains a document, and the document's number there; `None` if this corpus is not
    /// in several files, or has no such document.
    #[must_use]
    pub fn shard_of(&self, document: usize) -> Option<(&Arc<Self>, usize)> {
        let mut first = 0;
        self.shards().iter().find_map(|shard| {
            let here = (document as u64).checked_sub(first)?;
            first += shard.facts.documents;
            (here < shard.facts.documents).then_some((shard, here as usize))
        })
    }

    /// The shard that contains a segment, and the segment's number there.
    pub(super) fn shard_with(&self, segment: usize) -> Option<(&Self, usize)> {
        self.variant.as_ref()?.shard(segment)
    }

    fn segment_count(&self) -> usize {
        self.facts.segments.len()
    }
}

/// Refuses shards that cannot be one corpus.
fn check(shards: &[Arc<Corpus>]) -> Result<(), String> {
    let Some(first) = shards.first() else {
        return Err("there are no shards to open".to_owned());
    };
    let paths =
        |other: &Corpus| (first.path().display().to_string(), other.path().display().to_string());
    for shard in shards {
        if shard.facts.tokeniser != first.facts.tokeniser {
            let (one, two) = paths(shard);
            let [a, b] = [first, shard].map(|corpus| corpus.facts.tokeniser);
            return Err(format!(
                "{two} was split into words by other rules than {one} (tokeniser {b}, not {a}); \
                 compress its text again"
            ));
        }
        if shard.facts.documents > 0
            && first_with_documents(shards)
                .is_some_and(|with| with.facts.has_envelopes != shard.facts.has_envelopes)
        {
            let lines = shards.iter().find(|shard| shard.facts.has_envelopes).unwrap_or(shard);
            let files = shards
                .iter()
                .find(|shard| !shard.facts.has_envelopes && shard.facts.documents > 0)
                .unwrap_or(shard);
            return Err(format!(
                "the documents of {} are lines of JSON Lines files, those of {} are not; open them \
                 apart",
                lines.path().display(),
                files.path().display()
            ));
        }
    }
    Ok(())
}

fn first_with_documents(shards: &[Arc<Corpus>]) -> Option<&Corpus> {
    shards.iter().find(|shard| shard.facts.documents > 0).map(|shard| &**shard)
}

/// The facts of all shards together. Numbers of distinct tokens are upper bounds.
fn facts_of(shards: &[Arc<Corpus>]) -> Result<Facts, String> {
    let mut facts = Facts {
        documents: 0,
        vocabulary: 0,
        vocabulary_words: 0,
        has_envelopes: false,
        sizes: Sizes::default(),
        segments: Vec::new(),
        ..shards[0].facts.clone()
    };
    for Corpus { facts: shard, .. } in shards.iter().map(|shard| &**shard) {
        let first = facts.documents;
        facts.documents = first
            .checked_add(shard.documents)
            .ok_or("its shards have more documents than can be numbered")?;
        facts.vocabulary = facts.vocabulary.saturating_add(shard.vocabulary);
        facts.vocabulary_words = facts.vocabulary_words.saturating_add(shard.vocabulary_words);
        facts.has_envelopes |= shard.has_envelopes;
        facts.sizes.add(&shard.sizes);
        facts.segments.extend(shard.segments.iter().map(|segment| {
            let mut segment = *segment;
            segment.first_document += first;
            segment
        }));
    }
    Ok(facts)
}

struct Shards {
    shards: Vec<Arc<Corpus>>,
    /// The number of each shard's first segment, and the number of all segments.
    first_segments: Vec<usize>,
    union: Lazy<Union>,
    documents: OnceLock<DocumentTable>,
    word_totals: OnceLock<WordTotals>,
}

impl Shards {
    fn union(&self) -> Result<&Union, OpenError> {
        self.union.try_get_of_others(|| {
            let dictionaries: Vec<&Dictionary> = self
                .shards
                .par_iter()
                .map(|shard| shard.dictionary())
                .collect::<Result<_, OpenError>>()?;
            Union::of(&dictionaries).map_err(|error| match error {
                UnionError::Dictionary(error) => error.into(),
                UnionError::OtherClass { dictionary, id } => {
                    let what = format!("token {id} is not one token by the rules of the tokeniser");
                    self.shards[dictionary].inconsistent(SectionKind::Dictionary, 0, what)
                }
            })
        })
    }

    /// The number of the shard with a segment, and the segment's number there.
    fn place(&self, segment: usize) -> (usize, usize) {
        let shard = self.first_segments.partition_point(|&first| first <= segment) - 1;
        (shard, segment - self.first_segments[shard])
    }

    /// Calls `load` with the shard that has a segment, the segment's number there, and the new numbers of
    /// its symbols.
    fn load<T>(
        &self,
        segment: usize,
        load: impl FnOnce(&Corpus, usize, Renumbering<'_>) -> Result<T, OpenError>,
    ) -> Result<T, OpenError> {
        let union = self.union()?;
        let (shard, number) = self.place(segment);
        let tokens = union.dictionary.len() as u32;
        load(&self.shards[shard], number, Renumbering::new(&union.ids[shard], tokens))
    }
}

/// Refuses a grammar whose rules have no numbers left behind all tokens.
fn check_room(grammar: &Grammar, ids: Renumbering<'_>) -> Result<(), OpenError> {
    match u32::try_from(grammar.rule_count() as u64 + u64::from(ids.tokens())) {
        Ok(_) => Ok(()),
        Err(_) => Err(DictionaryError::TooLarge.into()),
    }
}

impl Variant for Shards {
    fn dictionary(&self) -> Result<&Dictionary, OpenError> {
        Ok(&self.union()?.dictionary)
    }

    fn documents(&self) -> Result<&DocumentTable, OpenError> {
        if let Some(documents) = self.documents.get() {
            return Ok(documents);
        }
        let mut all = DocumentTable::default();
        for shard in &self.shards {
            shard.documents()?.iter().for_each(|(name, size)| all.push(name, size));
        }
        Ok(self.documents.get_or_init(|| all))
    }

    fn segment_by(&self, number: usize, threads: usize) -> Result<Grammar, OpenError> {
        self.load(number, |shard, number, ids| {
            let grammar = shard.segment_by(number, threads)?;
            check_room(&grammar, ids)?;
            Ok(grammar.renumbered(ids))
        })
    }

    fn segment_tally_by(&self, number: usize, threads: usize) -> Result<SegmentTally, OpenError> {
        self.load(number, |shard, number, ids| {
            let tally = shard.segment_tally_by(number, threads)?;
            check_room(&tally.rules, ids)?;
            Ok(tally.renumbered(ids))
        })
    }

    fn open_segment(&self, number: usize) -> Result<OpenSegment, OpenError> {
        self.load(number, |shard, number, ids| {
            let segment = shard.open_segment(number)?;
            check_room(segment.documents().grammar(), ids)?;
            Ok(segment.renumbered(ids))
        })
    }

    fn word_counts(&self, number: usize) -> Result<Option<WordCounts>, OpenError> {
        self.load(number, |shard, number, ids| {
            Ok(shard.word_counts(number)?.map(|counts| counts.renumbered(|word| ids.of(word))))
        })
    }

    fn has_index(&self) -> bool {
        let has_documents = |shard: &&Arc<Corpus>| shard.facts.documents > 0;
        let mut shards = self.shards.iter().filter(has_documents).peekable();
        shards.peek().is_some() && shards.all(|shard| shard.has_index())
    }

    fn has_word_totals(&self) -> bool {
        self.shards.iter().any(|shard| shard.has_word_totals())
    }

    fn word_totals(&self) -> Result<Option<&WordTotals>, OpenError> {
        if let Some(totals) = self.word_totals.get() {
            return Ok(Some(totals));
        }
        let union = self.union()?;
        let of_shards: Vec<Vec<(u32, u64)>> = self
            .shards
            .par_iter()
            .map(|shard| totals_of(shard))
            .collect::<Result<_, OpenError>>()?;
        let mut all = WordTotals::zero(union.dictionary.words());
        for (totals, ids) in of_shards.iter().zip(&union.ids) {
            totals.iter().for_each(|&(word, count)| all.add(ids[word as usize], count));
        }
        Ok(Some(self.word_totals.get_or_init(|| all)))
    }

    fn verify_parts(&self, progress: &dyn Progress) -> Result<(), OpenError> {
        self.shards.iter().try_for_each(|shard| shard.verify_parts(progress))
    }

    fn shards(&self) -> &[Arc<Corpus>] {
        &self.shards
    }

    fn shard(&self, segment: usize) -> Option<(&Corpus, usize)> {
        let (shard, number) = self.place(segment);
        self.shards.get(shard).map(|shard| (&**shard, number))
    }
}

/// How often each word of a shard occurs in it. A shard that does not store that is small and loads fast,
/// or has pending edits.
fn totals_of(shard: &Corpus) -> Result<Vec<(u32, u64)>, OpenError> {
    if let Some(totals) = shard.word_totals()? {
        return Ok(totals.iter().collect());
    }
    let words = shard.dictionary()?.words();
    let mut counts = vec![0u64; words.len()];
    for segment in 0..shard.segment_count() {
        let uses = shard.segment_tally(segment)?.uses();
        for (count, uses) in counts.iter_mut().zip(&uses[words.start as usize..]) {
            *count = count.saturating_add(*uses);
        }
    }
    Ok(words.zip(counts).collect())
}

impl SegmentTally {
    fn renumbered(self, ids: Renumbering<'_>) -> Self {
        let mut root_uses = vec![0; ids.tokens() as usize + self.rules.rule_count()];
        for (symbol, &uses) in (0..).zip(&self.root_uses) {
            root_uses[ids.of(symbol) as usize] = uses;
        }
        Self { rules: self.rules.renumbered(ids), root_uses }
    }
}

/// The name of a corpus of files that have no folder in common.
pub(crate) fn name_of(paths: &[PathBuf]) -> PathBuf {
    match paths {
        [] => PathBuf::from("a corpus without files"),
        [one] => one.clone(),
        [first, others @ ..] => {
            let mut name = first.clone().into_os_string();
            name.push(format!(" and {} more", others.len()));
            name.into()
        }
    }
}
