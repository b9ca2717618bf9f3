//! `zgram batch`: many operations from a file, one flush for all.

use super::{edit, is_dash, open_store};
use crate::args::CorpusFile;
use crate::complaint::{Refusal, chain};
use crate::exit::Exit;
use crate::gpu::args::EngineArgs;
use crate::gpu::{self, Reader};
use crate::human;
use crate::reporter::Reporter;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Instant;
use zgram::access::Phrase;
use zgram::store::{Answer, Batch, Meaning, Operation};

/// Run many operations at once, one JSON object a line
///
/// Reads and edits in one list; each read sees exactly the edits before it. All edits are flushed to
/// disk together, before the first result is printed. Results are JSON objects, a line each, in the
/// order of the operations. If an operation is malformed or cannot be done, nothing is done.
#[derive(Debug, Args)]
#[command(after_long_help = "\
OPERATIONS:
  {\"op\": \"extract\", \"doc\": \"a.txt\", \"offset\": 0, \"len\": 64}
  {\"op\": \"lines\", \"doc\": \"a.txt\", \"from\": 1, \"to\": 10}
  {\"op\": \"search\", \"doc\": \"a.txt\", \"words\": \"white whale\"}     without doc: in all
  {\"op\": \"count\", \"doc\": \"a.txt\", \"words\": \"whale\"}           without doc: in all
  {\"op\": \"insert\", \"doc\": \"a.txt\", \"offset\": 5, \"text\": \"...\"}
  {\"op\": \"append\", \"doc\": \"a.txt\", \"text\": \"...\"}
  {\"op\": \"replace\", \"doc\": \"a.txt\", \"offset\": 5, \"len\": 3, \"text\": \"...\"}
  {\"op\": \"delete\", \"doc\": \"a.txt\", \"offset\": 5, \"len\": 3}
  {\"op\": \"add\", \"name\": \"new.txt\", \"text\": \"...\"}
  {\"op\": \"rm\", \"doc\": \"a.txt\"}
  {\"op\": \"rename\", \"doc\": \"a.txt\", \"name\": \"b.txt\"}
  Bytes that are not UTF-8: \"hex\" in place of \"text\".

EXAMPLES:
  zgram batch texts.zgram ops.ndjson
  make-ops | zgram batch --in-batch texts.zgram - > results.ndjson
  zgram batch texts.zgram ops.ndjson --engine gpu --stats")]
pub(crate) struct BatchArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// A file of operations; `-` is standard input
    #[arg(value_name = "OPS.ndjson", value_hint = clap::ValueHint::FilePath)]
    operations: PathBuf,
    /// Offsets of edits count in the text before the batch, not after the edits before
    #[arg(long)]
    in_batch: bool,
    /// Do what can be done and report the rest, with exit code 2
    #[arg(short, long)]
    keep_going: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print on standard error how long it took, and what a GPU did
    #[arg(long)]
    stats: bool,
}

pub(crate) fn run(args: &BatchArgs, reporter: &Reporter) -> anyhow::Result<Exit> {
    let mut text = String::new();
    if is_dash(&args.operations) {
        io::stdin().lock().read_to_string(&mut text).context("cannot read standard input")?;
    } else {
        text = std::fs::read_to_string(&args.operations)
            .with_context(|| format!("cannot read {}", args.operations.display()))?;
    }
    // Each line's number, and its operation or what is wrong with it.
    let lines: Vec<(usize, anyhow::Result<Operation>)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, parse(line)))
        .collect();
    let mut batch = Batch {
        meaning: if args.in_batch { Meaning::InBatch } else { Meaning::InSequence },
        keep_going: args.keep_going,
        ..Batch::default()
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
        edit::open(&args.file, reporter)?
    } else {
        open_store(&CorpusFile { path: args.file.clone() }, reporter)?
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
    for (_, result) in &results {
        writeln!(out, "{result}")?;
    }
    out.flush()?;
    for reason in reader.iter().flat_map(Reader::failures) {
        reporter.notice(&format!("the GPU did not answer, so the CPU did: {reason}"));
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
        reporter.notice(&format!("{failed} of {} operations were not done", results.len()));
        return Ok(Exit::Error);
    }
    Ok(Exit::Success)
}

fn refused(line: usize, why: &str) -> anyhow::Error {
    let hint = "nothing was done; --keep-going does the other operations";
    Refusal::error(format!("line {line}: {why}"), hint).into()
}

fn result(line: usize, answer: Answer) -> Value {
    match answer {
        Answer::Bytes(bytes) => match String::from_utf8(bytes) {
            Ok(text) => json!({ "line": line, "text": text }),
            Err(error) => json!({ "line": line, "hex": to_hex(error.as_bytes()) }),
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

fn parse(line: &str) -> anyhow::Result<Operation> {
    let value: Value = serde_json::from_str(line).context("no JSON")?;
    let Value::Object(mut fields) = value else { bail!("no JSON object") };
    let op = fields.remove("op").ok_or_else(|| anyhow!("\"op\" is missing"))?;
    let op = op.as_str().ok_or_else(|| anyhow!("\"op\" is no string"))?;
    let fields = &mut fields;
    let operation = match op {
        "extract" => Operation::Extract {
            document: string(fields, "doc")?,
            offset: number(fields, "offset")?,
            len: usize::try_from(number(fields, "len")?).unwrap_or(usize::MAX),
        },
        "lines" => Operation::Lines {
            document: string(fields, "doc")?,
            from: number(fields, "from")?,
            to: number(fields, "to")?,
        },
        "search" => Operation::Search { document: document(fields)?, phrase: phrase(fields)? },
        "count" => Operation::Count { document: document(fields)?, phrase: phrase(fields)? },
        "insert" => Operation::Insert {
            document: string(fields, "doc")?,
            offset: number(fields, "offset")?,
            bytes: bytes(fields)?,
        },
        "append" => Operation::Append { document: string(fields, "doc")?, bytes: bytes(fields)? },
        "replace" => Operation::Replace {
            document: string(fields, "doc")?,
            offset: number(fields, "offset")?,
            len: number(fields, "len")?,
            bytes: bytes(fields)?,
        },
        "delete" => Operation::Delete {
            document: string(fields, "doc")?,
            offset: number(fields, "offset")?,
            len: number(fields, "len")?,
        },
        "add" => Operation::Add { name: string(fields, "name")?, bytes: bytes(fields)? },
        "rm" => Operation::Remove { document: string(fields, "doc")? },
        "rename" => {
            Operation::Rename { document: string(fields, "doc")?, name: string(fields, "name")? }
        }
        other => bail!("unknown operation {other:?}"),
    };
    match fields.keys().next() {
        Some(key) => bail!("{op} has no {key:?}"),
        None => Ok(operation),
    }
}

fn string(fields: &mut Map<String, Value>, key: &str) -> anyhow::Result<Vec<u8>> {
    match fields.remove(key) {
        Some(Value::String(text)) => Ok(text.into_bytes()),
        Some(_) => bail!("{key:?} is no string"),
        None => bail!("{key:?} is missing"),
    }
}

fn number(fields: &mut Map<String, Value>, key: &str) -> anyhow::Result<u64> {
    let value = fields.remove(key).ok_or_else(|| anyhow!("{key:?} is missing"))?;
    value.as_u64().ok_or_else(|| anyhow!("{key:?} is no whole number from 0 on"))
}

fn document(fields: &mut Map<String, Value>) -> anyhow::Result<Option<Vec<u8>>> {
    fields.contains_key("doc").then(|| string(fields, "doc")).transpose()
}

fn phrase(fields: &mut Map<String, Value>) -> anyhow::Result<Phrase> {
    let key = if fields.contains_key("word") { "word" } else { "words" };
    Ok(Phrase::new(string(fields, key)?)?)
}

fn bytes(fields: &mut Map<String, Value>) -> anyhow::Result<Vec<u8>> {
    if !fields.contains_key("hex") {
        return string(fields, "text");
    }
    let hex = string(fields, "hex")?;
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pairs = hex.chunks(2).map(|pair| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    });
    pairs.collect::<Option<_>>().ok_or_else(|| anyhow!("\"hex\" has no pairs of digits"))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_read_strictly() {
        let delete = r#"{"op": "delete", "doc": "a", "offset": 5, "len": 3}"#;
        let expected = Operation::Delete { document: b"a".to_vec(), offset: 5, len: 3 };
        assert_eq!(parse(delete).unwrap(), expected);
        let append = r#"{"op": "append", "doc": "a", "hex": "ff00"}"#;
        let expected = Operation::Append { document: b"a".to_vec(), bytes: vec![255, 0] };
        assert_eq!(parse(append).unwrap(), expected);
        let [word, words] = ["word", "words"]
            .map(|key| parse(&format!(r#"{{"op": "count", "doc": "a", "{key}": "b"}}"#)).unwrap());
        assert_eq!(word, words);
        for wrong in [
            "",
            "[]",
            r#"{"op": "destroy"}"#,
            r#"{"op": "delete", "doc": "a", "offset": -1, "len": 3}"#,
            r#"{"op": "delete", "doc": "a", "offset": 1, "len": 3, "text": ""}"#,
            r#"{"op": "append", "doc": "a", "hex": "f"}"#,
            r#"{"op": "append", "doc": 5, "text": ""}"#,
            r#"{"op": "count", "doc": "a", "words": "--"}"#,
            r#"{"op": "count", "doc": "a", "word": "b", "words": "c"}"#,
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
