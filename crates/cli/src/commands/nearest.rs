//! `zgram nearest`: the words nearest to a word, or to a sum of words.

use crate::args::NearestArgs;
use crate::complaint::Refusal;
use crate::documents::similar;
use crate::paths::is_dash;
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use crate::text::visible;
use anyhow::Context;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufReader, stdin};
use zgram_models::vectors::WordVectors;

const COLUMNS: &[Column] = &[Column::name("word"), Column::score("similarity")];

pub(crate) fn run(args: &NearestArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let terms = terms(&args.words)?;
    let path = &args.vectors;
    let vectors = match is_dash(path) {
        true => WordVectors::read(BufReader::new(stdin().lock())),
        false => {
            let file =
                File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            WordVectors::read(BufReader::with_capacity(1 << 18, file))
        }
    };
    let vectors = vectors.with_context(|| path.display().to_string())?;
    let words: Vec<&[u8]> = terms.iter().map(|&(word, _)| word).collect();
    let found = vectors.find_all(&words).map_err(|at| missing(&vectors, words[at]))?;
    let terms: Vec<(usize, f32)> =
        found.into_iter().zip(&terms).map(|(word, &(_, weight))| (word, weight)).collect();
    let nearest = vectors.nearest(&terms, args.k);
    write_records(COLUMNS, &args.output, reporter, |sink| {
        nearest.iter().try_for_each(|near| {
            sink(&[Cell::name(vectors.word(near.word)), Cell::Score(near.similarity.into())])
        })
    })?;
    Ok(())
}

/// Words with their weights: -1 after a minus sign, 1 otherwise.
fn terms(arguments: &[OsString]) -> anyhow::Result<Vec<(&[u8], f32)>> {
    let mut terms = Vec::new();
    let mut sign = None;
    for argument in arguments {
        match argument.as_encoded_bytes() {
            b"+" if sign.is_none() => sign = Some(1.0),
            b"-" if sign.is_none() => sign = Some(-1.0),
            word @ (b"+" | b"-") => {
                let message = format!("a word must follow the sign, not {}", visible(word));
                return Err(Refusal::error(message, "write WORD - WORD + WORD").into());
            }
            word => terms.push((word, sign.take().unwrap_or(1.0))),
        }
    }
    if sign.is_some() {
        return Err(Refusal::error("a word must follow the last sign", "write WORD - WORD").into());
    }
    Ok(terms)
}

fn missing(vectors: &WordVectors, word: &[u8]) -> Refusal {
    let near = similar((0..vectors.len()).map(|at| vectors.word(at)), word);
    let near: Vec<String> = near.into_iter().map(visible).collect();
    let hint = (!near.is_empty()).then(|| format!("similar words: {}", near.join(", ")));
    Refusal::nothing_found(format!("no vector for {}", visible(word)), hint)
}
