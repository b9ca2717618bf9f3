//! Bottom-up: the message of each rule, from the deepest rules to the children of the root, the
//! level-2 nodes; documents then gather from those alone (tadoc section 4.2, algorithm 4).
//!
//! Where the order of words does not matter, edges are merged, so that a child which occurs ten times in
//! a rule is integrated once. An ordered task gets the rules' bodies as they are (algorithm 5).

use crate::analytics::task::Task;
use crate::grammar::edges::EdgeMerged;
use crate::grammar::{Grammar, Symbol};

pub(crate) struct BottomUp<T: Task> {
    rows: Rows,
    /// Messages of rules; `None` for those that no document uses directly, once their last parent has
    /// integrated them.
    messages: Vec<Option<T::Message>>,
    prepared: u64,
}

/// What rules and documents consist of.
pub(super) enum Rows {
    /// Distinct symbols with counts.
    Merged(EdgeMerged),
    /// Symbols in order. A token equal to `break_word` is a gap.
    InOrder { grammar: Grammar, break_word: u32 },
}

#[derive(Clone, Copy)]
enum Row {
    Document(usize),
    Rule(usize),
}

impl Rows {
    fn rule_count(&self) -> usize {
        match self {
            Self::Merged(edges) => edges.rule_count(),
            Self::InOrder { grammar, .. } => grammar.rule_count(),
        }
    }

    fn doc_count(&self) -> usize {
        match self {
            Self::Merged(edges) => edges.doc_count(),
            Self::InOrder { grammar, .. } => grammar.doc_count(),
        }
    }

    fn symbols(&self, row: Row) -> &[Symbol] {
        match (self, row) {
            (Self::Merged(edges), Row::Document(document)) => edges.document(document).symbols,
            (Self::Merged(edges), Row::Rule(rule)) => edges.rule(rule).symbols,
            (Self::InOrder { grammar, .. }, Row::Document(document)) => grammar.document(document),
            (Self::InOrder { grammar, .. }, Row::Rule(rule)) => grammar.rule(rule),
        }
    }

    /// The rules that a row uses.
    fn children(&self, row: Row) -> impl Iterator<Item = usize> {
        self.symbols(row).iter().filter_map(|&symbol| match self {
            Self::Merged(edges) => edges.as_rule(symbol),
            Self::InOrder { grammar, .. } => grammar.as_rule(symbol),
        })
    }

    /// Gathers from a row; returns how many symbols it visited.
    fn gather<T: Task>(
        &self,
        row: Row,
        messages: &[Option<T::Message>],
        task: &T,
        value: &mut T::Value,
    ) -> u64 {
        let message =
            |child: usize| messages[child].as_ref().expect("children come before parents");
        match self {
            Self::Merged(edges) => {
                let edges_of_row = match row {
                    Row::Document(document) => edges.document(document),
                    Row::Rule(rule) => edges.rule(rule),
                };
                for (symbol, count) in edges_of_row.iter() {
                    match edges.as_rule(symbol) {
                        None => task.local(value, symbol, u64::from(count)),
                        Some(child) => task.integrate(value, message(child), u64::from(count)),
                    }
                }
            }
            Self::InOrder { grammar, break_word } => {
                let is_token = |symbol: &Symbol| *symbol < grammar.tokens();
                for stretch in self.symbols(row).chunk_by(|a, b| is_token(a) && is_token(b)) {
                    match grammar.as_rule(stretch[0]) {
                        Some(child) => task.integrate(value, message(child), 1),
                        None => super::put_stretch(task, value, stretch, *break_word),
                    }
                }
            }
        }
        self.symbols(row).len() as u64
    }
}

impl<T: Task> BottomUp<T> {
    pub(super) fn new(rows: Rows, task: &T) -> Self {
        let rules = rows.rule_count();
        // Parents come first, so the first rule that uses a child is the last to integrate it.
        let mut last_parent: Vec<Option<usize>> = vec![None; rules];
        let mut used_by_document = vec![false; rules];
        for document in 0..rows.doc_count() {
            for child in rows.children(Row::Document(document)) {
                used_by_document[child] = true;
            }
        }
        for rule in 1..rules {
            for child in rows.children(Row::Rule(rule)) {
                last_parent[child].get_or_insert(rule);
            }
        }
        let mut messages: Vec<Option<T::Message>> = (0..rules).map(|_| None).collect();
        let mut value = task.value();
        let mut prepared = 0;
        for rule in (1..rules).rev() {
            if last_parent[rule].is_none() && !used_by_document[rule] {
                continue;
            }
            prepared += rows.gather(Row::Rule(rule), &messages, task, &mut value);
            for child in rows.children(Row::Rule(rule)) {
                if last_parent[child] == Some(rule) && !used_by_document[child] {
                    messages[child] = None;
                }
            }
            messages[rule] = Some(task.propagate(&mut value));
        }
        Self { rows, messages, prepared }
    }

    /// Gathers from documents; returns how many symbols it visited.
    pub(super) fn visit(&self, documents: &[usize], task: &T, value: &mut T::Value) -> u64 {
        let gather = |&document: &usize| {
            self.rows.gather(Row::Document(document), &self.messages, task, value)
        };
        documents.iter().map(gather).sum()
    }

    pub(super) fn prepared(&self) -> u64 {
        self.prepared
    }
}
