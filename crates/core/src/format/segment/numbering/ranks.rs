//! Ranks: the numbers of symbols on disk, by column and with frequent symbols first.
//!
//! A token has a row and a column: see [`clusters`](crate::format::clusters). A rule has the column of
//! its first token and the row of its last. The symbols of a column are ranked by falling frequency
//! level, at each level tokens before rules. A coder stores the column of a symbol, in the context of
//! the row before it, and its place in the column. The more frequent a symbol, the smaller its place.
//!
//! The rank of a rule takes no space: rules are numbered by rank within each level of the DAG, and only
//! the lengths of [`Run`]s are stored.

use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::clusters::Clusters;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, Group, LEVELS, frequency_level};
use std::cmp::Reverse;

/// Rules of one DAG level, column and frequency level. Their numbers are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) dag_level: u32,
    pub(crate) column: u8,
    pub(crate) frequency_level: u8,
    pub(crate) count: u32,
}

/// The ranks of all symbols.
#[derive(Debug)]
pub(crate) struct Ranks {
    /// The first rank of each column, and the end.
    pub(crate) column_starts: Vec<u32>,
    pub(crate) symbol_of: Vec<Symbol>,
    /// The first rank of each run; the others of the run follow.
    pub(crate) run_starts: Vec<u32>,
}

impl Ranks {
    /// Ranks the tokens of a dictionary with these groups and the rules of `runs`; the root has no rank.
    ///
    /// Runs must name columns below `clusters.count` and frequency levels below [`LEVELS`], and the
    /// symbols must fit 32 bits.
    pub(crate) fn new(groups: &[Group], clusters: &Clusters, runs: &[Run]) -> Self {
        let bucket_starts = bucket_starts(groups, clusters, runs);
        let column_starts =
            (0..=clusters.count).map(|column| bucket_starts[column * LEVELS]).collect();
        let total = bucket_starts[clusters.count * LEVELS] as usize;
        let mut next = bucket_starts;
        let mut symbol_of = vec![0; total];
        for group in groups {
            for id in group.start..group.end {
                let column = clusters.columns[id as usize];
                let place = &mut next[bucket(column, group.level)];
                symbol_of[*place as usize] = id;
                *place += 1;
            }
        }
        let mut rule = groups.last().map_or(0, |group| group.end) + 1;
        let mut run_starts = Vec::with_capacity(runs.len());
        for run in runs {
            let place = &mut next[bucket(run.column, run.frequency_level)];
            run_starts.push(*place);
            for slot in &mut symbol_of[*place as usize..(*place + run.count) as usize] {
                *slot = rule;
                rule += 1;
            }
            *place += run.count;
        }
        Self { column_starts, symbol_of, run_starts }
    }
}

/// Number of the bucket of a column and frequency level. In a column the most frequent level is first.
fn bucket(column: u8, level: u8) -> usize {
    column as usize * LEVELS + (LEVELS - 1 - level as usize)
}

/// The first rank of each bucket, and the end.
fn bucket_starts(groups: &[Group], clusters: &Clusters, runs: &[Run]) -> Vec<u32> {
    let mut starts = vec![0u32; clusters.count * LEVELS + 1];
    for group in groups {
        for &column in &clusters.columns[group.start as usize..group.end as usize] {
            starts[bucket(column, group.level) + 1] += 1;
        }
    }
    for run in runs {
        starts[bucket(run.column, run.frequency_level) + 1] += run.count;
    }
    for at in 1..starts.len() {
        starts[at] += starts[at - 1];
    }
    starts
}

/// A grammar whose rules are numbered as in the file, with all ranks.
pub(crate) struct RankedGrammar {
    pub(crate) grammar: Grammar,
    pub(crate) runs: Vec<Run>,
    pub(crate) ranks: Ranks,
    /// By symbol; that of the root has no meaning.
    pub(crate) rank_of: Vec<u32>,
}

impl RankedGrammar {
    /// Renumbers the rules of `grammar`, whose tokens are ids of `dictionary`.
    pub(crate) fn new(grammar: &Grammar, dictionary: &Dictionary, clusters: &Clusters) -> Self {
        let tokens = grammar.tokens() as usize;
        let rules = grammar.rule_count();
        let dag_levels = grammar.levels();
        let keys: Vec<RuleKey> = rule_keys(grammar, clusters, &dag_levels);

        // Runs, and for each rule of the old numbering the run it belongs to.
        let mut order: Vec<u32> = (1..rules as u32).collect();
        order.sort_unstable_by_key(|&rule| (keys[rule as usize], rule));
        let mut runs: Vec<Run> = Vec::new();
        for &rule in &order {
            let (dag_level, column, Reverse(frequency_level)) = keys[rule as usize];
            match runs.last_mut() {
                Some(run)
                    if (run.dag_level, run.column, run.frequency_level)
                        == (dag_level, column, frequency_level) =>
                {
                    run.count += 1;
                }
                _ => runs.push(Run { dag_level, column, frequency_level, count: 1 }),
            }
        }

        // Ranks depend on the runs alone, so the order of rules in a run is still free. Sorting a run
        // by its right-hand sides makes those cheap to code. Children are deeper, so from the deepest
        // level up their ranks are known.
        let ranks = Ranks::new(dictionary.groups(), clusters, &runs);
        let mut rank_of_new = vec![0u32; tokens + rules];
        for (rank, &symbol) in ranks.symbol_of.iter().enumerate() {
            rank_of_new[symbol as usize] = rank as u32;
        }
        let mut rank_of_old = vec![0u32; tokens + rules];
        rank_of_old[..tokens].copy_from_slice(&rank_of_new[..tokens]);
        let mut end = order.len();
        for run in runs.iter().rev() {
            let start = end - run.count as usize;
            let ranks = |rule: u32| {
                grammar.rule(rule as usize).iter().map(|&symbol| rank_of_old[symbol as usize])
            };
            let mut run: Vec<(u32, u32)> = order[start..end]
                .iter()
                .map(|&rule| (ranks(rule).next().expect("a rule is not empty"), rule))
                .collect();
            // Most rules of a run differ in their first symbol; only the others need a full comparison.
            run.sort_unstable_by(|&(first, rule), &(other_first, other)| {
                let rest = || ranks(rule).cmp(ranks(other)).then(rule.cmp(&other));
                first.cmp(&other_first).then_with(rest)
            });
            order[start..end].iter_mut().zip(run).for_each(|(slot, (_, rule))| *slot = rule);
            for new in start..end {
                rank_of_old[tokens + order[new] as usize] = rank_of_new[tokens + 1 + new];
            }
            end = start;
        }
        let grammar = renumber(grammar, &order);
        Self { grammar, runs, ranks, rank_of: rank_of_new }
    }
}

