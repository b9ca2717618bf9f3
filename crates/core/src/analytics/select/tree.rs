//! A decision tree over features, as text that a person can read and change.
//!
//! ```text
//! if words_per_symbol <= 6.5
//!   stream
//! else
//!   if documents <= 1
//!     top-down-single
//!   else
//!     top-down-double
//! ```

use super::features::NAMES;
use super::{Features, rounded};
use crate::analytics::task::Traversal;
use std::fmt;
use std::str::FromStr;

/// A decision tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub(super) root: Node,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Leaf(Traversal),
    /// A feature by number, and the largest value that takes the first branch.
    Test {
        feature: usize,
        at_most: f64,
        yes: Box<Node>,
        no: Box<Node>,
    },
}

/// The text is not a decision tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the decision tree: {what}")]
pub struct TreeError {
    line: usize,
    what: String,
}

impl Tree {
    /// The traversal for these features, and the tests that led to it.
    #[must_use]
    pub fn choose(&self, features: &Features) -> (Traversal, Vec<String>) {
        let mut reasons = Vec::new();
        let mut node = &self.root;
        loop {
            match node {
                Node::Leaf(traversal) => return (*traversal, reasons),
                Node::Test { feature, at_most, yes, no } => {
                    let value = features.values()[*feature];
                    let holds = value <= *at_most;
                    let sign = if holds { "<=" } else { ">" };
                    let (value, at_most) = (rounded(value), rounded(*at_most));
                    reasons.push(format!("{} {value} {sign} {at_most}", NAMES[*feature]));
                    node = if holds { yes } else { no };
                }
            }
        }
    }
}

/// Deeper trees are refused, because the parser is recursive.
const MOST_DEPTH: usize = 64;

impl FromStr for Tree {
    type Err = TreeError;

    fn from_str(text: &str) -> Result<Self, TreeError> {
        let mut lines = (1..)
            .zip(text.lines().map(str::trim))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let root = read(&mut lines, 0)?;
        match lines.next() {
            None => Ok(Self { root }),
            Some((line, _)) => Err(TreeError { line, what: "more than one tree".to_owned() }),
        }
    }
}

fn read<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    depth: usize,
) -> Result<Node, TreeError> {
    let Some((line, text)) = lines.next() else {
        return Err(TreeError { line: 0, what: "the tree ends too early".to_owned() });
    };
    let wrong = |what: String| TreeError { line, what };
    if depth > MOST_DEPTH {
        return Err(wrong("the tree is too deep".to_owned()));
    }
    let Some(test) = text.strip_prefix("if ") else {
        let traversal = Traversal::ALL.into_iter().find(|traversal| traversal.name() == text);
        return traversal.map(Node::Leaf).ok_or_else(|| wrong(format!("no traversal {text:?}")));
    };
    let Some((name, number)) = test.split_once(" <= ") else {
        return Err(wrong("a test is `if FEATURE <= NUMBER`".to_owned()));
    };
    let feature = NAMES
        .iter()
        .position(|known| *known == name.trim())
        .ok_or_else(|| wrong(format!("no feature {name:?}")))?;
    let at_most =
        number.trim().parse().map_err(|_| wrong(format!("{number:?} is not a number")))?;
    let yes = Box::new(read(lines, depth + 1)?);
    match lines.next() {
        Some((_, "else")) => {}
        other => {
            let (line, text) = other.unwrap_or((line, ""));
            return Err(TreeError { line, what: format!("expected `else`, found {text:?}") });
        }
    }
    let no = Box::new(read(lines, depth + 1)?);
    Ok(Node::Test { feature, at_most, yes, no })
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(&self.root, 0, f)
    }
}

fn write_node(node: &Node, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let indent = "  ".repeat(depth);
    match node {
        Node::Leaf(traversal) => writeln!(f, "{indent}{traversal}"),
        Node::Test { feature, at_most, yes, no } => {
            writeln!(f, "{indent}if {} <= {at_most}", NAMES[*feature])?;
            write_node(yes, depth + 1, f)?;
            writeln!(f, "{indent}else")?;
            write_node(no, depth + 1, f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        let text = include_str!("default.tree");
        let tree: Tree = text.parse().unwrap();
        assert_eq!(tree.to_string().parse::<Tree>().unwrap(), tree);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("if depth <= 3\nstream\nstream", 3),
            ("if depht <= 3\nstream\nelse\nstream", 1),
            ("stream\nstream", 2),
            ("# nothing", 0),
            ("if depth <= x\nstream\nelse\nstream", 1),
        ] {
            assert_eq!(text.parse::<Tree>().unwrap_err().line, line, "{text}");
        }
    }
}
