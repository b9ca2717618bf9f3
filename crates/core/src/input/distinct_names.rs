//! The names of all documents so far, to refuse duplicates. Each takes little memory: a 128-bit hash and
//! the index of a path argument.

use super::InputError;
use bstr::ByteSlice;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The names so far.
pub(super) struct DistinctNames<'p> {
    arguments: &'p [PathBuf],
    /// Each hash in two halves, which pack tighter than a `u128`, and the index of the argument.
    taken: FxHashMap<[u64; 2], u32>,
}

impl<'p> DistinctNames<'p> {
    pub(super) fn new(arguments: &'p [PathBuf]) -> Self {
        Self { arguments, taken: FxHashMap::default() }
    }

    /// Reserves `name` for the file `origin`, which comes from the argument with index `argument`.
    pub(super) fn claim(
        &mut self,
        name: &[u8],
        argument: usize,
        origin: &Path,
    ) -> Result<(), InputError> {
        let hash = xxh3_128(name);
        match self.taken.entry([hash as u64, (hash >> 64) as u64]) {
            Entry::Vacant(free) => {
                free.insert(argument as u32);
                Ok(())
            }
            Entry::Occupied(first) => Err(InputError::DuplicateName {
                name: name.to_str_lossy().into_owned(),
                first: self.arguments[*first.get() as usize].clone(),
                second: origin.to_path_buf(),
            }),
        }
    }
}