/// DAG level, column, and falling frequency level.
type RuleKey = (u32, u8, Reverse<u8>);

fn rule_keys(grammar: &Grammar, clusters: &Clusters, dag_levels: &[u32]) -> Vec<RuleKey> {
    let mut uses = vec![0u32; grammar.rule_count()];
    for &symbol in grammar.symbols() {
        if let Some(child) = grammar.as_rule(symbol) {
            uses[child] += 1;
        }
    }
    let mut keys = vec![(0, 0, Reverse(0)); grammar.rule_count()];
    for rule in (1..grammar.rule_count()).rev() {
        let first = grammar.rule(rule)[0];
        let column = match grammar.as_rule(first) {
            Some(child) => keys[child].1,
            None => clusters.columns[first as usize],
        };
        keys[rule] = (dag_levels[rule], column, Reverse(frequency_level(uses[rule])));
    }
    keys
}

/// Rule `k + 1` of the result is rule `order[k]` of `grammar`.
fn renumber(grammar: &Grammar, order: &[u32]) -> Grammar {
    let tokens = grammar.tokens();
    let mut number = vec![0u32; grammar.rule_count()];
    for (new, &old) in (1..).zip(order) {
        number[old as usize] = new;
    }
    let mut symbols = Vec::with_capacity(grammar.symbols().len());
    let mut rule_starts = vec![0];
    for rule in std::iter::once(0).chain(order.iter().copied()) {
        symbols.extend(
            grammar.rule(rule as usize).iter().map(|&symbol| {
                grammar.as_rule(symbol).map_or(symbol, |child| tokens + number[child])
            }),
        );
        rule_starts.push(symbols.len() as u32);
    }
    // Renumbering by level keeps every invariant.
    Grammar::from_checked(tokens, rule_starts, symbols, grammar.doc_starts().to_vec())
}

/// The row of each symbol: that of its last token.
pub(crate) fn symbol_rows(grammar: &Grammar, clusters: &Clusters) -> Vec<u8> {
    let tokens = grammar.tokens() as usize;
    let mut rows = clusters.rows.clone();
    rows.resize(tokens + grammar.rule_count(), 0);
    for rule in (1..grammar.rule_count()).rev() {
        let last = *grammar.rule(rule).last().expect("a rule is not empty");
        rows[tokens + rule] = rows[last as usize];
    }
    rows
}

/// The column of each rank.
pub(crate) fn rank_columns(ranks: &Ranks) -> Vec<u8> {
    let mut columns = Vec::with_capacity(ranks.symbol_of.len());
    for (column, starts) in (0u8..=255).zip(ranks.column_starts.windows(2)) {
        columns.resize(columns.len() + (starts[1] - starts[0]) as usize, column);
    }
    columns
}

/// Encodes runs: DAG level as a step, and count, as varints; column and frequency level as bytes.
pub(crate) fn runs_to_bytes(runs: &[Run]) -> Vec<u8> {
    let mut out = Vec::with_capacity(runs.len() * 4);
    let mut dag_level = 0;
    for run in runs {
        put_varint(&mut out, u64::from(run.dag_level - dag_level));
        dag_level = run.dag_level;
        out.push(run.column);
        out.push(run.frequency_level);
        put_varint(&mut out, u64::from(run.count));
    }
    out
}

/// Decodes what [`runs_to_bytes`] wrote, for this many rules and columns.
pub(crate) fn runs_from_bytes(
    bytes: &[u8],
    rules: usize,
    columns: usize,
) -> Result<Vec<Run>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let mut runs = Vec::new();
    let (mut dag_level, mut left) = (0u32, rules as u64);
    while reader.remaining() > 0 {
        let step = reader.varint_at_most(u64::from(u32::MAX - dag_level), "DAG level")?;
        dag_level += step as u32;
        let (column, frequency_level) = (reader.u8()?, reader.u8()?);
        if column as usize >= columns || frequency_level as usize >= LEVELS {
            return reader.malformed(format!("no column {column} at level {frequency_level}"));
        }
        let count = reader.varint_at_most(left, "rules of a run")? as u32;
        left -= u64::from(count);
        runs.push(Run { dag_level, column, frequency_level, count });
    }
    if left > 0 {
        return reader.malformed(format!("{left} rules in no run"));
    }
    Ok(runs)
}
