//! The fuzz targets without a fuzzer: every input that ever broke something, and a few thousand
//! mutations that are the same in every run.

use std::fs;
use std::path::{Path, PathBuf};
use zgram_testkit::{Random, targets};

fn regressions(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions").join(target);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Reports which input it was if the target panics.
struct Running<'a>(&'a str, &'a [u8]);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let digits: String = self.1.iter().map(|byte| format!("{byte:02x}")).collect();
            eprintln!("{} broke on {digits}", self.0);
        }
    }
}

fn run(name: &str, target: targets::Target, input: &[u8]) {
    let _running = Running(name, input);
    target(input);
}

#[test]
fn every_regression_stays_fixed() {
    for (name, target) in targets::ALL {
        let paths = regressions(name);
        assert!(!paths.is_empty(), "no regressions of {name}: is this the whole repository?");
        for path in paths {
            run(&path.display().to_string(), target, &fs::read(&path).unwrap());
        }
    }
}

#[test]
fn every_folder_of_regressions_has_a_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(targets::ALL.iter().any(|(target, _)| *target == name), "no target {name}");
    }
}

/// Changes a few bytes, takes some out, puts some in, or repeats some.
fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1)).min(bytes.len());
        let end = (at + 1 + random.below(8)).min(bytes.len());
        match random.below(6) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let len = 1 + random.below(8);
                let new = random.bytes(len);
                drop(bytes.splice(at..at, new));
            }
            2 => bytes.extend_from_within(at..end),
            3 => bytes[at..end].fill([0, 0x7F, 0x80, 0xFF][random.below(4)]),
            4 if at < bytes.len() => bytes[at] = bytes[at].wrapping_add(1),
            _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
}

#[test]
fn mutated_sections_do_no_harm() {
    let mut random = Random::new(11);
    let files = targets::sound_files();
    for _ in 0..6000 {
        let file = random.below(files.len());
        let section = random.below(files[file].sections.len());
        let mut bytes = files[file].sections[section].bytes.clone();
        mutate(&mut random, &mut bytes);
        let input = [&[file as u8, section as u8, 0][..], &bytes].concat();
        run("decode_section", targets::decode_section, &input);
    }
}

#[test]
fn mutated_files_do_no_harm() {
    let mut random = Random::new(12);
    let files = targets::sound_files();
    for _ in 0..3000 {
        let mut file = files[random.below(files.len())].to_bytes();
        mutate(&mut random, &mut file);
        run("open_container", targets::open_container, &file);
    }
}

/// Mutations of the regressions of a target.
fn run_mutations(name: &str, target: targets::Target, seed: u64, rounds: usize) {
    let mut random = Random::new(seed);
    let seeds: Vec<Vec<u8>> = regressions(name).iter().map(|p| fs::read(p).unwrap()).collect();
    for _ in 0..rounds {
        let mut input = seeds[random.below(seeds.len())].clone();
        mutate(&mut random, &mut input);
        run(name, target, &input);
    }
}

#[test]
fn mutated_documents_come_back() {
    run_mutations("round_trip", targets::round_trip, 13, 400);
}

#[test]
fn mutated_journals_do_no_harm() {
    run_mutations("replay_journal", targets::replay_journal, 14, 3000);
}

#[test]
fn mutated_bzip2_files_are_read_as_by_the_reference() {
    run_mutations("bzip2_decode", targets::bzip2_decode, 15, 3000);
}

#[test]
fn mutated_texts_come_back_from_bzip2() {
    run_mutations("bzip2_round_trip", targets::bzip2_round_trip, 16, 300);
}

#[test]
fn mutated_word_counts_do_no_harm() {
    run_mutations("read_words", targets::read_words, 17, 2000);
}
