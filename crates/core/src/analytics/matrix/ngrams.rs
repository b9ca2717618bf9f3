//! N-grams as terms: numbers for them, in the order of columns.
//!
//! All n-grams are counted row by row and then sorted, which numbers them. If they do not fit in
//! memory together, they are counted in several passes, each for a range of first words, and only
//! those within the limits are kept; one more pass then counts the rows.

use super::TermMatrix;
use super::columns::{Columns, Sums};
use super::lexicon::{Numbering, rank_of};
use super::rows::{KeptCounts, KeptRows};
use super::run::{Counted, Recount, RowItems, first_pass, scan};
use super::sparse::Terms;
use super::units::RowPlan;
use crate::analytics::engine::Setting;
use crate::analytics::engine::first_occurrence::for_each_sequence;
use crate::analytics::engine::ngram_items::NgramItems;
use crate::analytics::report::Phase;
use crate::analytics::sequences::{Key, Keyed, Packing, Sorter, Wide};
use crate::analytics::words::Words;
use crate::error::{MatrixError, QueryError};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The most words of an n-gram. Every place of a document can begin one, which has to be kept whole.
const MOST_WORDS: usize = 100;

/// Refuses lengths that are not possible.
pub(super) fn check(lengths: &RangeInclusive<usize>) -> Result<(), MatrixError> {
    let (from, to) = (*lengths.start(), *lengths.end());
    match (1..=to).contains(&from) && to <= MOST_WORDS {
        true => Ok(()),
        false => Err(MatrixError::BadNgrams { from, to, most: MOST_WORDS }),
    }
}

/// Counts n-grams and chooses the columns.
pub(super) fn count(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    asked: &TermMatrix,
) -> Result<Counted, QueryError> {
    let packing = Packing::of_ngrams(*asked.lengths.end(), &setting.plan.words, asked.gaps);
    if u64::fits(&packing) {
        count_keys::<u64>(setting, rows, asked, packing)
    } else if u128::fits(&packing) {
        count_keys::<u128>(setting, rows, asked, packing)
    } else {
        count_keys::<Wide>(setting, rows, asked, packing)
    }
}

fn count_keys<K: Key>(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    asked: &TermMatrix,
    packing: Packing,
) -> Result<Counted, QueryError> {
    let mut items = NgramItems::<K>::new(setting, &asked.lengths, packing);
    if let Some(vocabulary) = &asked.vocabulary {
        let numbers = of_vocabulary(vocabulary, &setting.plan.words, &asked.lengths, &packing);
        let mut numbers = NgramNumbers {
            numbers: numbers.into(),
            ..NgramNumbers::<K>::new(&asked.lengths, packing, Vec::new())
        };
        let mut sums = Sums::with_items(vocabulary.len());
        let kept = first_pass(setting, rows, &items, &mut numbers, &mut sums)?;
        let columns = Columns::of_vocabulary(vocabulary, &sums, &asked.limits)?;
        let passes = if kept.is_some() { 1 } else { 2 };
        let numbers = Box::new(numbers);
        return Ok(Counted { columns, kept, numbers, in_order: false, passes });
    }
    let ranges = items.passes(bytes_a_cell::<K>())?;
    if ranges.len() > 1 {
        let mut found = Found::<K>::default();
        for range in &ranges {
            items.within(range.clone());
            found.add(setting, rows, asked, &items)?;
        }
        let Found { keys, sums, terms, .. } = found;
        let (columns, in_order) = columns(setting, rows, asked, &packing, (&keys, &sums), terms)?;
        let numbers = Box::new(NgramNumbers::new(&asked.lengths, packing, keys));
        let passes = ranges.len() as u64 + 1;
        return Ok(Counted { columns, kept: None, numbers, in_order, passes });
    }
    let mut kept = KeptRows::<K>::default();
    scan(setting, rows, &items, |counts| {
        kept.begin_row();
        counts.iter().for_each(|(key, count)| kept.push(key.clone(), *count));
        Ok(())
    })?;
    let (mut keys, mut sums) = (Vec::new(), Sums::default());
    let kept = kept.rename(|cells, counts| {
        setting
            .ledger
            .meter
            .time(Phase::Merge, || number(cells, counts, &packing, &mut keys, &mut sums))
    })?;
    let terms = keys.len() as u64;
    let (columns, in_order) = columns(setting, rows, asked, &packing, (&keys, &sums), terms)?;
    let numbers = Box::new(NgramNumbers::new(&asked.lengths, packing, keys));
    Ok(Counted { columns, kept: Some(kept), numbers, in_order, passes: 1 })
}

/// Memory of a cell while cells are numbered: its key and count, and twice its place in the sort.
const fn bytes_a_cell<K>() -> usize {
    size_of::<K>() + size_of::<u16>() + 2 * size_of::<Placed<K>>()
}

