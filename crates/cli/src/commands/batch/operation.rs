//! Reads one operation from a line of JSON.

use anyhow::{Context, anyhow, bail};
use serde_json::{Map, Value};
use zgram::access::Phrase;
use zgram::store::Operation;

pub(super) fn parse(line: &str) -> anyhow::Result<Operation> {
    let value: Value = serde_json::from_str(line).context("not JSON")?;
    let Value::Object(mut fields) = value else { bail!("not a JSON object") };
    let op = fields.remove("op").ok_or_else(|| anyhow!("\"op\" is missing"))?;
    let op = op.as_str().ok_or_else(|| anyhow!("\"op\" is not a string"))?;
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
        Some(_) => bail!("{key:?} is not a string"),
        None => bail!("{key:?} is missing"),
    }
}

fn number(fields: &mut Map<String, Value>, key: &str) -> anyhow::Result<u64> {
    let value = fields.remove(key).ok_or_else(|| anyhow!("{key:?} is missing"))?;
    value.as_u64().ok_or_else(|| anyhow!("{key:?} is not a whole number"))
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
    pairs
        .collect::<Option<_>>()
        .ok_or_else(|| anyhow!("\"hex\" is not pairs of hexadecimal digits"))
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
