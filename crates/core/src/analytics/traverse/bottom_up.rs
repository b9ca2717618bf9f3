//! Bottom-up: what each rule contains, from the deepest rules to the children of the root, the
//! level-2 nodes; documents then gather from those alone (tadoc section 4.2, algorithm 4).

use crate::analytics::task::Task;
use crate::grammar::coarsen::{EdgeMerged, Edges};

pub(crate) struct BottomUp<T: Task> {
    edges: EdgeMerged,
    /// What rules tell; `None` for those that no document uses directly, once their last parent has
    /// heard them.
    messages: Vec<Option<T::Message>>,
    prepared: u64,
}

impl<T: Task> BottomUp<T> {
    pub(super) fn new(edges: EdgeMerged, task: &T) -> Self {
        let rules = edges.rule_count();
        // Parents come first, so the first rule that uses a child is the last to hear it.
        let mut last_listener: Vec<Option<usize>> = vec![None; rules];
        let mut used_by_document = vec![false; rules];
        for document in 0..edges.doc_count() {
            for child in children(&edges, edges.document(document)) {
                used_by_document[child] = true;
            }
        }
        for rule in 1..rules {
            for child in children(&edges, edges.rule(rule)) {
                last_listener[child].get_or_insert(rule);
            }
        }
        let mut messages: Vec<Option<T::Message>> = (0..rules).map(|_| None).collect();
        let mut value = task.value();
        let mut prepared = 0;
        for rule in (1..rules).rev() {
            if last_listener[rule].is_none() && !used_by_document[rule] {
                continue;
            }
            prepared += gather(&edges, &messages, edges.rule(rule), task, &mut value);
            for child in children(&edges, edges.rule(rule)) {
                if last_listener[child] == Some(rule) && !used_by_document[child] {
                    messages[child] = None;
                }
            }
            messages[rule] = Some(task.propagate(&mut value));
        }
        Self { edges, messages, prepared }
    }

    /// Gathers from documents; returns how many symbols it looked at.
    pub(super) fn visit(&self, documents: &[usize], task: &T, value: &mut T::Value) -> u64 {
        let gather = |&document: &usize| {
            gather(&self.edges, &self.messages, self.edges.document(document), task, value)
        };
        documents.iter().map(gather).sum()
    }

    pub(super) fn prepared(&self) -> u64 {
        self.prepared
    }
}

/// The rules of a row.
fn children<'a>(edges: &'a EdgeMerged, row: Edges<'a>) -> impl Iterator<Item = usize> + 'a {
    row.symbols.iter().filter_map(|&symbol| edges.as_rule(symbol))
}

fn gather<T: Task>(
    edges: &EdgeMerged,
    messages: &[Option<T::Message>],
    row: Edges<'_>,
    task: &T,
    value: &mut T::Value,
) -> u64 {
    for (symbol, count) in row.iter() {
        match edges.as_rule(symbol) {
            None => task.local(value, symbol, u64::from(count)),
            Some(child) => {
                let message = messages[child].as_ref().expect("children come before parents");
                task.integrate(value, message, u64::from(count));
            }
        }
    }
    row.symbols.len() as u64
}
