//! Sequitur by its definition, in quadratic time: the oracle for
//! [`Sequitur`](super::sequitur::Sequitur).
//!
//! After each token it searches the whole grammar for a rule that is used once and for a digram that
//! occurs twice, until there is neither. It has no index and no linked lists, and does not assume where a
//! violation can be. The tests require exactly the same grammar, up to the numbers of the rules.

use super::{Grammar, RuleSet, Symbol, TokenDocs};

/// Right-hand sides under construction. Inlined rules are empty.
struct Bodies {
    tokens: u32,
    documents: Vec<Vec<Symbol>>,
    rules: Vec<Vec<Symbol>>,
}

/// A digram: the body it is in (documents first, then rules) and its position.
type Place = (usize, usize);

impl Bodies {
    fn body(&mut self, index: usize) -> &mut Vec<Symbol> {
        let documents = self.documents.len();
        if index < documents {
            &mut self.documents[index]
        } else {
            &mut self.rules[index - documents]
        }
    }

    fn all(&self) -> impl Iterator<Item = &Vec<Symbol>> {
        self.documents.iter().chain(&self.rules)
    }

    fn repeated_digram(&self) -> Option<(Place, Place)> {
        let digrams: Vec<(&[Symbol], Place)> = self
            .all()
            .enumerate()
            .flat_map(|(index, body)| {
                body.windows(2).enumerate().map(move |(at, pair)| (pair, (index, at)))
            })
            .collect();
        for (i, (pair, first)) in digrams.iter().enumerate() {
            for (other, second) in &digrams[i + 1..] {
                let overlap = first.0 == second.0 && first.1 + 1 == second.1;
                if pair == other && !overlap {
                    return Some((*first, *second));
                }
            }
        }
        None
    }

    /// The rule whose whole body a digram is.
    fn rule_of_just(&mut self, place: Place) -> Option<u32> {
        let rule = place.0.checked_sub(self.documents.len())?;
        (self.rules[rule].len() == 2).then_some(rule as u32)
    }

    fn substitute(&mut self, place: Place, rule: u32) {
        let symbol = self.tokens + rule;
        self.body(place.0).splice(place.1..place.1 + 2, [symbol]);
    }

    fn remove_repetition(&mut self, first: Place, second: Place) {
        match (self.rule_of_just(first), self.rule_of_just(second)) {
            (Some(_), Some(_)) => panic!("two rules are the same"),
            (Some(rule), None) => self.substitute(second, rule),
            (None, Some(rule)) => self.substitute(first, rule),
            (None, None) => {
                let digram = self.body(first.0)[first.1..first.1 + 2].to_vec();
                let rule = self.rules.len() as u32;
                self.substitute(second, rule);
                self.substitute(first, rule);
                self.rules.push(digram);
            }
        }
    }

    fn write_out_underused(&mut self) -> bool {
        for rule in 0..self.rules.len() {
            let symbol = self.tokens + rule as u32;
            let uses: Vec<Place> = self
                .all()
                .enumerate()
                .flat_map(|(index, body)| {
                    body.iter()
                        .enumerate()
                        .filter(|&(_, &s)| s == symbol)
                        .map(move |(at, _)| (index, at))
                })
                .collect();
            if let [(index, at)] = uses[..] {
                let body = std::mem::take(&mut self.rules[rule]);
                self.body(index).splice(at..at + 1, body);
                return true;
            }
        }
        false
    }

    fn into_grammar(self) -> Grammar {
        let mut set = RuleSet {
            tokens: self.tokens,
            rule_starts: vec![0],
            symbols: Vec::new(),
            doc_starts: vec![0],
        };
        // Rule 0 is the root there; it has no number here.
        let renumber = |&s: &Symbol| if s < self.tokens { s } else { s + 1 };
        for document in &self.documents {
            set.symbols.extend(document.iter().map(renumber));
            set.doc_starts.push(set.symbols.len() as u32);
        }
        for rule in &self.rules {
            set.rule_starts.push(set.symbols.len() as u32);
            set.symbols.extend(rule.iter().map(renumber));
        }
        set.rule_starts.push(set.symbols.len() as u32);
        set.arrange()
    }
}

fn build(input: TokenDocs<'_>) -> Grammar {
    let mut bodies = Bodies { tokens: input.tokens, documents: Vec::new(), rules: Vec::new() };
    // All documents exist from the start, so that a body keeps its index.
    bodies.documents.resize(input.documents().len(), Vec::new());
    for (index, document) in input.documents().enumerate() {
        for &token in document {
            bodies.documents[index].push(token);
            loop {
                if bodies.write_out_underused() {
                    continue;
                }
                let Some((first, second)) = bodies.repeated_digram() else { break };
                bodies.remove_repetition(first, second);
            }
        }
    }
    bodies.into_grammar()
}

mod tests {
    use super::super::{GrammarBuilder, sequitur::Sequitur};
    use super::*;
    use crate::progress::Silent;
    use proptest::prelude::*;

    /// Documents and rules with rules numbered by first appearance, documents first.
    fn canonical(grammar: &Grammar) -> (Vec<Vec<Symbol>>, Vec<Vec<Symbol>>) {
        let mut order = Vec::new();
        let rename = |body: &[Symbol], order: &mut Vec<usize>| -> Vec<Symbol> {
            let mut renamed = Vec::new();
            for &symbol in body {
                renamed.push(grammar.as_rule(symbol).map_or(symbol, |rule| {
                    let number = order.iter().position(|&known| known == rule);
                    let number = number.unwrap_or_else(|| {
                        order.push(rule);
                        order.len() - 1
                    });
                    grammar.tokens() + number as u32
                }));
            }
            renamed
        };
        let documents =
            (0..grammar.doc_count()).map(|doc| rename(grammar.document(doc), &mut order)).collect();
        let mut rules = Vec::new();
        while rules.len() < order.len() {
            let rule = order[rules.len()];
            rules.push(rename(grammar.rule(rule), &mut order));
        }
        (documents, rules)
    }

    fn assert_same(documents: &[Vec<u32>]) {
        let ids = documents.concat();
        let mut doc_starts = vec![0];
        for document in documents {
            doc_starts.push(doc_starts.last().unwrap() + document.len() as u32);
        }
        let input = TokenDocs { tokens: 4, ids: &ids, doc_starts: &doc_starts };
        let fast = Sequitur.build(input, &Silent).unwrap();
        assert_eq!(canonical(&fast), canonical(&build(input)), "{documents:?}");
    }

    #[test]
    fn same_grammar_for_all_short_binary_texts() {
        for length in 0..=12 {
            for bits in 0u32..1 << length {
                assert_same(&[(0..length).map(|i| bits >> i & 1).collect()]);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(2000)))]
        #[test]
        fn same_grammar(
            documents in (1u32..=4).prop_flat_map(|alphabet| {
                prop::collection::vec(prop::collection::vec(0..alphabet, 0..60), 0..4)
            })
        ) {
            assert_same(&documents);
        }
    }
}
