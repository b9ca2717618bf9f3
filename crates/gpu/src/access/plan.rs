//! Turns operations into numbers: the document, the word, and the insertions that a read sees.
//!
//! Makes the same checks as the library, in the same order, so that the same operations are refused.

use super::AccessError;
use crate::error::GpuError;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use zgram::Corpus;
use zgram::error::{AccessError as ReadError, EditError, NoDocument, TransactionError};
use zgram::plumbing::Piece;
use zgram::store::{Answer, OffsetBase, Operation, Transaction};

/// The work in one segment.
#[derive(Debug, Default)]
pub(super) struct Task<'b> {
    /// Those of one document are next to each other, in order, once they are [grouped](Task::group).
    pub(super) insertions: Vec<Insertion<'b>>,
    pub(super) reads: Vec<Read<'b>>,
}

/// New bytes for a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Insertion<'b> {
    /// Its number in the segment.
    pub(super) document: u32,
    /// The offset as given, or the end.
    pub(super) offset: u32,
    pub(super) is_append: bool,
    pub(super) bytes: &'b [u8],
    /// The size of the document before it.
    pub(super) size: u32,
}

/// A question about a document, or about a piece of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read<'b> {
    /// Its position in the batch.
    pub(super) operation: usize,
    /// Its number in the segment.
    pub(super) document: u32,
    /// The offset of the piece in the document.
    pub(super) start: u64,
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
    /// The word to look for.
    pub(super) fn word(self) -> Option<&'b [u8]> {
        match self {
            Self::Extract { .. } => None,
            Self::Search { word } | Self::Count { word } => Some(word),
        }
    }
}

/// The insertions of a document: its first, the end of those before a read, the end of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sees {
    pub(super) first: u32,
    pub(super) end: u32,
    pub(super) all: u32,
}

/// A batch, prepared for the device.
pub(super) struct Plan<'b> {
    /// The work in each segment.
    pub(super) tasks: Vec<Task<'b>>,
    /// The answers that are known already. Reads have an empty answer, to which the pieces of documents
    /// are added.
    pub(super) answers: Answers,
    pub(super) left: Left,
}

pub(super) type Answers = Vec<Option<Result<Answer, EditError>>>;

/// The operations that the device does not support, and why.
pub(super) type Left = Vec<(usize, &'static str)>;

/// A piece of a document in a segment, and its bytes.
#[derive(Clone, Copy)]
struct Located {
    segment: usize,
    document: u32,
    len: u64,
}

/// A document that a batch names.
struct Named {
    pieces: Vec<Located>,
    /// Its size before the batch, and now.
    original: u64,
    size: u64,
    insertions: u32,
    /// Why the device no longer has its text.
    lost: Option<&'static str>,
}

/// Why the device does not process an operation.
enum Obstacle {
    /// The operation is invalid.
    Wrong(EditError),
    /// The device does not support it.
    Left(&'static str),
    Gpu(GpuError),
}

/// The bytes of a segment's document.
pub(super) type Lengths<'a> = dyn FnMut(Piece) -> Result<u32, AccessError> + 'a;

/// Distributes the operations over the segments. `lengths` returns the lengths of a document's pieces if
/// it has several.
pub(super) fn plan<'b>(
    corpus: &Corpus,
    batch: &'b Transaction,
    lengths: &mut Lengths<'_>,
) -> Result<Plan<'b>, AccessError> {
    let table = corpus.documents()?;
    let mut numbers: HashMap<&[u8], (usize, u64)> = HashMap::new();
    for (number, (name, size)) in table.iter().enumerate() {
        // Of documents with one name, the first is meant.
        numbers.entry(name).or_insert((number, size));
    }
    let mut tasks: Vec<Task<'b>> = Vec::new();
    tasks.resize_with(corpus.facts().segments.len(), Task::default);
    let mut answers: Answers = Vec::new();
    answers.resize_with(batch.operations.len(), || None);
    let mut left = Vec::new();
    let mut documents: HashMap<usize, Named> = HashMap::new();
    // Names that are new, or that belong to another document by now, or to none.
    let mut moved: HashSet<&[u8]> = HashSet::new();
    for (place, operation) in batch.operations.iter().enumerate() {
        let done = match (operation, operation.document()) {
            (Operation::Add { name, .. }, _) | (Operation::Remove { document: name }, _) => {
                moved.insert(name);
                Err(Obstacle::Left("changing the list of documents"))
            }
            (Operation::Rename { document, name }, _) => {
                moved.extend([&document[..], &name[..]]);
                Err(Obstacle::Left("changing the list of documents"))
            }
            (_, None) => Err(Obstacle::Left("an operation on all documents")),
            (_, Some(name)) if moved.contains(name) => Err(Obstacle::Left(
                "an operation on a document that the batch has added, renamed or removed",
            )),
            (_, Some(name)) => match numbers.get(name) {
                None => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    Err(Obstacle::Wrong(NoDocument { name }.into()))
                }
                Some(&(number, size)) => {
                    let named = match documents.entry(number) {
                        Entry::Occupied(named) => named.into_mut(),
                        Entry::Vacant(empty) => empty.insert(find(corpus, number, size, lengths)?),
                    };
                    named.put(&mut tasks, (place, name, operation), batch.offsets)
                }
            },
        };
        match done {
            Ok(answer) => answers[place] = Some(Ok(answer)),
            Err(Obstacle::Left(why)) => left.push((place, why)),
            Err(Obstacle::Gpu(error)) => return Err(error.into()),
            Err(Obstacle::Wrong(error)) if batch.keep_going => answers[place] = Some(Err(error)),
            Err(Obstacle::Wrong(source)) => {
                return Err(TransactionError { operation: place, source }.into());
            }
        }
    }
    tasks.iter_mut().for_each(Task::group);
    Ok(Plan { tasks, answers, left })
}

