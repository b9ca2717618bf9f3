//! Plans dispatches for steps.
//!
//! A wide step gets its own dispatch. Narrow steps, of which deep grammars have very many, share one: one
//! workgroup runs them with a barrier after each, which costs less than a dispatch each. A step with more
//! symbols than a binding can hold is cut into windows.

use crate::kernels::count::packed_symbols::words_of;
use crate::recording::{BINDING_STEP, Binding, Buffer};
use std::ops::Range;

/// Threads of the workgroup that runs several steps.
pub(crate) const WORKGROUP: usize = 64;

/// The most units (nodes, slots) of a step that shares a dispatch.
const NARROW: usize = 4 * WORKGROUP;

/// The most loop rounds of a thread in one dispatch: one software device silently ends loops after
/// 65,535.
const MOST_ROUNDS: usize = 30_000;

/// Symbols between two possible starts of a window: 32 symbols take as many words as one symbol has bits.
const WINDOW_STEP: usize = 32 * BINDING_STEP;

/// The work of one dispatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedDispatch {
    /// Steps, by their position in the uploaded list.
    pub(crate) steps: Range<u32>,
    pub(crate) threads: usize,
    /// The symbols that are bound.
    pub(crate) window: Range<usize>,
}

/// The steps as they are uploaded, and the dispatches that run them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The first and end node of each step, and whatever else a kernel expects after them.
    pub(crate) steps: Vec<u32>,
    pub(crate) dispatches: Vec<PlannedDispatch>,
}

/// The inputs of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    pub(crate) node_starts: &'a [u32],
    pub(crate) symbol_bits: u32,
    /// Loop rounds of a thread per symbol, and additional ones.
    pub(crate) rounds_a_symbol: usize,
    pub(crate) rounds: usize,
    /// The most words of a binding.
    pub(crate) most_binding: usize,
}

impl Plan {
    /// Plans steps in this order. `units` returns the number of threads that a range of nodes needs.
    pub(crate) fn new(
        steps: impl Iterator<Item = Range<u32>>,
        shape: Shape<'_>,
        units: impl Fn(&Range<u32>) -> usize,
    ) -> Self {
        let Shape { node_starts, symbol_bits, rounds_a_symbol, rounds: more, most_binding } = shape;
        let all = *node_starts.last().expect("starts have an end") as usize;
        let is_cut = words_of(&(0..all), symbol_bits).end > most_binding;
        let mut plan = Self::default();
        let mut rounds = usize::MAX;
        for step in steps {
            if is_cut {
                for part in cut(step, node_starts, symbol_bits, most_binding) {
                    let window = window(&part, node_starts);
                    plan.push(&part, units(&part), window);
                }
                continue;
            }
            let count = units(&step);
            let longest = step
                .clone()
                .map(|node| node_starts[node as usize + 1] - node_starts[node as usize])
                .max()
                .unwrap_or(0) as usize;
            let own = 2 + count.div_ceil(WORKGROUP) * (rounds_a_symbol * longest + more);
            let is_narrow = count <= NARROW && own <= MOST_ROUNDS;
            match plan.dispatches.last_mut() {
                Some(dispatch) if is_narrow && rounds.saturating_add(own) <= MOST_ROUNDS => {
                    dispatch.steps.end += 1;
                    plan.steps.extend([step.start, step.end]);
                    rounds += own;
                }
                _ => {
                    plan.push(&step, count, 0..all);
                    rounds = if is_narrow { own } else { usize::MAX };
                    if is_narrow {
                        plan.dispatches.last_mut().expect("just pushed").threads = WORKGROUP;
                    }
                }
            }
        }
        plan
    }

    fn push(&mut self, step: &Range<u32>, threads: usize, window: Range<usize>) {
        let number = self.steps.len() as u32 / 2;
        self.steps.extend([step.start, step.end]);
        self.dispatches.push(PlannedDispatch { steps: number..number + 1, threads, window });
    }
}

