//! Top-down: a rule's weight is the number of its occurrences in the document (tadoc section 4.2).
//!
//! The symbols of the document give the first weights. Each rule then passes its weight to its
//! children, parents first. Every rule that the document reaches is visited once, however often it
//! occurs. Edges are merged first (section 4.5), so a child that occurs ten times in a rule is one
//! edge.

use super::pending::{Layers, Pending};
use crate::analytics::task::Task;
use crate::grammar::edges::{EdgeMerged, EdgeRow};

pub(crate) struct TopDown {
    edges: EdgeMerged,
    layers: Layers,
}

/// Weights of rules on their way down.
#[derive(Debug, Default)]
pub(crate) struct Weights {
    weights: Vec<u64>,
    pending: Pending,
}

impl TopDown {
    pub(super) fn new(edges: EdgeMerged, layers: Layers) -> Self {
        Self { edges, layers }
    }

    pub(super) fn weights(&self) -> Weights {
        let rules = self.edges.rule_count();
        Weights { weights: vec![0; rules], pending: Pending::new(rules, self.layers) }
    }

    /// Visits all rules that `documents` reach; returns how many symbols it visited.
    pub(super) fn visit<T: Task>(
        &self,
        documents: &[usize],
        task: &T,
        value: &mut T::Value,
        weights: &mut Weights,
    ) -> u64 {
        let mut visited = 0;
        for &document in documents {
            visited += self.hand_down(self.edges.document(document), 1, task, value, weights);
        }
        while let Some(rule) = weights.pending.pop() {
            let weight = std::mem::take(&mut weights.weights[rule]);
            visited += self.hand_down(self.edges.rule(rule), weight, task, value, weights);
        }
        visited
    }

    /// Shows a row's tokens to the task and adds to the weights of its rules.
    #[inline]
    fn hand_down<T: Task>(
        &self,
        edges: EdgeRow<'_>,
        weight: u64,
        task: &T,
        value: &mut T::Value,
        Weights { weights, pending }: &mut Weights,
    ) -> u64 {
        for (symbol, count) in edges.iter() {
            let times = weight.saturating_mul(u64::from(count));
            match self.edges.as_rule(symbol) {
                None => task.local(value, symbol, times),
                Some(rule) => {
                    weights[rule] = weights[rule].saturating_add(times);
                    pending.insert(rule);
                }
            }
        }
        edges.symbols.len() as u64
    }
}
