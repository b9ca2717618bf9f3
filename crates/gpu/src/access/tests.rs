//! Indexes of grammars of all shapes, compared with a simple computation, on the twins and both devices.

use super::extract::{Extraction, Stretch, Work};
use super::index::Index;
use super::plan::Sees;
use super::records::Records;
use super::words::{Outcomes, Search, Units, Wanted};
use crate::adapter::{Wish, choose};
use crate::backend::Backend;
use crate::cpu_twins::Twins;
use crate::device::{Device, DeviceOptions};
use crate::kernels::access::{Shape, Tables};
use crate::recording::Recording;
use crate::session::{Phase, Session};
use zgram::plumbing::Grammar;
use zgram::plumbing::{Dictionary, Interner, TokenClass, join};
use zgram::store::OffsetBase;

/// A dictionary of separators, words with spaces between them, and words without.
fn dictionary() -> Dictionary {
    let mut interner = Interner::default();
    for (class, text) in [
        (TokenClass::Separator, &b", "[..]),
        (TokenClass::Separator, b""),
        (TokenClass::Spaced, b"a"),
        (TokenClass::Spaced, b"word"),
        (TokenClass::Spaced, b"much-longer"),
        (TokenClass::Unspaced, "猫".as_bytes()),
    ] {
        interner.intern(class, text);
    }
    Dictionary::arrange(&interner, &[1; 6]).unwrap().0
}

const TOKENS: u32 = 6;

fn grammar(documents: &[Vec<u32>], rules: &[Vec<u32>]) -> Grammar {
    let (mut doc_starts, mut rule_starts) = (vec![0], vec![0]);
    let mut symbols = Vec::new();
    for document in documents {
        symbols.extend(document);
        doc_starts.push(symbols.len() as u32);
    }
    rule_starts.push(symbols.len() as u32);
    for rule in rules {
        symbols.extend(rule);
        rule_starts.push(symbols.len() as u32);
    }
    Grammar::new(TOKENS, rule_starts, symbols, doc_starts).unwrap()
}

fn rule(number: u32) -> u32 {
    TOKENS + number
}

/// `levels` rules, each a separator and the next rule. The last one has words.
fn chain(levels: u32) -> Grammar {
    let body = |number: u32| match number == levels {
        true => vec![2, 3],
        false => vec![number % 2, rule(number + 1)],
    };
    let rules: Vec<Vec<u32>> = (1..=levels).map(body).collect();
    grammar(&[vec![rule(1), 3], vec![], vec![4, rule(2), rule(2)]], &rules)
}

/// Rules used several times, on several levels, in several documents.
fn mixed() -> Grammar {
    let rules = vec![
        vec![rule(3), 0, rule(3), 3],
        vec![2, rule(4), rule(4)],
        vec![rule(5), rule(5), 5],
        vec![3, 3, 1],
        vec![3, 4],
    ];
    let documents = vec![
        vec![rule(1), rule(2), rule(1)],
        vec![3],
        vec![],
        vec![rule(2), rule(4), 3, 3, rule(5), rule(2)],
        vec![5, 5, rule(3)],
    ];
    grammar(&documents, &rules)
}

/// One rule that is longer than a node, and a word with many places.
fn long() -> Grammar {
    let body: Vec<u32> = (0..70_001).map(|at| at * 7 / 3 % TOKENS).collect();
    grammar(&[vec![rule(1), 5, rule(1)], vec![2; 500], vec![rule(1)]], &[body])
}

/// Many rules that contain the same word.
fn wide() -> Grammar {
    let rules: Vec<Vec<u32>> = (0..300).map(|number| vec![3, number % TOKENS]).collect();
    let document = |number: u32| (0..50).map(move |at| rule(1 + (number * 31 + at * 17) % 300));
    let documents: Vec<Vec<u32>> = (0..20).map(|number| document(number).collect()).collect();
    grammar(&documents, &rules)
}

/// A document's text, and its tokens with their offsets.
type Expanded = (Vec<u8>, Vec<(u32, u32)>);

fn expanded(grammar: &Grammar, dictionary: &Dictionary, document: usize) -> Expanded {
    let (mut text, mut tokens) = (Vec::new(), Vec::new());
    let mut last = TokenClass::Separator;
    for token in grammar.document_tokens(document) {
        text.extend_from_slice(join(last, dictionary.class(token)));
        last = dictionary.class(token);
        tokens.push((token, text.len() as u32));
        text.extend_from_slice(dictionary.bytes(token));
    }
    (text, tokens)
}