/// A key, and the cell that it is of or its count there.
#[derive(Clone, Debug)]
struct Placed<K> {
    key: K,
    value: u64,
}

impl<K: Key> Keyed for Placed<K> {
    type Key = K;

    #[inline(always)]
    fn key(&self) -> &K {
        &self.key
    }
}

/// Numbers the keys of all cells in their order. Adds the distinct keys to `keys`, and their sums to
/// `sums`.
fn number<K: Key>(
    cells: Vec<K>,
    counts: &KeptCounts,
    packing: &Packing,
    keys: &mut Vec<K>,
    sums: &mut Sums,
) -> Result<Vec<u32>, QueryError> {
    let mut items = vec![0; cells.len()];
    let placed = cells.into_iter().zip(0..).map(|(key, value)| Placed { key, value });
    for same in sorted(placed.collect(), packing).chunk_by(|a, b| a.key == b.key) {
        let item = next_item(keys)?;
        let mut total = 0u64;
        for &Placed { value: cell, .. } in same {
            items[cell as usize] = item;
            total = total.saturating_add(counts.get(cell as usize));
        }
        keys.push(same[0].key.clone());
        sums.push(same.len() as u32, total);
    }
    Ok(items)
}

fn sorted<K: Key>(mut placed: Vec<Placed<K>>, packing: &Packing) -> Vec<Placed<K>> {
    let bits = u32::try_from(packing.bits()).unwrap_or(u32::MAX);
    Sorter::default().sort(&mut placed, bits);
    placed
}

/// The number of the next item.
fn next_item<K>(keys: &[K]) -> Result<u32, MatrixError> {
    /// The number above is for no column.
    const MOST: u32 = u32::MAX - 1;
    match u32::try_from(keys.len()) {
        Ok(item) if item < MOST => Ok(item),
        _ => Err(MatrixError::TooManyTerms { most: u64::from(MOST) }),
    }
}

/// N-grams within the limits, of several passes.
struct Found<K> {
    keys: Vec<K>,
    sums: Sums,
    /// Distinct n-grams, also those beyond the limits.
    terms: u64,
    /// How many the last trim has left.
    trimmed: usize,
}

/// Fewer n-grams are not worth a trim.
const FEW: usize = 1 << 16;

impl<K> Default for Found<K> {
    fn default() -> Self {
        Self { keys: Vec::new(), sums: Sums::default(), terms: 0, trimmed: 0 }
    }
}

impl<K: Key> Found<K> {
    /// Adds the n-grams of a range that comes after all others.
    fn add(
        &mut self,
        setting: &Setting<'_>,
        rows: &RowPlan<'_>,
        asked: &TermMatrix,
        items: &NgramItems<'_, K>,
    ) -> Result<(), QueryError> {
        let mut counted: Vec<Placed<K>> = Vec::new();
        scan(setting, rows, items, |counts| {
            let placed = |(key, count): &(K, u64)| Placed { key: key.clone(), value: *count };
            counted.extend(counts.iter().map(placed));
            Ok(())
        })?;
        setting.ledger.meter.time(Phase::Merge, || {
            for same in sorted(counted, items.packing()).chunk_by(|a, b| a.key == b.key) {
                self.terms += 1;
                next_item(&self.keys)?;
                let total = same.iter().fold(0u64, |sum, cell| sum.saturating_add(cell.value));
                self.keys.push(same[0].key.clone());
                self.sums.push(same.len() as u32, total);
                if self.keys.len() > 2 * self.trimmed.max(FEW) {
                    self.trim(asked, rows);
                }
            }
            self.trim(asked, rows);
            Ok(())
        })
    }

    /// Drops n-grams that can be no columns.
    fn trim(&mut self, asked: &TermMatrix, rows: &RowPlan<'_>) {
        let all = 0..self.keys.len() as u32;
        let kept = asked.limits.keep(all, &self.sums, rows.count());
        let of = |item: &u32| *item as usize;
        self.trimmed = kept.len();
        self.keys = kept.iter().map(|item| self.keys[of(item)].clone()).collect();
        self.sums = Sums {
            rows: kept.iter().map(|item| self.sums.rows[of(item)]).collect(),
            totals: kept.iter().map(|item| self.sums.totals[of(item)]).collect(),
        };
    }
}

