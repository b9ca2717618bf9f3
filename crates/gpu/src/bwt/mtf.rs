//! Move-to-front and its inverse, by scans (sections 2.2.1 and 3.2.1).
//!
//! What each substring does to the list is found from the substring alone: forward, its symbols, most
//! recently seen first; inverse, the permutation that its places make. Joins of both are associative.
//! Lists are joined by [`JOINED`], and those again, until one thread takes all that is left; on the
//! way back each becomes the list before its substring, with which the substring is transformed.

use super::Stages;
use super::bytes::{pack, unpack};
use crate::backend::Backend;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels::bwt::mtf_lists_join::{self, JOINED};
use crate::kernels::bwt::mtf_recent_lists::{self, LIST_WORDS, SUBSTRING};
use crate::kernels::bwt::{mtf_decode, mtf_encode, mtf_lists_before, mtf_permutations};
use crate::recording::{Buffer, Recording};

/// The list at the beginning, with every symbol once.
pub type List = [u8; 256];

/// Forward or back.
struct Way {
    /// What a substring does to the list.
    effect: &'static Kernel,
    is_permutation: u32,
    /// What the list makes of a substring.
    transform: &'static Kernel,
}

impl<B: Backend> Stages<B> {
    /// Replaces symbols by their places in the list (section 2.2).
    ///
    /// # Errors
    /// When the device fails, or the symbols do not fit.
    pub fn move_to_front(&self, symbols: &[u8], list: &List) -> Result<Vec<u8>, GpuError> {
        let (effect, transform) = (&mtf_recent_lists::KERNEL, &mtf_encode::KERNEL);
        self.pass_list(symbols, list, &Way { effect, is_permutation: 0, transform })
    }

    /// Replaces places in the list by symbols (section 3.2).
    ///
    /// # Errors
    /// When the device fails, or the places do not fit.
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
    /// Replaces what substrings do to the list by the list before each.
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
