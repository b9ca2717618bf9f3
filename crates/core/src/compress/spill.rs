//! Stores grammars and envelopes in an unnamed temporary file until the dictionary is complete.
//!
//! The system removes the file when the process ends, however it ends, because it has no name.

use crate::error::{CompressError, FileError};
use crate::format::envelopes::Envelopes;
use crate::format::{Layer, SegmentFacts};
use crate::grammar::Grammar;
use crate::token::Renumbering;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A segment that has been built, its grammar and envelopes on disk.
#[derive(Clone, Debug)]
pub(super) struct BuiltSegment {
    pub(super) facts: SegmentFacts,
    offset: u64,
    /// The offset of its envelopes, and their size in bytes; 0 if it has none.
    envelopes_at: u64,
    pub(super) envelopes_len: u64,
}

#[derive(Debug)]
pub(super) struct Spill {
    folder: PathBuf,
    file: Mutex<File>,
}

impl Spill {
    pub(super) fn create(folder: &Path) -> Result<Self, CompressError> {
        let file = tempfile::tempfile_in(folder)
            .map_err(FileError::on("create a temporary file in", folder))?;
        Ok(Self { folder: folder.to_owned(), file: Mutex::new(file) })
    }

    pub(super) fn store(
        &self,
        facts: SegmentFacts,
        envelopes: &Envelopes,
        grammar: &Grammar,
    ) -> Result<BuiltSegment, CompressError> {
        let envelopes =
            if envelopes.is_empty() { Vec::new() } else { envelopes.to_bytes(Layer::None) };
        let mut file = self.file.lock().expect("no holder panics");
        let mut write = || -> io::Result<[u64; 2]> {
            let offset = file.seek(SeekFrom::End(0))?;
            let mut out = BufWriter::with_capacity(1 << 20, &mut *file);
            write_numbers(&mut out, &[grammar.tokens()])?;
            write_numbers(&mut out, grammar.rule_starts())?;
            write_numbers(&mut out, grammar.symbols())?;
            write_numbers(&mut out, grammar.doc_starts())?;
            let envelopes_at = out.stream_position()?;
            out.write_all(&envelopes)?;
            out.flush()?;
            Ok([offset, envelopes_at])
        };
        let [offset, envelopes_at] =
            write().map_err(FileError::on("write a temporary file in", &self.folder))?;
        let envelopes_len = envelopes.len() as u64;
        Ok(BuiltSegment { facts, offset, envelopes_at, envelopes_len })
    }

    /// Reads a segment's envelopes back, if it has any.
    pub(super) fn load_envelopes(
        &self,
        segment: &BuiltSegment,
    ) -> Result<Option<Envelopes>, CompressError> {
        if segment.envelopes_len == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; segment.envelopes_len as usize];
        let mut file = self.file.lock().expect("no holder panics");
        let mut read = || -> io::Result<Envelopes> {
            file.seek(SeekFrom::Start(segment.envelopes_at))?;
            file.read_exact(&mut bytes)?;
            Envelopes::from_bytes(&bytes).map_err(|error| io::Error::other(error.to_string()))
        };
        Ok(read()
            .map(Some)
            .map_err(FileError::on("read back a temporary file in", &self.folder))?)
    }

    /// Reads a grammar back and gives each token its final id, of `all_tokens` ids.
    pub(super) fn load(
        &self,
        segment: &BuiltSegment,
        finals: &[u32],
        all_tokens: usize,
    ) -> Result<Grammar, CompressError> {
        let mut file = self.file.lock().expect("no holder panics");
        let mut read = || -> io::Result<Grammar> {
            file.seek(SeekFrom::Start(segment.offset))?;
            let mut input = BufReader::with_capacity(1 << 20, &mut *file);
            let tokens = read_numbers(&mut input)?[0];
            let rule_starts = read_numbers(&mut input)?;
            let mut symbols = read_numbers(&mut input)?;
            let doc_starts = read_numbers(&mut input)?;
            // The segment knew only the tokens so far.
            let all_tokens = all_tokens as u32;
            Renumbering::new(&finals[..tokens as usize], all_tokens).apply(&mut symbols);
            Ok(Grammar::from_checked(all_tokens, rule_starts, symbols, doc_starts))
        };
        Ok(read().map_err(FileError::on("read back a temporary file in", &self.folder))?)
    }
}

fn write_numbers(out: &mut impl Write, numbers: &[u32]) -> io::Result<()> {
    out.write_all(&(numbers.len() as u64).to_le_bytes())?;
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

fn read_numbers(input: &mut impl Read) -> io::Result<Vec<u32>> {
    let mut len = [0; 8];
    input.read_exact(&mut len)?;
    let mut numbers = Vec::with_capacity(u64::from_le_bytes(len) as usize);
    let mut left = numbers.capacity() * 4;
    let mut buffer = vec![0; 1 << 16];
    while left > 0 {
        let part = left.min(buffer.len());
        input.read_exact(&mut buffer[..part])?;
        numbers.extend(
            buffer[..part]
                .chunks_exact(4)
                .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four bytes"))),
        );
        left -= part;
    }
    Ok(numbers)
}
