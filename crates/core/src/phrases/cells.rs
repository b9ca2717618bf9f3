//! Parts of an index, each read and checked when it is first needed.

use crate::format::container::Container;
use crate::format::{ContainerError, Malformed, Section};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Bytes of a part's checksum, which follows the part.
pub(super) const SUM: usize = 8;

/// Where the bytes of an index are.
pub(super) struct Stored {
    pub(super) container: Arc<Container>,
    pub(super) section: Section,
}

impl Stored {
    /// Reads a range of the section.
    pub(super) fn read(&self, at: u64, len: usize) -> Result<Vec<u8>, ContainerError> {
        self.container.read_range(&self.section, at, len)
    }

    pub(super) fn malformed(&self, at: u64, error: Malformed) -> ContainerError {
        self.section.malformed(Malformed { offset: at.saturating_add(error.offset), ..error })
    }
}

/// The kinds of parts. The kind and the number of a part go into its checksum, so that a part is not
/// taken for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Root,
    Words,
    Documents,
    Pages,
    Samples,
}

/// The checksum of a part.
pub(super) fn checksum(kind: Kind, number: usize, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, (kind as u64) << 56 | number as u64)
}

/// The parts of one kind.
pub(super) struct Cells<T> {
    kind: Kind,
    /// Where each part is in the section, and its length without the checksum.
    places: Vec<(u64, u32)>,
    made: Vec<OnceLock<T>>,
}

impl<T> Cells<T> {
    /// Parts that are back to back from `at` on; moves `at` behind them.
    pub(super) fn stored(kind: Kind, lens: &[u32], at: &mut u64) -> Self {
        let place = |&len: &u32| {
            let place = (*at, len);
            *at = at.saturating_add(u64::from(len) + SUM as u64);
            place
        };
        let places: Vec<_> = lens.iter().map(place).collect();
        let made = lens.iter().map(|_| OnceLock::new()).collect();
        Self { kind, places, made }
    }

    /// Parts that are in memory.
    pub(super) fn built(kind: Kind, parts: Vec<T>) -> Self {
        Self { kind, places: Vec::new(), made: parts.into_iter().map(OnceLock::from).collect() }
    }

    /// The kind and the number of each part, where it is in the section, and its length.
    pub(super) fn places(&self) -> impl Iterator<Item = (Kind, usize, u64, u32)> {
        let numbered = self.places.iter().enumerate();
        numbered.map(|(number, &(at, len))| (self.kind, number, at, len))
    }

    /// A part, which `parse` makes from its bytes if it is not in memory.
    #[inline]
    pub(super) fn get(
        &self,
        number: usize,
        stored: Option<&Stored>,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<&T, ContainerError> {
        match self.made[number].get() {
            Some(made) => Ok(made),
            None => self.load(number, stored, parse),
        }
    }

    #[cold]
    fn load(
        &self,
        number: usize,
        stored: Option<&Stored>,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<&T, ContainerError> {
        let stored = stored.expect("an index without a file is in memory");
        let (at, len) = self.places[number];
        let bytes = stored.read(at, len as usize + SUM)?;
        let (bytes, sum) = bytes.split_at(len as usize);
        if checksum(self.kind, number, bytes).to_le_bytes() != sum {
            let what = format!("the checksum of part {number} of its {:?} is wrong", self.kind);
            return Err(stored.malformed(at, Malformed::at(0, what)));
        }
        let part = parse(bytes).map_err(|error| stored.malformed(at, error))?;
        Ok(self.made[number].get_or_init(|| part))
    }

    /// The parts that are in memory.
    pub(super) fn made(&self) -> impl Iterator<Item = &T> {
        self.made.iter().filter_map(OnceLock::get)
    }
}
