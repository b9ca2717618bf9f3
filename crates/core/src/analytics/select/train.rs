//! Growing a decision tree from measured runs.
//!
//! A tree is judged by what its choices cost: a choice that takes twice the time of the best one
//! costs one doubling, whatever the corpus. Splits are tried at every feature and value and kept
//! while they lower that cost.

use super::features;
use super::tree::{Node, Tree};
use super::trial::Trial;
use crate::analytics::task::Traversal;

/// Deeper trees would learn the corpora by heart.
const MOST_DEPTH: usize = 5;

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
    /// Of a tree's choices for `trials`.
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
    let trials: Vec<&Trial> = trials.iter().collect();
    if trials.is_empty() { None } else { Some(Tree { root: grow(&trials, 0) }) }
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

/// The traversal that costs least over all trials, and its cost in doublings.
fn best_leaf(trials: &[&Trial]) -> (Traversal, f64) {
    let cost = |traversal: Traversal| -> f64 {
        trials.iter().map(|trial| trial.slowdown(traversal).log2()).sum()
    };
    Traversal::ALL
        .into_iter()
        .map(|traversal| (traversal, cost(traversal)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .expect("there are traversals")
}

fn grow(trials: &[&Trial], depth: usize) -> Node {
    let (leaf, cost) = best_leaf(trials);
    if depth == MOST_DEPTH || cost < LEAST_GAIN {
        return Node::Leaf(leaf);
    }
    let mut best: Option<(f64, usize, f64)> = None;
    for feature in 0..features::NAMES.len() {
        let value = |trial: &&Trial| trial.features.values()[feature];
        let mut values: Vec<f64> = trials.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for pair in values.windows(2) {
            let at_most = between(pair[0], pair[1]);
            let (yes, no): (Vec<&Trial>, Vec<&Trial>) =
                trials.iter().copied().partition(|trial| value(trial) <= at_most);
            let split_cost = best_leaf(&yes).1 + best_leaf(&no).1;
            if best.is_none_or(|(least, ..)| split_cost < least) {
                best = Some((split_cost, feature, at_most));
            }
        }
    }
    match best {
        Some((split_cost, feature, at_most)) if cost - split_cost >= LEAST_GAIN => {
            let (yes, no): (Vec<&Trial>, Vec<&Trial>) = trials
                .iter()
                .copied()
                .partition(|trial| trial.features.values()[feature] <= at_most);
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
    let digits = 10f64.powf(middle.abs().max(1e-9).log10().floor() - 1.0);
    let round = (middle / digits).round() * digits;
    if round >= low && round < high { round } else { middle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::select::Features;
    use std::time::Duration;

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
