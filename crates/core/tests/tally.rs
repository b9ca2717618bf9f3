//! A segment tallied is the segment laid out and counted; a damaged one is refused alike.

use std::fs;
use std::path::Path;
use zgram::Corpus;
use zgram::format::{Layer, Level};
use zgram::plumbing::Grammar;
use zgram::storage::Memory;
use zgram_testkit::{Forged, bursts_corpus, chain, combinations, lines_corpus, small_corpus};

fn open(file: Vec<u8>) -> Option<Corpus> {
    Corpus::from_storage("tally.zgram", Memory(file)).ok()
}

fn root_uses(grammar: &Grammar) -> Vec<u32> {
    let mut uses = vec![0; grammar.tokens() as usize + grammar.rule_count()];
    grammar.root().iter().for_each(|&symbol| uses[symbol as usize] += 1);
    uses
}

/// Returns how many segments could be read.
fn check(corpus: &Corpus) -> usize {
    let mut sound = 0;
    for number in 0..corpus.facts().segments.len() {
        match (corpus.segment(number), corpus.segment_tally(number)) {
            (Ok(whole), Ok(tally)) => {
                assert_eq!(tally.root_uses, root_uses(&whole));
                assert_eq!(tally.rules.tokens(), whole.tokens());
                assert_eq!(tally.rules.rule_count(), whole.rule_count());
                assert!(tally.rules.root().is_empty() && tally.rules.doc_count() == 0);
                for rule in 1..whole.rule_count() {
                    assert_eq!(tally.rules.rule(rule), whole.rule(rule));
                }
                sound += 1;
            }
            (Err(whole), Err(tally)) => assert_eq!(chain(&whole), chain(&tally)),
            (whole, tally) => panic!("laid out {whole:?}, tallied {tally:?}"),
        }
    }
    sound
}

#[test]
fn golden_files_are_tallied() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/v1");
    let mut sound = 0;
    for entry in fs::read_dir(folder).unwrap() {
        sound += check(&open(fs::read(entry.unwrap().path()).unwrap()).unwrap());
    }
    assert!(sound > 0);
}

#[test]
fn damaged_segments_are_refused_alike() {
    let small = combinations().map(|(level, grammar, layer)| small_corpus(level, grammar, layer));
    let lines =
        [Level::Fast, Level::Default, Level::Max].map(|level| lines_corpus(level, Layer::None));
    for file in small.into_iter().chain(lines).chain([bursts_corpus(Layer::None)]) {
        assert!(check(&open(file.clone()).unwrap()) > 0);
        let forged = Forged::parse(&file).unwrap();
        for (number, section) in forged.sections.iter().enumerate() {
            for at in (0..section.bytes.len()).step_by(3) {
                let mut bytes = section.bytes.clone();
                bytes[at] ^= 1 << (at % 8);
                open(forged.with_section(number, bytes)).as_ref().map(check);
            }
        }
    }
}
