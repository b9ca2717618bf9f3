//! The invariants of a grammar, and their checks.

use super::Grammar;

/// An invariant that a grammar violates.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GrammarError {
    /// There must be at least the root.
    #[error("no root rule")]
    NoRoot,
    /// Offsets must start at 0, never decrease, and end at the length of the array they divide.
    #[error("{what} offsets do not divide {len} symbols at index {index}")]
    BadOffsets {
        /// `rule` or `document`.
        what: &'static str,
        /// The first offset at fault.
        index: usize,
        /// The length of that array.
        len: usize,
    },
    /// A symbol names no token and no rule.
    #[error("rule {rule} refers to symbol {symbol}, which does not exist")]
    UnknownSymbol {
        /// The rule that holds the symbol.
        rule: usize,
        /// The symbol.
        symbol: u32,
    },
    /// Topological order: a rule refers only to rules after it, never to itself or the root.
    #[error("rule {rule} refers to rule {child}, which does not come after it")]
    NotTopological {
        /// The rule that holds the reference.
        rule: usize,
        /// The rule referred to.
        child: usize,
    },
    /// A rule other than the root is shorter than two symbols.
    #[error("rule {rule} has {len} symbols, a rule needs at least two")]
    ShortRule {
        /// The rule.
        rule: usize,
        /// Its length.
        len: usize,
    },
    /// Rule utility: each rule but the root is used at least twice.
    #[error("rule {rule} is used {uses} times, a rule must be used at least twice")]
    Useless {
        /// The rule.
        rule: usize,
        /// How often it is used.
        uses: u32,
    },
    /// Rules must be ordered by level.
    #[error("rule {rule} at level {level} follows a rule at a deeper level")]
    LevelOrder {
        /// The rule.
        rule: usize,
        /// Its level.
        level: u32,
    },
    /// Digram uniqueness (Sequitur): a pair of neighbours occurs once, overlaps apart.
    #[error("digram ({}, {}) occurs in rule {first} and again in rule {second}", pair.0, pair.1)]
    RepeatedDigram {
        /// The pair of symbols.
        pair: (u32, u32),
        /// The rule of the first occurrence.
        first: usize,
        /// The rule of the other occurrence.
        second: usize,
    },
}

impl Grammar {
    /// Checks all that traversal relies on: offsets, symbol ranges, topological order.
    pub(super) fn check_structure(&self) -> Result<(), GrammarError> {
        if self.rule_starts.len() < 2 {
            return Err(GrammarError::NoRoot);
        }
        check_offsets("rule", &self.rule_starts, self.symbols.len())?;
        check_offsets("document", &self.doc_starts, self.rule_starts[1] as usize)?;
        let rules = self.rule_count();
        let end = u64::from(self.tokens) + rules as u64;
        for rule in 0..rules {
            // One comparison per symbol in the common case: the root is most of the grammar.
            let first_below = u64::from(self.tokens) + rule as u64 + 1;
            let sound = self.rule(rule).iter().all(|&symbol| {
                symbol < self.tokens
                    || (u64::from(symbol) >= first_below && u64::from(symbol) < end)
            });
            if !sound {
                return Err(self.first_unsound_symbol(rule));
            }
        }
        Ok(())
    }

    fn first_unsound_symbol(&self, rule: usize) -> GrammarError {
        for &symbol in self.rule(rule) {
            match self.as_rule(symbol) {
                Some(child) if child >= self.rule_count() => {
                    return GrammarError::UnknownSymbol { rule, symbol };
                }
                Some(child) if child <= rule => {
                    return GrammarError::NotTopological { rule, child };
                }
                _ => {}
            }
        }
        unreachable!("called only for a rule with an unsound symbol")
    }

    /// Checks every invariant: structure, at least two symbols per rule, rule utility (each rule is used
    /// at least twice) and order by level.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), GrammarError> {
        self.check_structure()?;
        let mut uses = vec![0u32; self.rule_count()];
        for &symbol in self.symbols() {
            if let Some(child) = self.as_rule(symbol) {
                uses[child] = uses[child].saturating_add(1);
            }
        }
        let levels = self.levels();
        for rule in 1..self.rule_count() {
            let len = self.rule(rule).len();
            if len < 2 {
                return Err(GrammarError::ShortRule { rule, len });
            }
            if uses[rule] < 2 {
                return Err(GrammarError::Useless { rule, uses: uses[rule] });
            }
            if levels[rule] < levels[rule - 1] {
                return Err(GrammarError::LevelOrder { rule, level: levels[rule] });
            }
        }
        Ok(())
    }

    /// Checks [`validate`](Self::validate) and Sequitur's digram uniqueness: no pair of adjacent
    /// symbols occurs twice, except overlapping itself (`aaa`). Pairs across a document boundary do not
    /// count.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate_digrams(&self) -> Result<(), GrammarError> {
        self.validate()?;
        let mut seen: hashbrown::HashMap<(u32, u32), (usize, usize), rustc_hash::FxBuildHasher> =
            hashbrown::HashMap::default();
        let documents = (0..self.doc_count()).map(|doc| (0, self.document(doc)));
        let rules = (1..self.rule_count()).map(|rule| (rule, self.rule(rule)));
        let mut position = 0usize;
        for (rule, body) in documents.chain(rules) {
            for pair in body.windows(2) {
                position += 1;
                let pair = (pair[0], pair[1]);
                if let Some(&(first, at)) = seen.get(&pair) {
                    let overlaps = pair.0 == pair.1 && at + 1 == position;
                    if !overlaps {
                        return Err(GrammarError::RepeatedDigram { pair, first, second: rule });
                    }
                } else {
                    seen.insert(pair, (rule, position));
                }
            }
            position += 1;
        }
        Ok(())
    }
}

fn check_offsets(what: &'static str, offsets: &[u32], len: usize) -> Result<(), GrammarError> {
    let falls = offsets.windows(2).position(|w| w[0] > w[1]).map(|at| at + 1);
    let wrong_start = (offsets.first() != Some(&0)).then_some(0);
    let wrong_end =
        (offsets.last().map(|&end| end as usize) != Some(len)).then(|| offsets.len().max(1) - 1);
    match wrong_start.or(falls).or(wrong_end) {
        Some(index) => Err(GrammarError::BadOffsets { what, index, len }),
        None => Ok(()),
    }
}
