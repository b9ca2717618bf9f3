//! Questions of a program that starts, answers and ends: no index, nothing in memory.

use super::Figures;
use super::texts::{Random, Texts};
use crate::measure::{self, Measurement};
use crate::workspace;
use crate::zgram::Zgram;
use anyhow::{Context, Result};
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use zgram::plumbing::Splitter;

const RUNS: u32 = 3;

pub(super) fn measure(corpus: &Path, texts: &Texts, figures: &mut Figures) -> Result<()> {
    let zgram = Zgram::build(&workspace::root()?)?;
    let packed = corpus.with_file_name("texts.zst");
    {
        let mut out = zstd::Encoder::new(std::fs::File::create(&packed)?, 3)?.auto_finish();
        texts.documents.iter().try_for_each(|text| out.write_all(text))?;
    }
    let phrase = phrase(texts).context("the texts have no phrase of three words")?;
    let name = zgram::Corpus::open(corpus)?
        .documents()?
        .name(texts.documents.len() / 2)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .context("the corpus has no document")?;
    let run = |verb: &str, more: &[&str]| {
        let more: Vec<&str> = more.to_vec();
        measure::fastest(RUNS, || {
            let mut command = zgram.command(verb);
            command.arg(corpus).args(&more).stdout(Stdio::null());
            Ok(command)
        })
    };
    let words: Vec<&str> = phrase.split(' ').collect();
    figures.add("from cold: count(all, word)", "zgram", shown(run("count", &words[..1])?));
    figures.add("from cold: count(all, three words)", "zgram", shown(run("count", &words)?));
    figures.add("from cold: search(all, three words)", "zgram", shown(run("search", &words)?));
    let first = [&["--max-count", "10"], &words[..1]].concat();
    figures.add("from cold: the first 10 places of a word", "zgram", shown(run("search", &first)?));
    figures.add("from cold: a document by name", "zgram", shown(run("cat", &[&name])?));
    figures.add("from cold: all names", "zgram", shown(run("ls", &[])?));
    let grep = measure::fastest(RUNS, || {
        let mut command = Command::new("sh");
        let script: &OsStr = "zstd -dc \"$1\" | grep -c -F -e \"$2\"; true".as_ref();
        command.args(["-c".as_ref(), script, "sh".as_ref(), packed.as_os_str()]);
        command.arg(&phrase).stdout(Stdio::null());
        Ok(command)
    })?;
    figures.add("from cold: lines with three words", "zstd -dc, grep -c", shown(grep));
    Ok(())
}

/// Three words in sequence, with spaces between them, from somewhere in the texts.
fn phrase(texts: &Texts) -> Option<String> {
    let mut random = Random(8);
    (0..10_000).find_map(|_| {
        let (document, offset) = texts.place(&mut random);
        let text = texts.documents[document].get(offset as usize..offset as usize + 80)?;
        let line = String::from_utf8(text.to_vec()).ok()?;
        let words: Vec<&str> = line.split(' ').skip(1).take(3).collect();
        let is_word = |word: &&str| {
            let mut tokens = 0;
            Splitter::default().finish(word.as_bytes(), |class, _| {
                tokens += if class.is_word() { 1 } else { 2 };
            });
            tokens == 1
        };
        (words.len() == 3 && words.iter().all(is_word)).then(|| words.join(" "))
    })
}

fn shown(measured: Measurement) -> String {
    let Measurement { wall_seconds, cpu_seconds, .. } = measured;
    format!("{wall_seconds:.3} s, {cpu_seconds:.3} s of processor time")
}
