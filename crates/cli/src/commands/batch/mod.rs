//! `zgram batch`: runs many operations from a file, with one flush for all edits.

mod operation;

use super::edit;
use crate::args::{BatchArgs, CorpusFile};
use crate::complaint::Refusal;
use crate::exit::Exit;
use crate::gpu::{self, Reader};
use crate::human;
use crate::open::open_store;
use crate::paths::is_dash;
use crate::reporter::Reporter;
use crate::text::{hex, visible_json};
use anyhow::Context;
use operation::parse;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Read, Write};
use std::time::Instant;
use zgram::plumbing::chain;
use zgram::store::{Answer, OffsetBase, Operation, Transaction};

pub(crate) fn run(args: &BatchArgs, reporter: &Reporter) -> anyhow::Result<Exit> {
    let mut text = String::new();
    if is_dash(&args.operations) {
        io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(&args.operations)
            .with_context(|| format!("cannot read {}", args.operations.display()))?;
    }
    // The number of each line, and its operation or its error.
    let lines: Vec<(usize, anyhow::Result<Operation>)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, parse(line)))
        .collect();
    let mut batch = Transaction {
        offsets: if args.in_batch { OffsetBase::InBatch } else { OffsetBase::InSequence },
        keep_going: args.keep_going,
        ..Transaction::default()
    };
    let mut numbers = Vec::new();
    let mut results: Vec<(usize, Value)> = Vec::new();
    for (number, operation) in lines {
        match operation {
            Ok(operation) => {
                numbers.push(number);
                batch.operations.push(operation);
            }
            Err(error) if args.keep_going => {
                results.push((number, json!({ "line": number, "error": format!("{error:#}") })));
            }
            Err(error) => return Err(refused(number, &format!("{error:#}"))),
        }
    }
    let has_edits = batch.operations.iter().any(Operation::is_edit);
    let store = if has_edits {
        edit::open(&args.file.path, reporter)?
    } else {
        open_store(&CorpusFile { path: args.file.path.clone() }, reporter)?
    };
    let reads = batch.operations.iter().filter(|operation| !operation.is_edit()).count();
    let reader = gpu::choose_reader(&args.engine, reads, reporter)?;
    let begun = Instant::now();
    let answers = match &reader {
        Some(reader) => store.run_with(&batch, reader.batch_reader()),
        None => store.run(&batch),
    };
    let answers = answers.map_err(|error| {
        refused(numbers.get(error.operation).copied().unwrap_or(1), &chain(&error.source))
    })?;
    let run = begun.elapsed();
    for (number, answer) in numbers.into_iter().zip(answers) {
        let result = match answer {
            Ok(answer) => result(number, answer),
            Err(error) => json!({ "line": number, "error": error.to_string() }),
        };
        results.push((number, result));
    }
    results.sort_by_key(|(number, _)| *number);
    let mut out = io::BufWriter::new(io::stdout().lock());
    let is_terminal = io::stdout().is_terminal();
    for (_, result) in &results {
        let text = result.to_string();
        writeln!(out, "{}", if is_terminal { visible_json(&text) } else { text })?;
    }
    out.flush()?;
    for reason in reader.iter().flat_map(Reader::failures) {
        reporter.notice(&format!("the GPU failed, so the CPU did the work: {reason}"));
    }
    if args.stats {
        anstream::eprintln!(
            "{:>12}  {}",
            "operations",
            human::count(batch.operations.len() as u64)
        );
        anstream::eprintln!("{:>12}  {}", "run", human::seconds(run));
        reader.iter().for_each(Reader::print_stats);
    }
    if has_edits {
        edit::compact_if_due(&store, reporter);
    }
    let failed = results.iter().filter(|(_, result)| result.get("error").is_some()).count();
    if failed > 0 {
        reporter.notice(&format!("{failed} of {} operations failed", results.len()));
        return Ok(Exit::Error);
    }
    Ok(Exit::Success)
}

fn refused(line: usize, why: &str) -> anyhow::Error {
    let hint = "nothing was done; --keep-going carries out the other operations";
    Refusal::error(format!("line {line}: {why}"), hint).into()
}

fn result(line: usize, answer: Answer) -> Value {
    match answer {
        Answer::Bytes(bytes) => match String::from_utf8(bytes) {
            Ok(text) => json!({ "line": line, "text": text }),
            Err(error) => json!({ "line": line, "hex": hex(error.as_bytes()) }),
        },
        Answer::Matches(found) => {
            let matches: Vec<Value> = found
                .iter()
                .flat_map(|(name, matches)| {
                    let name = String::from_utf8_lossy(name).into_owned();
                    matches.iter().map(move |found| {
                        json!({ "doc": name, "offset": found.offset, "len": found.len })
                    })
                })
                .collect();
            json!({ "line": line, "matches": matches })
        }
        Answer::Count(count) => json!({ "line": line, "count": count }),
        Answer::Done => json!({ "line": line, "done": true }),
    }
}