/// Cuts a range of nodes where its symbols exceed a binding.
fn cut(
    nodes: Range<u32>,
    node_starts: &[u32],
    symbol_bits: u32,
    most_binding: usize,
) -> impl Iterator<Item = Range<u32>> {
    let mut first = nodes.start;
    std::iter::from_fn(move || {
        if first >= nodes.end {
            return None;
        }
        let seen = |&end: &u32| words_of(&window(&(first..end), node_starts), symbol_bits);
        let fits = |end: &u32| seen(end).len() <= most_binding;
        // A node that does not fit alone is tried all the same; the device then refuses it.
        let end = (first + 1..=nodes.end).take_while(fits).last().unwrap_or(first + 1);
        let part = first..end;
        first = end;
        Some(part)
    })
}

/// The symbols of nodes, from a possible start of a window.
fn window(nodes: &Range<u32>, node_starts: &[u32]) -> Range<usize> {
    let start = node_starts[nodes.start as usize] as usize / WINDOW_STEP * WINDOW_STEP;
    let end = node_starts[nodes.end as usize] as usize;
    start..end.max(start + 1)
}

/// A window as a binding: never empty, never past the end.
pub(crate) fn bind(symbols: Buffer, window: &Range<usize>, symbol_bits: u32) -> Binding {
    let words = words_of(window, symbol_bits);
    let start = words.start.min((symbols.words() - 1) / BINDING_STEP * BINDING_STEP);
    symbols.part(start..words.end.clamp(start + 1, symbols.words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(node_starts: &[u32], most_binding: usize) -> Shape<'_> {
        Shape { node_starts, symbol_bits: 20, rounds_a_symbol: 1, rounds: 32, most_binding }
    }

    #[test]
    fn narrow_steps_go_together_and_wide_ones_alone() {
        let node_starts: Vec<u32> = (0..=1010).map(|node| 2 * node).collect();
        let steps = (0..5).map(|node| node..node + 1).chain([5..1005, 1005..1006, 1006..1010]);
        let plan = Plan::new(steps, shape(&node_starts, 1 << 20), |step| step.len());
        let dispatches: Vec<(Range<u32>, usize)> = plan
            .dispatches
            .iter()
            .map(|dispatch| (dispatch.steps.clone(), dispatch.threads))
            .collect();
        assert_eq!(dispatches, [(0..5, 64), (5..6, 1000), (6..8, 64)]);
        assert_eq!(plan.steps.len(), 16);
    }

    #[test]
    fn a_dispatch_has_few_rounds() {
        let node_starts: Vec<u32> = (0..=100_000).map(|node| 2 * node).collect();
        let steps = (0..100_000).map(|node| node..node + 1);
        let plan = Plan::new(steps, shape(&node_starts, 1 << 20), |step| step.len());
        let most = plan.dispatches.iter().map(|dispatch| dispatch.steps.len()).max().unwrap();
        assert!(
            most * 36 <= MOST_ROUNDS && plan.dispatches.len() < 200,
            "{}",
            plan.dispatches.len()
        );
    }

    #[test]
    fn windows_keep_to_the_limit() {
        let node_starts: Vec<u32> = (0..=1000).map(|node| 70 * node).collect();
        // At 20 bits per symbol the nodes take 43,750 words.
        let plan =
            Plan::new(std::iter::once(0..1000), shape(&node_starts, 2000), |step| step.len());
        assert!(plan.dispatches.len() > 21);
        let mut next = 0;
        for (dispatch, step) in plan.dispatches.iter().zip(plan.steps.chunks(2)) {
            assert_eq!(step[0], next);
            next = step[1];
            let words = words_of(&dispatch.window, 20);
            assert!(words.len() <= 2000 && words.start.is_multiple_of(BINDING_STEP));
            assert!(dispatch.window.start <= node_starts[step[0] as usize] as usize);
            assert_eq!(dispatch.window.end, node_starts[step[1] as usize] as usize);
        }
        assert_eq!(next, 1000);
    }
}
