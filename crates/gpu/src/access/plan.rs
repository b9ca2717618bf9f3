//! From operations to numbers: which document, which word, which insertions a read sees.
//!
//! Checks what the library checks, in the same order, so that the same operations are refused.

use super::AccessError;
use crate::error::GpuError;
use std::collections::HashMap;
use zgram::store::{Answer, Batch, BatchError, Meaning, Operation};
use zgram::{Corpus, Error, Piece};

/// What was asked of one segment.
#[derive(Debug, Default)]
pub(super) struct Task<'b> {
    /// Those of one document next to each other, in their order, once they are
    /// [grouped](Task::group).
    pub(super) insertions: Vec<Insertion<'b>>,
    pub(super) reads: Vec<Read<'b>>,
}

/// New bytes for a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Insertion<'b> {
    /// Its number in the segment.
    pub(super) document: u32,
    /// Where: as asked for, or the end.
    pub(super) offset: u32,
    pub(super) is_append: bool,
    pub(super) bytes: &'b [u8],
    /// The document's bytes before it.
    pub(super) size: u32,
}

/// A question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read<'b> {
    /// Its place in the batch.
    pub(super) operation: usize,
    /// Its number in the segment.
    pub(super) document: u32,
    pub(super) name: &'b [u8],
    pub(super) asked: Asked<'b>,
    pub(super) sees: Sees,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Asked<'b> {
    Extract { offset: u32, len: u32 },
    Search { word: &'b [u8] },
    Count { word: &'b [u8] },
}

impl<'b> Asked<'b> {
    /// The word asked for.
    pub(super) fn word(self) -> Option<&'b [u8]> {
        match self {
            Self::Extract { .. } => None,
            Self::Search { word } | Self::Count { word } => Some(word),
        }
    }
}

/// Insertions of a document: its first, the end of those that were before a read, the end of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sees {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) all: u32,
}

/// A document that a batch names.
#[derive(Clone, Copy)]
struct Named {
    segment: usize,
    document: u32,
    /// Bytes before the batch, and now.
    original: u64,
    size: u64,
    insertions: u32,
}

pub(super) type Answers = Vec<Option<Result<Answer, Error>>>;

/// What is to be done in each segment, and what is already known.
pub(super) fn plan<'b>(
    corpus: &Corpus,
    batch: &'b Batch,
) -> Result<(Vec<Task<'b>>, Answers), AccessError> {
    let table = corpus.documents()?;
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    for number in (0..table.len()).rev() {
        numbers.insert(table.name(number), number);
    }
    let mut tasks: Vec<Task<'b>> = Vec::new();
    tasks.resize_with(corpus.facts().segments.len(), Task::default);
    let mut documents: HashMap<usize, Named> = HashMap::new();
    let mut answers: Answers = Vec::new();
    answers.resize_with(batch.operations.len(), || None);
    for (place, operation) in batch.operations.iter().enumerate() {
        let name = name_of(operation)?;
        let wrong = match numbers.get(name) {
            None => Err(Error::NoDocument { name: String::from_utf8_lossy(name).into_owned() }),
            Some(&number) => {
                let named = match documents.get_mut(&number) {
                    Some(named) => named,
                    None => {
                        let named = find(corpus, number, table.size(number))?;
                        documents.entry(number).or_insert(named)
                    }
                };
                let task = &mut tasks[named.segment];
                task.put(place, name, operation, batch.meaning, named)?
            }
        };
        match wrong {
            Ok(answer) => answers[place] = answer.map(Ok),
            Err(error) if batch.keep_going => answers[place] = Some(Err(error)),
            Err(source) => return Err(BatchError { operation: place, source }.into()),
        }
    }
    tasks.iter_mut().for_each(Task::group);
    Ok((tasks, answers))
}

