//! Rates of the stages of block sorting, measured through the library on blocks of a file.

use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use crate::plots::{Chart, Scale};
use anyhow::{Context, Result};
use serde::Serialize;
use zgram_bwt::bzip2::{Reader, Writer, WriterOptions};
use zgram_bwt::histogram::histogram;
use zgram_bwt::inverse::Unsorter;
use zgram_bwt::mtf::RecentSymbols;
use zgram_bwt::{Sorter, Transformed, forward, huffman, inverse, mtf, sort_rotations_by_doubling};
use zgram_gpu::bwt::{BlockTraffic, Traffic};

/// Bytes of a block, as at bzip2's level 9.
const BLOCK: usize = 900_000;
/// Blocks measured, spread over the file.
const BLOCKS: usize = 12;
/// Ties are followed up to this length.
const LONGEST_TIE: usize = 1 << 12;

/// What was measured on one file.
#[derive(Debug, Serialize)]
pub struct Stages {
    /// Megabytes of text a second, by stage.
    rates: Vec<(&'static str, f64)>,
    /// Share of each step in Huffman coding, of 1.
    huffman_shares: Vec<(&'static str, f64)>,
    /// Share of each stage in compressing to bzip2's format on one thread, of 1.
    compress_shares: Vec<(&'static str, f64)>,
    /// Megabytes a second of the inverse transform, by threads.
    inverse_by_threads: Vec<(usize, f64)>,
    /// Megabytes a second of the local scan of move-to-front, by the length of a substring.
    local_scans: Vec<(usize, f64)>,
    /// Share of neighbouring rows whose tie has at least this many symbols and less than twice that.
    ties: Vec<(usize, f64)>,
    /// Bytes of device memory for a byte of text on a GPU, by stage.
    traffic: Vec<(String, f64)>,
}

/// Runs a stage on every block and returns the least seconds for all, of several runs.
fn seconds<T, R>(runs: u32, inputs: &[T], mut stage: impl FnMut(&T) -> R) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..runs {
        let start = Instant::now();
        for input in inputs {
            black_box(stage(input));
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// Measures all stages on blocks of a file.
///
/// # Errors
///
/// If the file cannot be read or threads cannot be started.
pub fn measure(path: &Path, runs: u32) -> Result<Stages> {
    let texts = blocks(path)?;
    let megabytes = texts.iter().map(Vec::len).sum::<usize>() as f64 / 1e6;
    let transformed: Vec<_> = texts.iter().map(|text| forward(text)).collect();
    let places: Vec<Vec<u8>> =
        transformed.iter().map(|t| mtf::encode_in_parallel(&t.last_column)).collect();
    let symbols: Vec<Vec<u16>> =
        places.iter().map(|p| p.iter().map(|&place| place.into()).collect()).collect();
    let coded: Vec<_> = symbols.iter().map(|symbols| huffman::encode(symbols, 256)).collect();

    let mut sorter = Sorter::default();
    let sort = seconds(runs, &texts, |text| sorter.transform(&mut text.clone()));
    let own = seconds(1, &texts[..1], |text| sort_rotations_by_doubling(text));
    let mut unsorter = Unsorter::default();
    let unsort = seconds(runs, &transformed, |t| unsorter.restore(t.last_column.clone(), t.origin));
    let encode = seconds(runs, &symbols, |symbols| huffman::encode(symbols, 256));
    let count = seconds(runs, &symbols, |symbols| histogram(symbols, 256));
    let counts: Vec<_> = symbols.iter().map(|symbols| histogram(symbols, 256)).collect();
    let tree = seconds(runs, &counts, |counts| huffman::code_lengths(counts, 20));
    let compress = seconds(runs, &texts, |text| compress_bzip2(text));
    let files: Vec<Vec<u8>> = texts.iter().map(|text| compress_bzip2(text)).collect();
    let decompress = seconds(runs, &files, |file| decompress_bzip2(file));
    let mtf_forward = seconds(runs, &transformed, |t| mtf::encode(&t.last_column));

    let rates = vec![
        ("transform, one thread", megabytes / sort),
        ("transform by our own doubling", texts[0].len() as f64 / 1e6 / own),
        ("move to front, serial", megabytes / mtf_forward),
        (
            "move to front, by scans on all cores",
            megabytes / seconds(runs, &transformed, |t| mtf::encode_in_parallel(&t.last_column)),
        ),
        ("Huffman, all cores", megabytes / encode),
        ("all of bzip2's format, one thread", megabytes / compress),
        (
            "inverse Huffman, all cores",
            megabytes / seconds(runs, &coded, |coded| huffman::decode(coded).map(|s| s.len())),
        ),
        (
            "inverse move to front, serial",
            megabytes / seconds(runs, &places, |places| mtf::decode(places)),
        ),
        (
            "inverse move to front, by scans on all cores",
            megabytes / seconds(runs, &places, |places| mtf::decode_in_parallel(places)),
        ),
        ("inverse transform, one thread", megabytes / unsort),
        ("all of bzip2's format back, one thread", megabytes / decompress),
    ];
    let mut inverse_by_threads = Vec::new();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for threads in (0..).map(|power| 1 << power).take_while(|&threads| threads <= cores) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let taken = pool
            .install(|| seconds(runs, &transformed, |t| inverse(&t.last_column, t.origin).len()));
        inverse_by_threads.push((threads, megabytes / taken));
    }
    let local_scan = |len: usize| {
        let scan = |t: &Transformed| t.last_column.chunks(len).map(RecentSymbols::of).count();
        (len, megabytes / seconds(runs, &transformed, scan))
    };
    Ok(Stages {
        rates,
        local_scans: (6..=16).step_by(2).map(|power| local_scan(1 << power)).collect(),
        huffman_shares: vec![
            ("histogram", count / encode),
            ("code lengths", tree / encode),
            ("encoding", 1.0 - (count + tree) / encode),
        ],
        compress_shares: vec![
            ("transform", sort / compress),
            ("everything else", 1.0 - sort / compress),
        ],
        inverse_by_threads,
        ties: ties(&texts[..1.min(texts.len())]),
        traffic: texts.first().map(|text| traffic(text)).transpose()?.unwrap_or_default(),
    })
}

/// Bytes of device memory that a GPU reads and writes for a byte of text, by stage.
fn traffic(text: &[u8]) -> Result<Vec<(String, f64)>> {
    let traffic = BlockTraffic::of(text).map_err(anyhow::Error::from_boxed)?;
    let mut figures = Vec::new();
    for (what, stages) in [
        ("the thesis's three stages", traffic.three_stages),
        ("bzip2's format", traffic.compressing),
        ("bzip2's format back", traffic.decompressing),
    ] {
        let bytes = |kernels: &Traffic| kernels.values().sum::<u64>() as f64 / text.len() as f64;
        figures.push((what.to_owned(), stages.values().map(bytes).sum()));
        let parts = stages.iter().map(|(stage, kernels)| (format!("- {stage}"), bytes(kernels)));
        figures.extend(parts);
    }
    Ok(figures)
}

fn compress_bzip2(text: &[u8]) -> Vec<u8> {
    let options = WriterOptions { level: 9, threads: 1 };
    let mut writer = Writer::new(Vec::new(), options);
    writer.write_all(text).and_then(|()| writer.finish()).expect("memory takes every byte")
}

fn decompress_bzip2(file: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut reader = Reader::new(file, 1);
    reader.read_to_end(&mut text).expect("the file is our own");
    text
}

/// Blocks spread evenly over a file.
fn blocks(path: &Path) -> Result<Vec<Vec<u8>>> {
    let mut text = Vec::new();
    File::open(path)
        .and_then(|mut file| file.read_to_end(&mut text))
        .with_context(|| format!("cannot read {}", path.display()))?;
    let step = (text.len() / BLOCK / BLOCKS).max(1);
    Ok(text.chunks(BLOCK).step_by(step).take(BLOCKS).map(<[u8]>::to_vec).collect())
}

/// How long neighbouring rows tie, as the thesis's figure 4.3 shows it.
fn ties(texts: &[Vec<u8>]) -> Vec<(usize, f64)> {
    let mut counts = vec![0u64; LONGEST_TIE.ilog2() as usize + 1];
    for text in texts {
        let places = sort_rotations_by_doubling(text);
        let at = |place: u32, depth: usize| text[(place as usize + depth) % text.len()];
        for pair in places.windows(2) {
            let tie = (0..LONGEST_TIE).find(|&d| at(pair[0], d) != at(pair[1], d));
            counts[tie.unwrap_or(LONGEST_TIE).max(1).ilog2() as usize] += 1;
        }
    }
    let total: u64 = counts.iter().sum();
    let share = |(power, count): (usize, u64)| (1 << power, count as f64 / total.max(1) as f64);
    counts.into_iter().enumerate().map(share).collect()
}

/// Nanoseconds per byte to compress texts whose rotations tie for long.
pub fn hard_texts(runs: u32) -> Vec<(&'static str, f64)> {
    const LEN: usize = 4_000_000;
    let fibonacci = {
        let (mut a, mut b) = (b"a".to_vec(), b"ab".to_vec());
        while b.len() < LEN {
            let next = [&b[..], &a].concat();
            a = std::mem::replace(&mut b, next);
        }
        b.truncate(LEN);
        b
    };
    let long_runs: Vec<u8> = (0..LEN).map(|i| b'a' + (i / 50_000 % 3) as u8).collect();
    let sentence = b"the quick brown fox jumps over the lazy dog; ";
    let texts = [
        ("one byte repeated", vec![b'a'; LEN]),
        ("abab", b"ab".repeat(LEN / 2)),
        ("aaab, never four equal bytes", b"aaab".repeat(LEN / 4)),
        ("long runs of three bytes", long_runs),
        ("Fibonacci word", fibonacci),
        ("one sentence repeated", sentence.repeat(LEN / sentence.len())),
    ];
    let rate = |text: &Vec<u8>| {
        seconds(runs, std::slice::from_ref(text), |text| compress_bzip2(text)) / text.len() as f64
    };
    texts.iter().map(|(name, text)| (*name, rate(text) * 1e9)).collect()
}

/// The thesis's figures 4.3 to 4.7 of several files, each with its name.
pub(crate) fn charts(files: &[(&str, &Stages)]) -> Vec<Chart> {
    let rates = |stages: &Stages, names: &[&str]| {
        let rate = |name: &&str| stages.rates.iter().find(|(stage, _)| stage == name);
        names.iter().filter_map(rate).map(|(_, rate)| *rate).collect::<Vec<f64>>()
    };
    let series = |bars: &dyn Fn(&Stages) -> Vec<f64>| {
        files.iter().map(|(name, stages)| ((*name).to_owned(), bars(stages))).collect()
    };
    let first = files.first().map(|(_, stages)| *stages);
    let groups = |names: &dyn Fn(&Stages) -> Vec<String>| first.map(names).unwrap_or_default();
    let values = |list: &[(&'static str, f64)]| list.iter().map(|(_, v)| v * 100.0).collect();
    vec![
        Chart {
            file: "bzip2-ties",
            title: "Symbols that neighbouring rows share, at least (figure 4.3)",
            unit: "% of pairs",
            scale: Scale::Linear,
            groups: groups(&|s| s.ties.iter().map(|(len, _)| len.to_string()).collect()),
            series: series(&|s| s.ties.iter().map(|(_, share)| share * 100.0).collect()),
        },
        Chart {
            file: "bzip2-move-to-front",
            title: "Move to front, serial and by scans on all cores (figures 4.4 and 4.6)",
            unit: "MB/s",
            scale: Scale::Linear,
            groups: ["serial", "by scans", "inverse, serial", "inverse, by scans"]
                .map(String::from)
                .into(),
            series: series(&|s| {
                rates(
                    s,
                    &[
                        "move to front, serial",
                        "move to front, by scans on all cores",
                        "inverse move to front, serial",
                        "inverse move to front, by scans on all cores",
                    ],
                )
            }),
        },
        Chart {
            file: "bzip2-local-scans",
            title: "Local scan of move to front by length of substrings (figure 4.5)",
            unit: "MB/s",
            scale: Scale::Linear,
            groups: groups(&|s| s.local_scans.iter().map(|(len, _)| len.to_string()).collect()),
            series: series(&|s| s.local_scans.iter().map(|(_, rate)| *rate).collect()),
        },
        Chart {
            file: "bzip2-huffman",
            title: "Time of Huffman coding (figure 4.7)",
            unit: "%",
            scale: Scale::Linear,
            groups: groups(&|s| s.huffman_shares.iter().map(|(step, _)| (*step).into()).collect()),
            series: series(&|s| values(&s.huffman_shares)),
        },
    ]
}

/// A bar of up to 40 characters.
fn bar(share: f64) -> String {
    "█".repeat((share * 40.0).round().max(0.0) as usize)
}

impl Stages {
    pub(crate) fn write_markdown(&self, page: &mut String) {
        *page += "\n| stage | MB/s |\n|---|---:|\n";
        for (stage, rate) in &self.rates {
            *page += &format!("| {stage} | {rate:.1} |\n");
        }
        for (threads, rate) in &self.inverse_by_threads {
            *page +=
                &format!("| inverse transform, {threads} threads on one block | {rate:.1} |\n");
        }
        for (len, rate) in &self.local_scans {
            *page += &format!("| local scan of move to front, substrings of {len} | {rate:.1} |\n");
        }
        *page += "\n| on a GPU | bytes of memory a byte |\n|---|---:|\n";
        for (stage, bytes) in &self.traffic {
            *page += &format!("| {stage} | {bytes:.1} |\n");
        }
        *page += "\n```text\ntime of compressing\n";
        for (stage, share) in &self.compress_shares {
            *page += &format!("{stage:>16} {:5.1} % {}\n", share * 100.0, bar(*share));
        }
        *page += "time of Huffman coding\n";
        for (step, share) in &self.huffman_shares {
            *page += &format!("{step:>16} {:5.1} % {}\n", share * 100.0, bar(*share));
        }
        *page += "symbols that neighbouring rows share\n";
        for (length, share) in &self.ties {
            *page += &format!("{length:>13} up {:5.1} % {}\n", share * 100.0, bar(*share));
        }
        *page += "```\n";
    }
}
