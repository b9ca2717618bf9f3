//! Sorts rules into topological order.

use super::{Grammar, Symbol};

/// The rules that a builder found, in any numbering and with any number of uses. Rule 0 is the root.
///
/// Symbols are as in [`Grammar`]: below `tokens` a token, otherwise `tokens + rule`. There must be
/// no cycle.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// Number of terminals.
    pub tokens: u32,
    /// Where each rule starts in `symbols`, and the end.
    pub rule_starts: Vec<u32>,
    /// All right-hand sides, the root first.
    pub symbols: Vec<Symbol>,
    /// Where each document starts in the root, and the end.
    pub doc_starts: Vec<u32>,
}

/// The number of a rule that is inlined.
const NOT_KEPT: u32 = u32::MAX;

impl RuleSet {
    /// Inlines rules that are used once, drops rules that are not used, and numbers the rest by
    /// level, so that the result satisfies [`Grammar::validate`] if every rule has two symbols.
    ///
    /// Within a level rules keep the builder's order.
    #[must_use]
    pub fn arrange(self) -> Grammar {
        self.arrange_worthy(1)
    }

    /// As [`arrange`](Self::arrange), but also inlines rules that save too little: a rule of `n` symbols
    /// used `u` times is kept only if `(u - 1) * (n - 1)` is at least `min_gain`. Inlined, it would take
    /// `(u - 1) * (n - 1) - 1` more symbols.
    #[must_use]
    pub fn arrange_worthy(self, min_gain: u64) -> Grammar {
        let rules = self.rule_starts.len() - 1;
        let uses = self.use_counts();
        let order = self.parents_first(&uses);
        let kept = self.worthy(&uses, &order, min_gain.max(1));
        let levels = self.levels(&order, &kept);

        // A stable counting sort by level, of the rules that are kept.
        let depth = levels.iter().copied().max().unwrap_or(0) as usize + 1;
        let mut next = vec![0u32; depth + 1];
        for rule in (0..rules).filter(|&rule| kept[rule]) {
            next[levels[rule] as usize + 1] += 1;
        }
        for level in 0..depth {
            next[level + 1] += next[level];
        }
        let mut number = vec![NOT_KEPT; rules];
        let mut order = vec![0u32; next[depth] as usize];
        for rule in (0..rules).filter(|&rule| kept[rule]) {
            let place = &mut next[levels[rule] as usize];
            number[rule] = *place;
            order[*place as usize] = rule as u32;
            *place += 1;
        }

        let mut pending = Vec::new();
        let mut symbols = Vec::with_capacity(self.symbols.len());
        let mut rule_starts = Vec::with_capacity(order.len() + 1);
        let mut doc_starts = Vec::with_capacity(self.doc_starts.len());
        rule_starts.push(0);
        for doc in self.doc_starts.windows(2) {
            doc_starts.push(symbols.len() as u32);
            let body = &self.symbols[doc[0] as usize..doc[1] as usize];
            self.copy_inlined(body, &number, &mut symbols, &mut pending);
        }
        doc_starts.push(symbols.len() as u32);
        rule_starts.push(symbols.len() as u32);
        for &rule in &order[1..] {
            self.copy_inlined(self.rule(rule as usize), &number, &mut symbols, &mut pending);
            rule_starts.push(symbols.len() as u32);
        }
        Grammar { tokens: self.tokens, rule_starts, symbols, doc_starts }
    }

    fn rule(&self, rule: usize) -> &[Symbol] {
        &self.symbols[self.rule_starts[rule] as usize..self.rule_starts[rule + 1] as usize]
    }

    fn child(&self, symbol: Symbol) -> Option<usize> {
        symbol.checked_sub(self.tokens).map(|rule| rule as usize)
    }

