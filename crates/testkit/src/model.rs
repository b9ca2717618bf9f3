//! What edits and random access should give, in the plainest way.

use crate::{Document, Random};
use zgram::access::{Match, Phrase};
use zgram::plumbing::{Splitter, TokenClass, join};
use zgram::store::Edit;

/// The expected corpus: names and texts by document number; removed documents are `None`.
#[derive(Clone, Debug, Default)]
pub struct Model(pub Vec<Option<(Vec<u8>, Vec<u8>)>>);

impl Model {
    /// The model of some documents before any edit.
    #[must_use]
    pub fn of(documents: &[Document]) -> Self {
        Self(documents.iter().map(|it| Some((it.name.clone(), it.text.clone()))).collect())
    }

    /// The text of a document that is there.
    ///
    /// # Panics
    /// When it was removed.
    pub fn text(&mut self, document: usize) -> &mut Vec<u8> {
        &mut self.0[document].as_mut().unwrap().1
    }

    /// The numbers of all documents that are there.
    #[must_use]
    pub fn live(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|&number| self.0[number].is_some()).collect()
    }

    /// Makes an edit.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn apply(&mut self, edit: &Edit) {
        match edit.clone() {
            Edit::Insert { document, offset, bytes } => {
                let at = offset as usize;
                self.text(document).splice(at..at, bytes);
            }
            Edit::Append { document, bytes } => self.text(document).extend(bytes),
            Edit::Delete { document, offset, len } => {
                let at = offset as usize;
                self.text(document).drain(at..at + len as usize);
            }
            Edit::Replace { document, offset, len, bytes } => {
                let at = offset as usize;
                self.text(document).splice(at..at + len as usize, bytes);
            }
            Edit::Add { name, bytes } => self.0.push(Some((name, bytes))),
            Edit::Remove { document } => self.0[document] = None,
            Edit::Rename { document, name } => self.0[document].as_mut().unwrap().0 = name,
            Edit::SetThreshold { .. } => {}
        }
    }

    /// The documents that are there.
    #[must_use]
    pub fn documents(&self) -> Vec<Document> {
        let documents = self.0.iter().flatten();
        documents.map(|(name, text)| Document::new(name.clone(), text.clone())).collect()
    }
}

/// Every match of a phrase in a text, found by splitting the whole text and trying each word.
#[must_use]
pub fn find(text: &[u8], phrase: &Phrase) -> Vec<Match> {
    let (mut words, mut at, mut last) = (Vec::new(), 0, TokenClass::Separator);
    Splitter::default().finish(text, |class, bytes| {
        at += join(last, class).len() as u64;
        if class.is_word() {
            words.push((at, bytes.to_vec()));
        }
        at += bytes.len() as u64;
        last = class;
    });
    let wanted: Vec<&[u8]> = phrase.words().collect();
    words
        .windows(wanted.len())
        .filter(|found| found.iter().zip(&wanted).all(|((_, found), wanted)| found == wanted))
        .map(|found| {
            let (last, bytes) = &found[found.len() - 1];
            Match { offset: found[0].0, len: (last - found[0].0) as usize + bytes.len() }
        })
        .collect()
}

/// The lines `from` to `to` of a text, counted from 1.
#[must_use]
pub fn lines(text: &[u8], from: u64, to: u64) -> Vec<u8> {
    let all: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let number = |line: u64| (line as usize).min(all.len());
    let from = number(from.max(1) - 1);
    all[from..number(to).max(from)].concat()
}

/// What texts are made of.
const BITS: [&[u8]; 12] = [
    b" ",
    b"a",
    b"b a b",
    b"the cat ",
    b"\n",
    b", ",
    "中文".as_bytes(),
    "é".as_bytes(),
    b"\xe4\xb8",
    b"\xad",
    b"",
    b"the cat\nthe cat\n",
];

/// A text of up to this many bits.
pub fn some_text(random: &mut Random, most: usize) -> Vec<u8> {
    (0..random.below(most + 1)).flat_map(|_| BITS[random.below(BITS.len())].to_vec()).collect()
}

/// A valid edit; `names` counts the names given so far.
pub fn some_edit(random: &mut Random, model: &Model, names: &mut u32) -> Edit {
    let live = model.live();
    let kind = if live.is_empty() { 6 } else { random.below(12) };
    let document = if live.is_empty() { 0 } else { live[random.below(live.len())] };
    let size = if live.is_empty() { 0 } else { model.0[document].as_ref().unwrap().1.len() };
    let offset = random.below(size + 1);
    let len = random.below((size - offset).min(30) + 1) as u64;
    let offset = offset as u64;
    let mut name = || {
        *names += 1;
        format!("new {names}").into_bytes()
    };
    match kind {
        0..3 => Edit::Insert { document, offset, bytes: some_text(random, 4) },
        3 => Edit::Append { document, bytes: some_text(random, 4) },
        4 => Edit::Delete { document, offset, len },
        5 => Edit::Replace { document, offset, len, bytes: some_text(random, 3) },
        6 => Edit::Add { name: name(), bytes: some_text(random, 30) },
        7 if random.below(4) == 0 => Edit::Remove { document },
        8 => Edit::Rename { document, name: name() },
        _ => Edit::Insert { document, offset, bytes: some_text(random, 2) },
    }
}
