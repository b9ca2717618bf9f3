//! Grows a decision tree from measured runs.
//!
//! A tree is judged by the cost of its choices: a choice that takes twice the time of the best one
//! costs one doubling, whatever the corpus. Splits are tried at every feature and value and kept
//! while they lower that cost. A split is judged by the cost after one more split on either side:
//! the kind of answer says little until it is known how much the text repeats.

use super::features;
use super::tree::{Node, Tree};
use super::trial::Trial;
use crate::analytics::task::Traversal;

/// Deeper trees would overfit the corpora.
const MOST_DEPTH: usize = 4;

/// A split must save this many doublings over all runs it decides on.
const LEAST_GAIN: f64 = 0.15;

/// A choice is a hit when it takes at most this much longer than the best.
const HIT: f64 = 1.1;

/// How often a tree's choices are within a tenth of the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HitRate {
    /// Choices within a tenth of the best.
    pub hits: usize,
    /// All choices.
    pub trials: usize,
    /// The largest slowdown of any choice.
    pub worst: f64,
}

impl HitRate {
    /// The hit rate of a tree's choices for `trials`.
    #[must_use]
    pub fn of(tree: &Tree, trials: &[Trial]) -> Self {
        let slowdown = |trial: &Trial| trial.slowdown(tree.choose(&trial.features).0);
        let hits = trials.iter().filter(|trial| slowdown(trial) <= HIT).count();
        let worst = trials.iter().map(slowdown).fold(1.0, f64::max);
        Self { hits, trials: trials.len(), worst }
    }
}

/// Grows a tree from trials; `None` if there are none.
#[must_use]
pub fn train(trials: &[Trial]) -> Option<Tree> {
    let cases: Vec<Case<'_>> = trials.iter().map(Case::from).collect();
    let cases: Vec<&Case<'_>> = cases.iter().collect();
    if cases.is_empty() { None } else { Some(Tree { root: grow(&cases, 0) }) }
}

/// Trains on all corpora but one and chooses for that one, for each corpus in turn.
#[must_use]
pub fn cross_validate(trials: &[Trial]) -> HitRate {
    let mut total = HitRate { hits: 0, trials: 0, worst: 1.0 };
    let mut corpora: Vec<&str> = trials.iter().map(|trial| trial.corpus.as_str()).collect();
    corpora.sort_unstable();
    corpora.dedup();
    for corpus in corpora {
        let (left_out, known): (Vec<Trial>, Vec<Trial>) =
            trials.iter().cloned().partition(|trial| trial.corpus == corpus);
        let Some(tree) = train(&known) else { continue };
        let rate = HitRate::of(&tree, &left_out);
        total.hits += rate.hits;
        total.trials += rate.trials;
        total.worst = total.worst.max(rate.worst);
    }
    total
}

/// A trial for training: the features, and the cost of each traversal in doublings.
struct Case<'t> {
    values: &'t [f64],
    costs: [f64; 4],
}

impl<'t> From<&'t Trial> for Case<'t> {
    fn from(trial: &'t Trial) -> Self {
        let costs = Traversal::ALL.map(|traversal| trial.slowdown(traversal).log2());
        Self { values: trial.features.values(), costs }
    }
}

/// The traversal that costs least over all cases, and its cost.
fn best_leaf(cases: &[&Case<'_>]) -> (Traversal, f64) {
    let mut costs = [0.0; 4];
    for case in cases {
        costs.iter_mut().zip(&case.costs).for_each(|(sum, cost)| *sum += cost);
    }
    let least = Traversal::ALL.into_iter().zip(costs).min_by(|a, b| a.1.total_cmp(&b.1));
    least.expect("there are traversals")
}

/// A test of a feature, by number, and its cost.
struct Split {
    feature: usize,
    at_most: f64,
    cost: f64,
}

/// The split that costs least, where `cost_of` gives the cost of a side; `None` if no feature
/// differs.
fn best_split(cases: &[&Case<'_>], cost_of: impl Fn(&[&Case<'_>]) -> f64) -> Option<Split> {
    let mut best: Option<Split> = None;
    for feature in 0..features::NAMES.len() {
        let mut values: Vec<f64> = cases.iter().map(|case| case.values[feature]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for pair in values.windows(2) {
            let at_most = between(pair[0], pair[1]);
            let (yes, no) = divide(cases, feature, at_most);
            let cost = cost_of(&yes) + cost_of(&no);
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Split { feature, at_most, cost });
            }
        }
    }
    best
}

