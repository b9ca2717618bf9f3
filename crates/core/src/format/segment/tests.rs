//! A segment decoded by several threads is the segment decoded by one; a damaged one is refused alike.

use super::WORTH_A_THREAD;
use crate::format::{Layer, Level};
use crate::input::{ReadOptions, Sources};
use crate::progress::Silent;
use crate::storage::Memory;
use crate::{CompressOptions, Corpus};
use std::path::Path;
use zgram_testkit::{Forged, Random};

const THREADS: [usize; 5] = [2, 3, 4, 8, 100];

fn open(file: Vec<u8>) -> Option<Corpus> {
    Corpus::from_storage("threads.zgram", Box::new(Memory(file))).ok()
}

/// Returns how many segments could be read.
fn check(corpus: &Corpus) -> usize {
    let mut sound = 0;
    for number in 0..corpus.facts().segments.len() {
        let whole = corpus.segment(number).map_err(|error| error.to_string());
        let tally = corpus.segment_tally(number).map_err(|error| error.to_string());
        for threads in THREADS {
            let by_threads = corpus.segment_by(number, threads).map_err(|error| error.to_string());
            assert_eq!(by_threads, whole, "{threads} threads");
            let by_threads =
                corpus.segment_tally_by(number, threads).map_err(|error| error.to_string());
            assert_eq!(by_threads, tally, "{threads} threads");
        }
        sound += usize::from(whole.is_ok());
    }
    sound
}

#[test]
fn golden_files_are_decoded_by_several_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/v1");
    let mut sound = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        sound += check(&open(std::fs::read(entry.unwrap().path()).unwrap()).unwrap());
    }
    assert!(sound > 0);
}

/// Names that come in bursts, so that some are recalled, among words that come again and again.
fn compressed(level: Level) -> Vec<u8> {
    let mut random = Random::new(7);
    let mut text = String::new();
    for line in 0..900 {
        let name = line / 40 * 20 + random.below(20);
        text += &format!("let name{name} = word{} + {};\n", random.below(9), random.below(300));
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, file) = (folder.path().join("text"), folder.path().join("x.zgram"));
    std::fs::write(&source, text).unwrap();
    let sources = Sources::new([source], ReadOptions::default());
    let options = CompressOptions { level, layer: Layer::None, ..CompressOptions::default() };
    crate::compress(&sources, &file, &options, &Silent).unwrap();
    std::fs::read(file).unwrap()
}

#[test]
fn damaged_segments_are_refused_alike() {
    for level in [Level::Fast, Level::Default, Level::Max] {
        let file = compressed(level);
        let corpus = open(file.clone()).unwrap();
        assert!(corpus.segment(0).unwrap().root().len() > 4 * WORTH_A_THREAD);
        assert!(check(&corpus) > 0);
        let forged = Forged::parse(&file).unwrap();
        for (number, section) in forged.sections.iter().enumerate() {
            for at in (0..section.bytes.len()).step_by(section.bytes.len() / 60 + 1) {
                let mut bytes = section.bytes.clone();
                bytes[at] ^= 1 << (at % 8);
                open(forged.with_section(number, bytes)).as_ref().map(check);
            }
        }
    }
}
