use super::*;
use crate::grammar::re_pair::RePair;
use crate::grammar::{GrammarBuilder, TokenDocs};
use crate::progress::Silent;
use proptest::prelude::*;

/// Stores a root in order.
#[derive(Default)]
struct Laid(Vec<Symbol>);

impl RootSink for Laid {
    fn take(&mut self, symbol: Symbol) {
        self.0.push(symbol);
    }
}

const TOKENS: u32 = 40;

fn facts(exact: bool, levels: &[u8]) -> TokenFacts<'_> {
    const CLUSTERS: [u8; TOKENS as usize] = {
        let mut clusters = [0; TOKENS as usize];
        let mut id = 0;
        while id < clusters.len() {
            clusters[id] = id as u8 % 32;
            id += 1;
        }
        clusters
    };
    TokenFacts { columns: &CLUSTERS, rows: &CLUSTERS, levels, exact }
}

fn levels(grammar: &Grammar) -> Vec<u8> {
    let mut uses = [0; TOKENS as usize];
    for &symbol in grammar.symbols().iter().filter(|&&symbol| symbol < TOKENS) {
        uses[symbol as usize] += 1;
    }
    uses.map(frequency_level).to_vec()
}

fn shape(grammar: &Grammar) -> GrammarShape {
    let root_len = grammar.root().len();
    let body_len = grammar.symbols().len() - root_len;
    GrammarShape { rules: grammar.rule_count() - 1, root_len, body_len }
}

fn build(ids: &[u32]) -> Grammar {
    let doc_starts = [0, ids.len() as u32];
    RePair { min_count: 2, min_gain: 1 }
        .build(TokenDocs { tokens: TOKENS, ids, doc_starts: &doc_starts }, &Silent)
        .unwrap()
}

/// Expands a symbol of the decoder to tokens.
fn expand(rules: &OpenedRules, symbol: Symbol, out: &mut Vec<u32>) {
    match symbol.checked_sub(TOKENS + 1) {
        None => out.push(symbol),
        Some(rule) => {
            let body =
                rules.starts[rule as usize] as usize..rules.starts[rule as usize + 1] as usize;
            rules.symbols[body].iter().for_each(|&symbol| expand(rules, symbol, out));
        }
    }
}

fn contexts() -> impl Strategy<Value = Contexts> {
    prop_oneof![Just(Contexts::Tokens), Just(Contexts::Buckets)]
}

proptest! {
    #[test]
    fn grammars_come_back(
        parts in proptest::collection::vec((0u32..TOKENS, 1usize..60, 1usize..6), 0..60),
        exact in any::<bool>(),
        contexts in contexts(),
    ) {
        let ids: Vec<u32> = parts
            .iter()
            .flat_map(|&(first, len, times)| {
                (0..len * times).map(move |at| (first + (at % len * at % 7) as u32) % TOKENS)
            })
            .collect();
        let grammar = build(&ids);
        let levels = levels(&grammar);
        let code = encode(&grammar, &facts(exact, &levels), contexts);
        let mut root = Laid::default();
        let facts = facts(exact, &levels);
        let rules = decode(&code, shape(&grammar), &facts, contexts, &mut root).unwrap();
        prop_assert_eq!(root.0.len(), grammar.root().len());
        let mut text = Vec::new();
        root.0.iter().for_each(|&symbol| expand(&rules, symbol, &mut text));
        prop_assert_eq!(text, ids);
        // Each rule only uses those that were complete before it.
        let mut complete = vec![false; rules.completed.len()];
        for &rule in &rules.completed {
            let body = rules.starts[rule as usize] as usize..rules.starts[rule as usize + 1] as usize;
            for &symbol in rules.symbols[body].iter().filter(|&&symbol| symbol > TOKENS) {
                prop_assert!(complete[(symbol - TOKENS - 1) as usize]);
            }
            complete[rule as usize] = true;
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        (rules, root_len, body_len) in (0usize..50, 0usize..500, 0usize..500),
        exact in any::<bool>(),
        contexts in contexts(),
    ) {
        let levels: Vec<u8> = (0..TOKENS as u8).map(|id| id % 66).collect();
        let shape = GrammarShape { rules, root_len, body_len };
        let mut root = Laid::default();
        if let Ok(opened) = decode(&bytes, shape, &facts(exact, &levels), contexts, &mut root) {
            prop_assert_eq!(opened.completed.len(), rules);
            let end = TOKENS + 1 + rules as u32;
            let sound = |&symbol: &u32| symbol != TOKENS && symbol < end;
            prop_assert!(root.0.iter().chain(&opened.symbols).all(sound));
        }
    }
}

#[test]
fn a_symbol_that_never_comes_is_refused() {
    // No token has any uses, so any symbol is one too many.
    let levels = [0; TOKENS as usize];
    let shape = GrammarShape { rules: 0, root_len: 1, body_len: 0 };
    for first in 0..=u8::MAX {
        let bytes = [first; 16];
        for contexts in [Contexts::Tokens, Contexts::Buckets] {
            let facts = facts(true, &levels);
            assert!(decode(&bytes, shape, &facts, contexts, &mut Laid::default()).is_err());
        }
    }
}

#[test]
fn lengths_of_all_sizes_come_back() {
    let levels = [2; TOKENS as usize];
    let facts = facts(false, &levels);
    let lengths = [2, 3, 13, 14, 15, 16, 17, 1000, (1 << 19) + 12, 1 << 20, u32::MAX - 1];
    let mut encoder = Encoder::default();
    let mut coding = GrammarCoder::new::<Encoder>(&facts, 0, ByBucket::new());
    lengths.iter().for_each(|&length| {
        coding.head(&mut encoder, 0, 3, length);
    });
    let bytes = encoder.finish();
    let mut decoder = Decoder::new(&bytes);
    let mut coding = GrammarCoder::new::<Decoder<'_>>(&facts, 0, ByBucket::new());
    for length in lengths {
        assert_eq!(coding.head(&mut decoder, 0, 0, 0), (3, length));
    }
}

#[test]
fn unsound_facts_are_refused() {
    let shape = GrammarShape { rules: 0, root_len: 1, body_len: 0 };
    for (columns, rows, levels) in
        [(&[32u8][..], &[0u8][..], &[2u8][..]), (&[0], &[32], &[2]), (&[0], &[0], &[2, 2])]
    {
        let facts = TokenFacts { columns, rows, levels, exact: false };
        let decoded = decode(&[1, 2, 3], shape, &facts, Contexts::Buckets, &mut Laid::default());
        assert_eq!(decoded.err(), Some(Corrupt));
    }
}