/// The cases on either side of a test.
fn divide<'c, 't>(
    cases: &[&'c Case<'t>],
    feature: usize,
    at_most: f64,
) -> (Vec<&'c Case<'t>>, Vec<&'c Case<'t>>) {
    cases.iter().partition(|case| case.values[feature] <= at_most)
}

fn grow(cases: &[&Case<'_>], depth: usize) -> Node {
    let (leaf, cost) = best_leaf(cases);
    if depth == MOST_DEPTH || cost < LEAST_GAIN {
        return Node::Leaf(leaf);
    }
    let as_leaves = |cases: &[&Case<'_>]| best_split(cases, |side| best_leaf(side).1);
    let after_one_more = |cases: &[&Case<'_>]| {
        as_leaves(cases).map_or(f64::INFINITY, |split| split.cost).min(best_leaf(cases).1)
    };
    let ahead = best_split(cases, after_one_more);
    // A split that is as good alone needs no second one.
    let least = ahead.as_ref().map_or(0.0, |split| split.cost) + LEAST_GAIN;
    match as_leaves(cases).filter(|split| split.cost <= least).or(ahead) {
        Some(split) if cost - split.cost >= LEAST_GAIN => {
            let Split { feature, at_most, .. } = split;
            let (yes, no) = divide(cases, feature, at_most);
            let yes = Box::new(grow(&yes, depth + 1));
            let no = Box::new(grow(&no, depth + 1));
            if yes == no { *yes } else { Node::Test { feature, at_most, yes, no } }
        }
        _ => Node::Leaf(leaf),
    }
}

/// A round number between two values, nearer in ratio than in difference.
fn between(low: f64, high: f64) -> f64 {
    let middle = if low > 0.0 { (low * high).sqrt() } else { (low + high) / 2.0 };
    // Converted through text, so that two digits also print as two.
    let round: f64 = format!("{middle:.1e}").parse().expect("a number");
    if round >= low && round < high { round } else { middle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::select::Features;
    use std::time::Duration;

    #[test]
    fn thresholds_are_round_and_between() {
        assert_eq!(between(1.6, 1.81).to_string(), "1.7");
        assert_eq!(between(0.0, 1.0).to_string(), "0.5");
        let (low, high) = (1.701, 1.702);
        assert!((low..high).contains(&between(low, high)));
    }

    fn trial(corpus: usize, words_per_symbol: f64, fast: usize) -> Trial {
        let mut values = [1.0; features::NAMES.len()];
        values[10] = words_per_symbol;
        let mut times = [Duration::from_millis(100); 4];
        times[fast] = Duration::from_millis(10);
        Trial {
            corpus: corpus.to_string(),
            task: "sort".to_owned(),
            features: Features::from_values(values),
            times,
        }
    }

    #[test]
    fn a_rule_in_the_trials_is_found() {
        let trials: Vec<Trial> = (0..20)
            .map(|corpus| {
                let repeats = 1.0 + f64::from(corpus as u32);
                trial(corpus, repeats, if repeats <= 6.0 { 3 } else { 1 })
            })
            .collect();
        let tree = train(&trials).unwrap();
        assert_eq!(HitRate::of(&tree, &trials), HitRate { hits: 20, trials: 20, worst: 1.0 });
        assert!(tree.to_string().starts_with("if words_per_symbol <= 6"), "{tree}");
        let rate = cross_validate(&trials);
        assert!(rate.trials == 20 && rate.hits >= 19, "{rate:?}");
        assert!(train(&[]).is_none());
    }

    #[test]
    fn trials_of_one_choice_need_no_test() {
        let trials: Vec<Trial> = (0..5).map(|corpus| trial(corpus, corpus as f64, 2)).collect();
        assert_eq!(train(&trials).unwrap().to_string(), "bottom-up\n");
    }
}