fn backends() -> Vec<(&'static str, Box<dyn Backend>)> {
    let device = |name: &str| {
        let adapter = choose(&Wish::Named(name.to_owned())).expect("./test installs this device");
        Device::new(adapter, DeviceOptions::default()).expect("a software device always opens")
    };
    vec![
        ("twins", Box::new(Twins::default())),
        ("lavapipe", Box::new(device("llvmpipe"))),
        ("SwiftShader", Box::new(device("SwiftShader"))),
    ]
}

/// How often each rule occurs in each document, by propagating weights.
fn uses(grammar: &Grammar, document: usize) -> Vec<u32> {
    let mut weights = vec![0u32; grammar.rule_count()];
    let add = |symbols: &[u32], weights: &mut [u32], weight: u32| {
        for rule in symbols.iter().filter_map(|&symbol| grammar.as_rule(symbol)) {
            weights[rule] += weight;
        }
    };
    add(grammar.document(document), &mut weights, 1);
    for rule in 1..grammar.rule_count() {
        let weight = weights[rule];
        add(grammar.rule(rule), &mut weights, weight);
    }
    weights
}

#[test]
fn indexes_are_what_they_should_be() {
    let dictionary = dictionary();
    for (shape, grammar) in [("mixed", mixed()), ("wide", wide())] {
        for (name, backend) in backends() {
            let index = Index::new(&*backend, &grammar, &dictionary).unwrap();
            let on_device = &index.on_device;
            let mut recording = Recording::new();
            let downloads = [
                on_device.shape,
                on_device.sums,
                on_device.places,
                on_device.owners,
                on_device.tables,
            ]
            .map(|buffer| recording.download(buffer, 0..buffer.words()));
            let mut outcome = backend.submit(recording).unwrap();
            let [words, sums, places, owners, tables] =
                downloads.map(|download| outcome.take(download));
            let [rules, documents, tokens] = index.numbers;
            let view = Shape { words: &words, rules, documents, tokens };
            // word2rule and rule2location: the places of every symbol in root and rules, ascending.
            for symbol in 0..TOKENS + rules {
                let here = view.place_start(symbol)..view.place_start(symbol + 1);
                let here = here.start as usize..here.end as usize;
                let all: Vec<u32> = (0u32..)
                    .zip(grammar.symbols())
                    .filter(|(_, own)| **own == symbol)
                    .map(|(at, _)| at)
                    .collect();
                assert_eq!(places[here.clone()], all, "{shape} on {name}: places of {symbol}");
                let in_root = all.iter().filter(|&&at| at < grammar.rule_starts()[1]).count();
                let root_end = view.root_end(symbol) as usize;
                assert_eq!(root_end, here.start + in_root, "{shape} on {name}");
                for at in here {
                    let (owner, position) = (owners[at] as usize, places[at]);
                    let starts =
                        if at < root_end { grammar.doc_starts() } else { grammar.rule_starts() };
                    let range = starts[owner]..starts[owner + 1];
                    assert!(range.contains(&position), "{shape} on {name}: owner of {position}");
                }
            }
            // rule2file.
            let look = Tables { shape: view, words: &tables };
            for document in 0..grammar.doc_count() {
                let expected = uses(&grammar, document);
                for (rule, &expected) in (0u32..).zip(&expected).skip(1) {
                    let uses = look.uses(rule, document as u32);
                    assert_eq!(uses, expected, "{shape} on {name}: {rule} in {document}");
                }
                // rootOffset.
                let (text, _) = expanded(&grammar, &dictionary, document);
                assert_eq!(index.lengths[document] as usize, text.len(), "{shape} on {name}");
                let start = grammar.doc_starts()[document] as usize;
                let mut tokens = 0;
                let lengths = grammar.expanded_lengths();
                let (_, offsets) = expanded(&grammar, &dictionary, document);
                for (at, &symbol) in (start..).zip(grammar.document(document)) {
                    let offset = sums[at].wrapping_sub(sums[start]);
                    assert_eq!(offset, offsets[tokens].1, "{shape} on {name}: root offset {at}");
                    tokens += grammar.as_rule(symbol).map_or(1, |rule| lengths[rule] as usize);
                }
            }
            backend.free(&on_device.all());
        }
    }
}