/// Chooses columns among distinct n-grams, which are in order. Returns also whether that is the order
/// of columns.
fn columns<K: Key>(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    asked: &TermMatrix,
    packing: &Packing,
    (keys, sums): (&[K], &Sums),
    terms: u64,
) -> Result<(Columns, bool), QueryError> {
    let words = &setting.plan.words;
    let text = |&item: &u32| -> Vec<&[u8]> {
        let key = &keys[item as usize];
        let words_of = (0..packing.n).map(|place| key.word(place, packing));
        let words_of = words_of.take_while(|&word| word >= packing.first_word);
        words_of.map(|word| words.text_at(word - packing.first_word)).collect()
    };
    // A normal form may put a space into a word. Everywhere else the space between two words is below
    // all that words consist of, so that the order of lists of words is that of their texts.
    let in_order = !(0..words.len() as u32).any(|word| words.text(word).iter().any(|&b| b <= b' '));
    let all = 0..keys.len() as u32;
    let mut order: Vec<u32> = all.collect();
    if !in_order {
        order.sort_by_cached_key(|item| text(item).join(&b' '));
    }
    let kept = asked.limits.choose(order.into_iter(), sums, rows.count(), terms)?;
    let mut texts = Terms::default();
    kept.iter().for_each(|item| texts.push_joined(text(item)));
    Ok((Columns::new(&kept, texts, sums, &asked.limits), in_order))
}

/// The numbers of n-grams that are wanted.
struct NgramNumbers<K> {
    lengths: RangeInclusive<usize>,
    packing: Packing,
    /// The n-grams, by number.
    keys: Vec<K>,
    /// The same the other way, made when it is first needed.
    numbers: OnceLock<HashMap<K, u32, FxBuildHasher>>,
}

impl<K: Key> NgramNumbers<K> {
    fn new(lengths: &RangeInclusive<usize>, packing: Packing, keys: Vec<K>) -> Self {
        Self { lengths: lengths.clone(), packing, keys, numbers: OnceLock::new() }
    }
}

/// The columns of a vocabulary by key. Terms that no n-gram can be have none.
fn of_vocabulary<K: Key>(
    vocabulary: &Terms,
    words: &Words<'_>,
    lengths: &RangeInclusive<usize>,
    packing: &Packing,
) -> HashMap<K, u32, FxBuildHasher> {
    let mut numbers = HashMap::default();
    for (term, column) in vocabulary.iter().zip(0..) {
        let ranks = term.split(|&byte| byte == b' ').map(|word| rank_of(words, word));
        let Some(ranks) = ranks.collect::<Option<Vec<u32>>>() else { continue };
        if lengths.contains(&ranks.len()) {
            let places = ranks.iter().map(|rank| rank + packing.first_word);
            let places = places.chain(std::iter::repeat_n(0, packing.n - ranks.len()));
            let key = places.fold(K::empty(packing), |key, word| key.roll(word, packing));
            numbers.insert(key, column);
        }
    }
    numbers
}

impl<K: Key> Numbering<K> for NgramNumbers<K> {
    fn learn(&mut self, key: &K) -> Result<Option<u32>, QueryError> {
        Ok(self.find(key))
    }

    fn find(&self, key: &K) -> Option<u32> {
        let all = || self.keys.iter().cloned().zip(0..).collect();
        self.numbers.get_or_init(all).get(key).copied()
    }
}

impl<K: Key> Recount for NgramNumbers<K> {
    fn recount(
        &self,
        setting: &Setting<'_>,
        rows: &RowPlan<'_>,
        sink: &mut RowItems<'_>,
    ) -> Result<(), QueryError> {
        let items = NgramItems::<K>::new(setting, &self.lengths, self.packing);
        scan(setting, rows, &items, |counts| {
            let found = counts.iter().filter_map(|(key, count)| Some((self.find(key)?, *count)));
            sink(&mut { found })
        })
    }

    fn places(&self, setting: &Setting<'_>, items: usize) -> Result<Vec<u32>, QueryError> {
        places_of(setting, &self.lengths, &self.packing, items, |key| self.find(key))
    }
}

/// The places of n-grams by document, length and place in the text of their first occurrences.
fn places_of<K: Key>(
    setting: &Setting<'_>,
    lengths: &RangeInclusive<usize>,
    packing: &Packing,
    items: usize,
    find: impl Fn(&K) -> Option<u32>,
) -> Result<Vec<u32>, QueryError> {
    let mut is_met = vec![false; items];
    let mut met: Vec<(u32, u32)> = Vec::new();
    for n in lengths.clone() {
        let of_length = Packing { n, ..*packing };
        for_each_sequence::<K>(setting, &of_length, |document, key| {
            let key = key.pad(&of_length, packing);
            if let Some(item) = find(&key)
                && !std::mem::replace(&mut is_met[item as usize], true)
            {
                met.push((document, item));
            }
        })?;
    }
    // Within a document they are in order: shorter ones were read first.
    met.sort_by_key(|&(document, _)| document);
    let mut places = vec![u32::MAX; items];
    for (place, &(_, item)) in (0..).zip(&met) {
        places[item as usize] = place;
    }
    Ok(places)
}
