//! Tests whether a device counts correctly, and how fast.

use crate::backend::Backend;
use crate::cpu_twins::Twins;
use crate::engine::Engine;
use crate::error::GpuError;
use std::time::{Duration, Instant};
use zgram::analytics::Traversal;
use zgram::plumbing::Grammar;
use zgram::plumbing::{Counted, Job};

/// The result of a self-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfTest {
    /// Whether all counts equal those of the CPU.
    pub is_right: bool,
    /// The symbols of the test grammar.
    pub symbols: u64,
    /// The time to count its words, with kernels already compiled.
    pub time: Duration,
}

const TOKENS: u32 = 4000;
const RULES: u32 = 20_000;
const DOCUMENTS: u32 = 64;
const DOCUMENT: u32 = 4000;

/// A grammar with frequent and rare words, and short and long rules.
fn sample() -> Result<Grammar, GpuError> {
    let mut state = 1u32;
    let mut next = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Squared, so that low numbers are frequent, as some words are.
        let share = u64::from(state >> 8);
        ((share * share * u64::from(below)) >> 48) as u32
    };
    let mut symbols = Vec::new();
    let mut doc_starts = vec![0];
    for _ in 0..DOCUMENTS {
        for _ in 0..DOCUMENT {
            let symbol = next(TOKENS + RULES - 1);
            symbols.push(if symbol < TOKENS { symbol } else { symbol + 1 });
        }
        doc_starts.push(symbols.len() as u32);
    }
    let mut rule_starts = vec![0, symbols.len() as u32];
    for rule in 1..RULES {
        let is_long = rule.is_multiple_of(5000);
        for _ in 0..if is_long { 3000 } else { 2 + rule % 4 } {
            // Parents are far from their children, so that there are few levels.
            let later = (rule + 1).max(2 * rule);
            let symbol = next(TOKENS + RULES.saturating_sub(later));
            symbols.push(if symbol < TOKENS { symbol } else { symbol + later });
        }
        rule_starts.push(symbols.len() as u32);
    }
    Grammar::new(TOKENS, rule_starts, symbols, doc_starts)
        .map_err(|error| GpuError::Invalid { reason: error.to_string() })
}

/// Counts words, words per document, and sequences of a small grammar on `backend`, and compares the
/// counts with those of the kernels' twins.
///
/// # Errors
/// When the device fails.
pub fn self_test(backend: &dyn Backend) -> Result<SelfTest, GpuError> {
    let grammar = sample()?;
    let numbers: Vec<u32> = (0..TOKENS).map(|token| token.wrapping_sub(5)).collect();
    let documents: Vec<usize> = (0..DOCUMENTS as usize).collect();
    let down = |engine: Engine<_>| engine.with_traversal(Traversal::TopDownSingle);
    let (device, up) = (down(Engine::new(backend)), Engine::new(backend));
    let twins = Engine::new(Twins::default());
    let mut is_right = true;
    let words = TOKENS as usize - 5;
    let job = |n: usize, by_document: bool, documents| Job {
        grammar: &grammar,
        numbers: &numbers,
        words,
        n,
        first_words: 0..u32::MAX,
        documents,
        by_document,
    };
    for (engine, job) in [
        (&device, job(1, false, &documents[..])),
        (&device, job(1, true, &documents[..])),
        (&up, job(1, true, &documents[..])),
        (&device, job(3, true, &documents[..3])),
        (&up, job(3, true, &documents[..3])),
    ] {
        is_right &= ordered(&engine.count_job(&job)?) == ordered(&twins.count_job(&job)?);
    }
    let start = Instant::now();
    device.count_job(&job(1, false, &documents))?;
    Ok(SelfTest { is_right, symbols: grammar.symbols().len() as u64, time: start.elapsed() })
}

/// Sequences, and each document's items with their counts.
type Ordered<'c> = (&'c [u32], Vec<Vec<(u32, u64)>>);

/// Sorts the items of each document: a device returns them in any order.
fn ordered(counted: &Counted) -> Ordered<'_> {
    let document = |pair: &[usize]| {
        let items = &counted.items[pair[0]..pair[1]];
        let mut items: Vec<(u32, u64)> =
            items.iter().copied().zip(counted.counts[pair[0]..pair[1]].iter().copied()).collect();
        items.sort_unstable();
        items
    };
    (&counted.sequences, counted.starts.windows(2).map(document).collect())
}