/// Extracts stretches of all documents and finds all their words.
fn check(
    shape: &str,
    grammar: &Grammar,
    stretches: &[(u32, u32)],
    backends: Vec<(&'static str, Box<dyn Backend>)>,
) {
    let dictionary = dictionary();
    let texts: Vec<Expanded> =
        (0..grammar.doc_count()).map(|document| expanded(grammar, &dictionary, document)).collect();
    for (name, backend) in backends {
        let index = Index::new(&*backend, grammar, &dictionary).unwrap();
        let mut session = Session::new(&*backend);
        let mut recording = Recording::new();
        let meaning = OffsetBase::InSequence;
        let (records, _) = Records::upload(&session, &mut recording, &[], meaning).unwrap();
        let mut asked = Vec::new();
        for (document, (text, _)) in (0u32..).zip(&texts) {
            for &(offset, len) in stretches {
                let offset = offset.min(text.len() as u32);
                let len = len.min(text.len() as u32 - offset);
                asked.push(Stretch { document, offset, len, first: 0, end: 0 });
            }
        }
        let extraction = Extraction::record(&mut recording, &index, &records, &asked).unwrap();
        let wanted: Vec<Wanted> = (0..texts.len() as u32)
            .flat_map(|document| (2..TOKENS).map(move |token| (document, token)))
            .map(|(document, token)| Wanted { document, token: Some(token), sees: Sees::default() })
            .collect();
        let units = Units::new(&index, &wanted, &wanted);
        let room = texts.iter().map(|(_, tokens)| tokens.len()).sum();
        let mut search = Search::record(&mut recording, &index, &records, &units, room);
        let mut outcome = session.submit(Phase::Traversal, recording).unwrap();
        let found = extraction.take(&mut outcome, &index, &mut Work::default()).unwrap();
        for (stretch, found) in asked.iter().zip(found) {
            let text = &texts[stretch.document as usize].0;
            let range = stretch.offset as usize..(stretch.offset + stretch.len) as usize;
            assert!(found == text[range], "{shape} on {name}: {stretch:?}");
        }
        let mut starts = Vec::new();
        let (counts, found) = loop {
            match search.take(&mut outcome, &mut starts).unwrap() {
                Outcomes::All { counts, found } => break (counts, found),
                Outcomes::TooMany(_) => panic!("{shape} on {name}: there was room for all"),
                Outcomes::Unfinished => {
                    let mut recording = Recording::new();
                    search.find(&mut recording, &index, &records);
                    outcome = session.submit(Phase::Traversal, recording).unwrap();
                }
            }
        };
        assert_eq!(counts[..wanted.len()], counts[wanted.len()..], "{shape} on {name}");
        for ((wanted, count), found) in wanted.iter().zip(counts).zip(found) {
            let tokens = &texts[wanted.document as usize].1;
            let same = tokens.iter().filter(|(token, _)| Some(*token) == wanted.token);
            let expected: Vec<u32> = same.map(|(_, offset)| *offset).collect();
            let mut found: Vec<u32> = found.iter().map(|found| found.now).collect();
            found.sort_unstable();
            assert_eq!(count as usize, expected.len(), "{shape} on {name}: {wanted:?}");
            assert!(found == expected, "{shape} on {name}: {wanted:?}");
        }
        backend.free(&index.on_device.all());
    }
}

#[test]
fn stretches_and_words_of_grammars_of_all_shapes() {
    let stretches = [(0, 1000), (1, 63), (5, 64), (17, 65), (40, 1), (3, 0)];
    check("mixed", &mixed(), &stretches, backends());
    check("wide", &wide(), &stretches, backends());
}

#[test]
fn long_rules_and_frequent_words() {
    check("long", &long(), &[(0, 100), (200_000, 130)], backends());
}

/// A hundred thousand levels on the twins. On the devices, which are slow, enough levels that a thread
/// takes several dispatches.
#[test]
fn deep_grammars() {
    let twins: Box<dyn Backend> = Box::new(Twins::default());
    check("chain", &chain(100_000), &[(0, 70), (99_990, 64)], vec![("twins", twins)]);
    check("chain", &chain(12_000), &[(0, 70), (11_990, 64)], backends().split_off(1));
}
