//! Compressing keeps to its memory ceiling, however long the input or a line of it is.
//!
//! Linux reports peak memory per process, so each case runs in a child process: this same test
//! program, which learns its case from an environment variable. The input comes through a pipe.

#![cfg(target_os = "linux")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use zgram::format::Level;
use zgram::input::{ReadOptions, Sources};
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus};

const CEILING: u64 = 112 << 20;
/// Longer than the ceiling, and than what any one segment may hold.
const INPUT: u64 = 128 << 20;
/// Nearly the longest JSON line that this ceiling allows, a 64th of it.
const LONG_LINE: usize = 1_800_000;
const CASE: &str = "ZGRAM_MEMORY_CASE";
const OUTPUT: &str = "ZGRAM_MEMORY_OUTPUT";

/// Numbers without a pattern.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A line as a server logs it: few words, many numbers, much that repeats.
    fn sentence(&mut self) -> String {
        let state = self.next();
        let (host, took, what) = (state % 97, state >> 20 & 0x3FF, state >> 40 & 0x7F);
        format!("host{host} request {what} was answered in {took} ms by worker {host}")
    }

    /// At least this many bytes of sentences, `between` each two.
    fn text(&mut self, bytes: usize, between: &str) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            text += &self.sentence();
            text += between;
        }
        text
    }
}

/// A line of a case that must succeed.
fn line(case: &str, number: u64, noise: &mut Noise) -> String {
    match (case, number % 4) {
        ("default" | "max", _) => noise.sentence() + "\n",
        // The other fields of a JSON line are stored too, and are most of it.
        ("lines", _) => {
            let (seed, text) = (noise.next(), noise.sentence());
            format!("{{\"seed\": \"{seed:0200x}\", \"text\": \"{text}\"}}\n")
        }
        ("long-lines", 0) => format!("{{\"text\": \"{}\"}}\n", noise.text(LONG_LINE, ". ")),
        ("long-lines", 1) => {
            format!("{{\"text\": \"x\", \"rest\": \"{}\"}}\n", noise.text(LONG_LINE, ". "))
        }
        // No known writer escapes a slash, so text and literal are both stored.
        ("long-lines", 2) => format!("{{\"text\": \"{}\"}}\n", noise.text(LONG_LINE, "\\/ ")),
        ("long-lines", _) => format!("{{\"text\": \"x\"}}\n{}", "\n".repeat(LONG_LINE)),
        _ => panic!("unknown case {case}"),
    }
}

fn write_lines(case: &str, out: impl Write) -> io::Result<u64> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let (mut written, mut number, mut noise) = (0u64, 0, Noise(1));
    while written < INPUT {
        let line = line(case, number, &mut noise);
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        number += 1;
    }
    out.flush()?;
    Ok(written)
}

/// What a line of a refused file begins with; it goes on for much longer than memory allows.
const ENDLESS: [(&str, &str); 5] = [
    ("text", "{\"text\": \""),
    ("field", "{\"text\": \"x\", \"other\": \""),
    ("key", "{\"text\": \"x\", \""),
    ("nothing", ""),
    ("array", "{\"text\": \"x\", \"other\": [\""),
];

/// A compressed file whose second line is far too long.
fn write_endless_line(begin: &str, filler: &[u8], out: impl Write) -> io::Result<()> {
    let mut out = GzEncoder::new(out, Compression::fast());
    out.write_all(b"{\"text\": \"a line of the usual length\"}\n")?;
    out.write_all(begin.as_bytes())?;
    let filler = filler.repeat((1 << 20) / filler.len());
    for _ in 0..4 * CEILING / filler.len() as u64 {
        out.write_all(&filler)?;
    }
    out.finish().map(drop)
}

/// What the child does: compresses its standard input, and prints the outcome and its peak memory
/// in bytes.
fn compress_here(case: &str) {
    let level = if case == "max" { Level::Max } else { Level::Default };
    let is_plain = matches!(case, "default" | "max");
    let jsonl_field = (!is_plain).then(|| "text".to_owned());
    let mut options = CompressOptions::default();
    (options.level, options.memory, options.threads) = (level, CEILING, 2);
    let sources =
        Sources::new(["-"]).options(ReadOptions { jsonl_field, ..ReadOptions::default() });
    let output = std::env::var_os(OUTPUT).expect("the parent names it");
    match zgram::compress(&sources, Path::new(&output), &options, &Silent) {
        Ok(_) => println!("outcome done"),
        Err(error) => println!("outcome {error}"),
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("peak {}", kilobytes * 1024);
}

/// Runs a case with the input that `write` gives it. Returns the outcome.
///
/// # Panics
/// When the case takes more memory than its ceiling.
fn run_case(case: &str, output: &Path, write: impl FnOnce(&mut dyn Write)) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "compressing_keeps_to_its_ceiling", "--nocapture"])
        .env(CASE, case)
        .env(OUTPUT, output)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    write(&mut child.stdin.take().unwrap());
    let done = child.wait_with_output().unwrap();
    let printed = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{case}: {printed}");
    let value = |name: &str| printed.lines().find_map(|line| line.split(name).nth(1));
    let peak: u64 = value("peak ").expect("the child prints it").trim().parse().unwrap();
    assert!(peak <= CEILING, "{case}: {peak} bytes of {CEILING}");
    value("outcome ").expect("the child prints it").to_owned()
}

#[test]
fn compressing_keeps_to_its_ceiling() {
    if let Ok(case) = std::env::var(CASE) {
        return compress_here(&case);
    }
    let folder = tempfile::tempdir().unwrap();
    for case in ["default", "lines", "long-lines", "max"] {
        let output = folder.path().join(case).with_extension("zgram");
        let mut written = 0;
        let outcome = run_case(case, &output, |input| written = write_lines(case, input).unwrap());
        assert_eq!(outcome, "done", "{case}");
        let facts = Corpus::open(&output).unwrap().facts().clone();
        assert!(facts.segments.len() > 1, "{case}: all in one segment");
        assert!(case.contains("lines") || facts.sizes.text_bytes == written, "{case}");
    }
}

#[test]
fn a_line_that_does_not_fit_in_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (case, begin) in ENDLESS {
        let filler: &[u8] = match case {
            "nothing" => b" ",
            "array" => b"a\",\"",
            _ => b"words of text ",
        };
        let output = folder.path().join(case);
        // The child stops reading long before the end, which may break the pipe.
        let outcome = run_case(case, &output, |input| {
            let written = write_endless_line(begin, filler, input);
            let is_expected = |error: io::Error| error.kind() == io::ErrorKind::BrokenPipe;
            assert!(written.map_or_else(is_expected, |()| true), "{case}");
        });
        let limit = CEILING / 64;
        assert!(outcome.starts_with("stdin:2: "), "{case}: {outcome}");
        assert!(outcome.contains(&format!("longer than {limit} bytes")), "{case}: {outcome}");
        assert!(!output.exists(), "{case}");
    }
}
