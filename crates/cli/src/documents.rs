//! Choosing documents by name or pattern.

use crate::complaint::Refusal;
use crate::text::visible;
use std::collections::HashMap;
use std::ffi::OsString;
use zgram::plumbing::NameGlob;
use zgram::store::{DocumentEntry, Store};

/// How many names to suggest when a name does not exist.
const NEAREST: usize = 3;

/// Names with a lower likeness, from 0 to 1, are not suggested.
const LIKENESS: f64 = 0.6;

/// The indexes in `table` of the chosen documents, in the order of the choice; documents that match a
/// pattern, or have one name, follow in the order of the corpus.
///
/// # Errors
/// A [`Refusal`] when a name is unknown, or a pattern matches nothing.
pub(crate) fn choose(table: &[DocumentEntry], chosen: &[OsString]) -> anyhow::Result<Vec<usize>> {
    let exact = find_exact(table, chosen);
    let mut numbers = Vec::new();
    let mut unknown = Vec::new();
    for name in chosen {
        if let Some(found) = exact.get(name.as_encoded_bytes()).filter(|found| !found.is_empty()) {
            numbers.extend(found);
            continue;
        }
        let before = numbers.len();
        if let Some(glob) = glob(name)? {
            let matches = |&number: &usize| glob.matches(&table[number].name);
            numbers.extend((0..table.len()).filter(matches));
        }
        if numbers.len() == before {
            unknown.push(name.as_encoded_bytes());
        }
    }
    if unknown.is_empty() { Ok(numbers) } else { Err(refuse_unknown(table, &unknown)) }
}

/// The number of one document.
///
/// # Errors
/// A [`Refusal`] when no document has the name, or several have.
pub(crate) fn find(store: &Store, name: &OsString) -> anyhow::Result<usize> {
    match store.find_all(name.as_encoded_bytes())?[..] {
        [number] => Ok(number),
        [] => Err(refuse_unknown(&store.documents()?, &[name.as_encoded_bytes()])),
        ref several => Err(refuse_ambiguous(store, name, several)),
    }
}

/// The error that several documents have a name, and what to name instead.
fn refuse_ambiguous(store: &Store, name: &OsString, numbers: &[usize]) -> anyhow::Error {
    let name = visible(name.as_encoded_bytes());
    let message = format!("{} documents have the name {name}", numbers.len());
    let corpus = store.corpus();
    let shards: Vec<String> = numbers
        .iter()
        .filter_map(|&number| Some(corpus.shard_of(number)?.0.path().display().to_string()))
        .collect();
    let hint = match shards.is_empty() {
        true => "`zgram cat FILE DOC` writes all of them".to_owned(),
        false => format!("name one of their files instead of the folder: {}", shards.join(", ")),
    };
    Refusal::error(message, hint).into()
}

/// The numbers of documents by name or pattern.
pub(crate) fn find_all(store: &Store, names: &[OsString]) -> anyhow::Result<Vec<usize>> {
    let documents = store.documents()?;
    let chosen = choose(&documents, names)?;
    Ok(chosen.into_iter().map(|at| documents[at].number).collect())
}

/// The error that documents do not exist, with similar names as a hint.
fn refuse_unknown(table: &[DocumentEntry], unknown: &[&[u8]]) -> anyhow::Error {
    let names: Vec<String> = unknown.iter().map(|name| visible(name)).collect();
    let message = format!("no document {}", names.join(", "));
    Refusal::nothing_found(message, Some(hint(table, unknown[0]))).into()
}

/// The indexes of the documents that have each name; none, if it is no name.
fn find_exact<'a>(table: &[DocumentEntry], names: &'a [OsString]) -> HashMap<&'a [u8], Vec<usize>> {
    let mut found: HashMap<&[u8], Vec<usize>> =
        names.iter().map(|name| (name.as_encoded_bytes(), Vec::new())).collect();
    if !found.is_empty() {
        for (number, entry) in table.iter().enumerate() {
            if let Some(found) = found.get_mut(&entry.name[..]) {
                found.push(number);
            }
        }
    }
    found
}

/// `name` as a pattern, if it contains a wildcard.
fn glob(name: &OsString) -> anyhow::Result<Option<NameGlob>> {
    match name.to_str().filter(|name| NameGlob::is_pattern(name)) {
        Some(pattern) => Ok(Some(NameGlob::new(pattern)?)),
        None => Ok(None),
    }
}

fn hint(table: &[DocumentEntry], unknown: &[u8]) -> String {
    let nearest = similar(table.iter().map(|entry| &entry.name[..]), unknown);
    if nearest.is_empty() {
        "`zgram ls FILE` lists all names; a pattern such as '*name*' matches parts of them"
            .to_owned()
    } else {
        let names: Vec<String> = nearest.iter().map(|name| visible(name)).collect();
        format!("similar names: {}", names.join(", "))
    }
}

/// The names most similar to `unknown`, the best first. Names that contain it come before all others.
pub(crate) fn similar<'a>(names: impl Iterator<Item = &'a [u8]>, unknown: &[u8]) -> Vec<&'a [u8]> {
    let wanted = String::from_utf8_lossy(unknown).to_lowercase();
    let mut best: Vec<(f64, &[u8])> = Vec::new();
    for name in names {
        let text = String::from_utf8_lossy(name).to_lowercase();
        let likeness = if text.contains(&wanted) {
            // A part of the name is the best guess; the larger the part, the better.
            1.0 + wanted.len() as f64 / text.len().max(1) as f64
        } else {
            let whole = likeness(&wanted, &text);
            // People often leave out the folders.
            let last_part = text.rsplit('/').next().map_or(0.0, |part| likeness(&wanted, part));
            whole.max(0.99 * last_part)
        };
        if likeness < LIKENESS || best.len() == NEAREST && likeness <= best[NEAREST - 1].0 {
            continue;
        }
        let place = best.partition_point(|(better, _)| *better >= likeness);
        best.insert(place, (likeness, name));
        best.truncate(NEAREST);
    }
    best.into_iter().map(|(_, name)| name).collect()
}

/// How similar two names are, from 0 to 1. Names of very different lengths count as 0, which saves time.
fn likeness(a: &str, b: &str) -> f64 {
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    if short * 2 < long { 0.0 } else { strsim::normalized_damerau_levenshtein(a, b) }
}