    /// How often each rule is used by rules that are themselves used.
    fn use_counts(&self) -> Vec<u32> {
        let rules = self.rule_starts.len() - 1;
        let mut uses = vec![0u32; rules];
        for &symbol in &self.symbols {
            if let Some(child) = self.child(symbol) {
                uses[child] += 1;
            }
        }
        let mut unused: Vec<usize> = (1..rules).filter(|&rule| uses[rule] == 0).collect();
        while let Some(rule) = unused.pop() {
            for &symbol in self.rule(rule) {
                if let Some(child) = self.child(symbol) {
                    uses[child] -= 1;
                    if uses[child] == 0 {
                        unused.push(child);
                    }
                }
            }
        }
        uses
    }

    /// All rules that are used, each after every rule that uses it.
    fn parents_first(&self, uses: &[u32]) -> Vec<u32> {
        // If the builder made rules of earlier ones only, they are in order already, and visiting them
        // in memory order is much faster.
        let is_earlier = |rule: usize, symbol| self.child(symbol).is_none_or(|child| child < rule);
        let rules = 1..uses.len();
        if rules.clone().all(|rule| self.rule(rule).iter().all(|&symbol| is_earlier(rule, symbol)))
        {
            let used = rules.rev().filter(|&rule| uses[rule] > 0).map(|rule| rule as u32);
            return std::iter::once(0).chain(used).collect();
        }
        let mut waiting = uses.to_vec();
        let mut order = vec![0u32];
        let mut at = 0;
        while at < order.len() {
            for &symbol in self.rule(order[at] as usize) {
                if let Some(child) = self.child(symbol) {
                    waiting[child] -= 1;
                    if waiting[child] == 0 {
                        order.push(child as u32);
                    }
                }
            }
            at += 1;
        }
        order
    }

    /// Which rules are kept. Lengths are those after inlining the rules below. Uses are those before, so
    /// a rule below an inlined one is not judged again by its new uses.
    fn worthy(&self, uses: &[u32], parents_first: &[u32], min_gain: u64) -> Vec<bool> {
        let mut kept = vec![false; uses.len()];
        let mut lengths = vec![0u64; uses.len()];
        kept[0] = true;
        for &rule in parents_first[1..].iter().rev() {
            let rule = rule as usize;
            let length = self.rule(rule).iter().fold(0u64, |sum, &symbol| {
                sum.saturating_add(match self.child(symbol) {
                    Some(child) if !kept[child] => lengths[child],
                    _ => 1,
                })
            });
            lengths[rule] = length;
            let gain = u64::from(uses[rule] - 1).saturating_mul(length.saturating_sub(1));
            kept[rule] = uses[rule] >= 2 && gain >= min_gain;
        }
        kept
    }

    /// Levels after inlining: the children of an inlined rule get the level it had.
    fn levels(&self, parents_first: &[u32], kept: &[bool]) -> Vec<u32> {
        let mut levels = vec![0u32; kept.len()];
        for &rule in parents_first {
            for &symbol in self.rule(rule as usize) {
                if let Some(child) = self.child(symbol) {
                    let level = levels[rule as usize] + u32::from(kept[child]);
                    levels[child] = levels[child].max(level);
                }
            }
        }
        levels
    }

    /// Appends `body` renumbered, with inlined rules expanded in place; `pending` is empty.
    fn copy_inlined<'a>(
        &'a self,
        body: &'a [Symbol],
        number: &[u32],
        out: &mut Vec<Symbol>,
        pending: &mut Vec<std::slice::Iter<'a, Symbol>>,
    ) {
        let mut current = body.iter();
        loop {
            match current.next() {
                None => match pending.pop() {
                    Some(above) => current = above,
                    None => return,
                },
                Some(&symbol) => match self.child(symbol) {
                    None => out.push(symbol),
                    Some(child) if number[child] != NOT_KEPT => {
                        out.push(self.tokens + number[child]);
                    }
                    Some(child) => {
                        pending.push(std::mem::replace(&mut current, self.rule(child).iter()));
                    }
                },
            }
        }
    }
}