fn find(
    corpus: &Corpus,
    number: usize,
    size: u64,
    lengths: &mut Lengths<'_>,
) -> Result<Named, AccessError> {
    let locate = |piece: Piece, len| {
        let document = piece.document as u32;
        Located { segment: piece.segment, document, len }
    };
    let found: Vec<Piece> = corpus.pieces(number)?.collect();
    let pieces = match found[..] {
        [piece] => vec![locate(piece, size)],
        _ => {
            let measured = found.into_iter().map(|piece| Ok(locate(piece, lengths(piece)?.into())));
            measured.collect::<Result<Vec<_>, AccessError>>()?
        }
    };
    let length = pieces.iter().map(|piece| piece.len).sum();
    if length != size {
        return Err(GpuError::Damaged { document: number, length, size }.into());
    }
    Ok(Named { pieces, original: size, size, insertions: 0, lost: None })
}

/// Offsets on the device are below this.
const MOST_BYTES: u64 = i32::MAX as u64;

impl Named {
    /// Adds an operation. Returns its answer, as far as it is known already.
    fn put<'b>(
        &mut self,
        tasks: &mut [Task<'b>],
        (place, name, operation): (usize, &'b [u8], &'b Operation),
        meaning: OffsetBase,
    ) -> Result<Answer, Obstacle> {
        if let Some(why) = self.lost {
            return Err(Obstacle::Left(why));
        }
        let out_of_range = |offset: u64, size: u64| {
            let document = String::from_utf8_lossy(name).into_owned();
            Err(Obstacle::Wrong(ReadError::OutOfRange { document, offset, size }.into()))
        };
        let asked = match operation {
            Operation::Insert { offset, bytes, .. } => {
                let size = match meaning {
                    OffsetBase::InSequence => self.size,
                    OffsetBase::InBatch => self.original,
                };
                if *offset > size {
                    return out_of_range(*offset, size);
                }
                return self.insert(tasks, Some(*offset), bytes);
            }
            Operation::Append { bytes, .. } => return self.insert(tasks, None, bytes),
            Operation::Delete { .. } | Operation::Replace { .. } => {
                self.lost = Some("an operation on a document that has lost text");
                return Err(Obstacle::Left("taking text out"));
            }
            Operation::Extract { offset, len, .. } => {
                let Some(left) = self.size.checked_sub(*offset) else {
                    return out_of_range(*offset, self.size);
                };
                Question::Stretch(*offset..*offset + left.min(*len as u64))
            }
            Operation::Search { phrase, .. } | Operation::Count { phrase, .. } => {
                let (Some(word), 1) = (phrase.words().next(), phrase.words().len()) else {
                    return Err(Obstacle::Left("a phrase of several words"));
                };
                Question::Word(word)
            }
            _ => return Err(Obstacle::Left("reading by line numbers")),
        };
        let sees = Sees { end: self.insertions, ..Sees::default() };
        let mut start = 0;
        for piece in &self.pieces {
            // Only documents of one piece have insertions, and the piece has grown with them.
            let len = if self.insertions > 0 { self.size } else { piece.len };
            let asked = match (&asked, operation) {
                (Question::Stretch(bytes), _) => {
                    let from = bytes.start.clamp(start, start + len);
                    let end = bytes.end.clamp(start, start + len);
                    Asked::Extract { offset: (from - start) as u32, len: (end - from) as u32 }
                }
                (Question::Word(word), Operation::Search { .. }) => Asked::Search { word },
                (Question::Word(word), _) => Asked::Count { word },
            };
            let is_apart = matches!(asked, Asked::Extract { len: 0, .. });
            let document = piece.document;
            let read = Read { operation: place, document, start, name, asked, sees };
            if !is_apart {
                tasks[piece.segment].reads.push(read);
            }
            start += len;
        }
        Ok(match operation {
            Operation::Search { .. } => Answer::Matches(Vec::new()),
            Operation::Count { .. } => Answer::Count(0),
            _ => Answer::Bytes(Vec::new()),
        })
    }

    fn insert<'b>(
        &mut self,
        tasks: &mut [Task<'b>],
        offset: Option<u64>,
        bytes: &'b [u8],
    ) -> Result<Answer, Obstacle> {
        if !bytes.is_empty() {
            let [piece] = self.pieces[..] else {
                let why = "changing a document in several segments";
                self.lost = Some(why);
                return Err(Obstacle::Left(why));
            };
            let size = self.size;
            self.size += bytes.len() as u64;
            self.insertions += 1;
            if self.size >= MOST_BYTES {
                return Err(Obstacle::Gpu(GpuError::TooMany { what: "bytes of a document" }));
            }
            tasks[piece.segment].insertions.push(Insertion {
                document: piece.document,
                offset: offset.unwrap_or(size) as u32,
                is_append: offset.is_none(),
                bytes,
                size: size as u32,
            });
        }
        Ok(Answer::Done)
    }
}

/// The question of a read.
enum Question<'b> {
    Stretch(Range<u64>),
    Word(&'b [u8]),
}

impl Task<'_> {
    /// Sorts insertions by document, and updates the positions that reads refer to.
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