/// The document's name, of operations that the device does.
fn name_of(operation: &Operation) -> Result<&[u8], GpuError> {
    let what = match operation {
        Operation::Extract { document, .. }
        | Operation::Insert { document, .. }
        | Operation::Append { document, .. } => return Ok(document),
        Operation::Search { document, phrase } | Operation::Count { document, phrase } => {
            match document {
                Some(document) if phrase.words().len() == 1 => return Ok(document),
                Some(_) => "a phrase of several words",
                None => "an operation on all documents",
            }
        }
        Operation::Lines { .. } => "reading by line numbers",
        Operation::Delete { .. } | Operation::Replace { .. } => "taking text out",
        _ => "changing the list of documents",
    };
    Err(GpuError::Unsupported { what })
}

fn find(corpus: &Corpus, number: usize, size: u64) -> Result<Named, GpuError> {
    let mut pieces = corpus.pieces(number);
    match (pieces.next(), pieces.next()) {
        (Some(Piece { segment, document }), None) => {
            Ok(Named { segment, document: document as u32, original: size, size, insertions: 0 })
        }
        _ => Err(GpuError::Unsupported { what: "an operation on a document in several segments" }),
    }
}

/// Offsets on the device are below this.
const MOST_BYTES: u64 = i32::MAX as u64;

impl<'b> Task<'b> {
    /// Takes an operation in: its answer if that is known already, or what is wrong with it.
    fn put(
        &mut self,
        place: usize,
        name: &'b [u8],
        operation: &'b Operation,
        meaning: Meaning,
        named: &mut Named,
    ) -> Result<Result<Option<Answer>, Error>, GpuError> {
        let out_of_range = |offset: u64, size: u64| {
            let document = String::from_utf8_lossy(name).into_owned();
            Ok(Err(Error::OutOfRange { document, offset, size }))
        };
        let asked = match operation {
            Operation::Insert { offset, bytes, .. } => {
                let size = match meaning {
                    Meaning::InSequence => named.size,
                    Meaning::InBatch => named.original,
                };
                if *offset > size {
                    return out_of_range(*offset, size);
                }
                return self.insert(named, Some(*offset), bytes).map(Ok);
            }
            Operation::Append { bytes, .. } => return self.insert(named, None, bytes).map(Ok),
            Operation::Extract { offset, len, .. } => {
                let Some(left) = named.size.checked_sub(*offset) else {
                    return out_of_range(*offset, named.size);
                };
                Asked::Extract { offset: *offset as u32, len: left.min(*len as u64) as u32 }
            }
            Operation::Search { phrase, .. } => {
                Asked::Search { word: phrase.words().next().unwrap_or_default() }
            }
            Operation::Count { phrase, .. } => {
                Asked::Count { word: phrase.words().next().unwrap_or_default() }
            }
            _ => return Err(GpuError::Unsupported { what: "this operation" }),
        };
        let sees = Sees { end: named.insertions, ..Sees::default() };
        let document = named.document;
        self.reads.push(Read { operation: place, document, name, asked, sees });
        Ok(Ok(None))
    }

    fn insert(
        &mut self,
        named: &mut Named,
        offset: Option<u64>,
        bytes: &'b [u8],
    ) -> Result<Option<Answer>, GpuError> {
        if !bytes.is_empty() {
            let size = named.size;
            named.size += bytes.len() as u64;
            named.insertions += 1;
            if named.size >= MOST_BYTES {
                return Err(GpuError::TooMany { what: "bytes of a document" });
            }
            self.insertions.push(Insertion {
                document: named.document,
                offset: offset.unwrap_or(size) as u32,
                is_append: offset.is_none(),
                bytes,
                size: size as u32,
            });
        }
        Ok(Some(Answer::Done))
    }

    /// Brings insertions of one document together and tells reads where they are.
    fn group(&mut self) {
        self.insertions.sort_by_key(|insertion| insertion.document);
        let mut ranges: HashMap<u32, (u32, u32)> = HashMap::new();
        for (number, insertion) in (0u32..).zip(&self.insertions) {
            ranges.entry(insertion.document).or_insert((number, number)).1 = number + 1;
        }
        for read in &mut self.reads {
            let (first, all) = ranges.get(&read.document).copied().unwrap_or_default();
            read.sees = Sees { first, end: first + read.sees.end, all };
        }
    }
}
