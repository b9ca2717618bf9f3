//! Compressing keeps to its memory ceiling, however long the input is.
//!
//! The largest memory of a process is known only of a whole process, so each case runs in a child:
//! this same test, told by the environment what to do. The input comes through a pipe.

#![cfg(target_os = "linux")]

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use zgram::format::Level;
use zgram::input::{ReadOptions, Sources};
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus};

const CEILING: u64 = 112 << 20;
/// Longer than the ceiling, and than what any one segment may hold.
const INPUT: u64 = 128 << 20;
const CASE: &str = "ZGRAM_MEMORY_CASE";
const OUTPUT: &str = "ZGRAM_MEMORY_OUTPUT";

/// Lines as a server logs them: few words, many numbers, much that repeats.
fn write_lines(out: impl Write, jsonl: bool) -> std::io::Result<u64> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let (mut written, mut state) = (0u64, 1u64);
    while written < INPUT {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (host, took, what) = (state % 97, state >> 20 & 0x3FF, state >> 40 & 0x7F);
        let text = format!("host{host} request {what} was answered in {took} ms by worker {host}");
        // The other fields of a JSON line are kept too, and are most of it.
        let line = match jsonl {
            true => format!("{{\"seed\": \"{state:0200x}\", \"text\": \"{text}\"}}\n"),
            false => format!("{text}\n"),
        };
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
    }
    out.flush()?;
    Ok(written)
}

/// What the child does: compresses its standard input, and prints its largest memory in bytes.
fn compress_here(case: &str) {
    let (level, jsonl_field) = match case {
        "max" => (Level::Max, None),
        "lines" => (Level::Default, Some("text".to_owned())),
        _ => (Level::Default, None),
    };
    let mut options = CompressOptions::default();
    (options.level, options.memory, options.threads) = (level, CEILING, 2);
    let sources =
        Sources::new(["-"]).options(ReadOptions { jsonl_field, ..ReadOptions::default() });
    let output = std::env::var_os(OUTPUT).expect("the parent names it");
    zgram::compress(&sources, Path::new(&output), &options, &Silent).unwrap();
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("peak {}", kilobytes * 1024);
}

fn peak_of(case: &str, folder: &Path) -> u64 {
    let output = folder.join(case).with_extension("zgram");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "compressing_keeps_to_its_ceiling", "--nocapture"])
        .env(CASE, case)
        .env(OUTPUT, &output)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let written = write_lines(child.stdin.take().unwrap(), case == "lines").unwrap();
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{case}: {said}");
    let facts = Corpus::open(&output).unwrap().facts().clone();
    assert!(facts.segments.len() > 1, "{case}: all in one segment");
    assert!(case == "lines" || facts.sizes.text_bytes == written, "{case}");
    let peak = said.lines().find_map(|line| line.split("peak ").nth(1)).expect("the child tells");
    peak.trim().parse().unwrap()
}

#[test]
fn compressing_keeps_to_its_ceiling() {
    if let Ok(case) = std::env::var(CASE) {
        return compress_here(&case);
    }
    let folder = tempfile::tempdir().unwrap();
    for case in ["default", "lines", "max"] {
        let peak = peak_of(case, folder.path());
        assert!(peak <= CEILING, "{case}: {peak} bytes of {CEILING}");
    }
}
