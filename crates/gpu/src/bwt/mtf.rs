//! Move to front and its inverse, by scans (sections 2.2.1 and 3.2.1).
//!
//! The effect of a substring on the list depends on the substring alone: forward, it is the substring's
//! symbols, most recently seen first; inverse, it is a permutation. Both can be joined, associatively.
//! [`JOINED`] effects are joined to one, and so on, until one thread takes all that are left. On the way
//! back each effect is replaced by the list before its substring, with which the substring is
//! transformed.

use super::Stages;
use crate::backend::Backend;
use crate::bytes::{pack, unpack};
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels::bwt::mtf_lists_join::{self, JOINED};
use crate::kernels::bwt::mtf_recent_lists::{self, LIST_WORDS, SUBSTRING};
use crate::kernels::bwt::{mtf_decode, mtf_encode, mtf_lists_before, mtf_permutations};
use crate::recording::{Buffer, Recording};

/// The list at the beginning, with every symbol once.
pub type List = [u8; 256];

/// The kernels of one direction.
struct Way {
    /// Computes the effect of a substring on the list.
    effect: &'static Kernel,
    is_permutation: u32,
    /// Transforms a substring, given the list before it.
    transform: &'static Kernel,
}

impl<B: Backend> Stages<B> {
    /// Replaces symbols by their positions in the list (section 2.2).
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    pub fn move_to_front(&self, symbols: &[u8], list: &List) -> Result<Vec<u8>, GpuError> {
        let (effect, transform) = (&mtf_recent_lists::KERNEL, &mtf_encode::KERNEL);
        self.pass_list(symbols, list, &Way { effect, is_permutation: 0, transform })
    }

    /// Replaces positions in the list by symbols (section 3.2).
    ///
    /// # Errors
    /// When the device fails, or the positions do not fit.
    pub fn move_from_front(&self, places: &[u8], list: &List) -> Result<Vec<u8>, GpuError> {
        let (effect, transform) = (&mtf_permutations::KERNEL, &mtf_decode::KERNEL);
        self.pass_list(places, list, &Way { effect, is_permutation: 1, transform })
    }

    fn pass_list(&self, bytes: &[u8], list: &List, way: &Way) -> Result<Vec<u8>, GpuError> {
        let n = bytes.len();
        let substrings = n.div_ceil(SUBSTRING);
        if n >= 1 << 31 {
            return Err(GpuError::TooMany { what: "bytes of a block" });
        }
        self.check_fits(substrings * LIST_WORDS)?;
        let mut recording = Recording::new();
        let input = recording.upload("input", pack(bytes));
        let first = recording.upload("first_list", pack(list));
        let lists = recording.buffer("lists", substrings * LIST_WORDS);
        let sizes = recording.buffer("sizes", substrings);
        let params = [n as u32];
        let bindings = [input, lists, sizes].map(Into::into);
        recording.dispatch(way.effect, substrings, &params, &bindings);
        recording.scan_lists(lists, sizes, substrings, first, way.is_permutation);
        let words = n.div_ceil(4);
        let output = recording.buffer("output", words);
        let bindings = [input, lists, output].map(Into::into);
        recording.dispatch(way.transform, substrings, &params, &bindings);
        let output = recording.download(output, 0..words);
        Ok(unpack(&self.run().submit(recording)?.take(output), n))
    }
}

impl Recording {
    /// Replaces the effect of each substring by the list before it.
    fn scan_lists(
        &mut self,
        lists: Buffer,
        sizes: Buffer,
        count: usize,
        first: Buffer,
        is_permutation: u32,
    ) {
        let groups = count.div_ceil(JOINED);
        let params = [count as u32, is_permutation];
        if groups <= 1 {
            let bindings = [first, sizes, lists].map(Into::into);
            self.dispatch(&mtf_lists_before::KERNEL, groups, &params, &bindings);
            return;
        }
        let joined = self.buffer("joined", groups * LIST_WORDS);
        let joined_sizes = self.buffer("joined_sizes", groups);
        let bindings = [lists, sizes, joined, joined_sizes].map(Into::into);
        self.dispatch(&mtf_lists_join::KERNEL, groups, &params, &bindings);
        self.scan_lists(joined, joined_sizes, groups, first, is_permutation);
        let bindings = [joined, sizes, lists].map(Into::into);
        self.dispatch(&mtf_lists_before::KERNEL, groups, &params, &bindings);
        self.free(joined);
        self.free(joined_sizes);
    }
}
