//! The kernels, one folder per family: NAME.wgsl for devices, and beside it NAME.rs, its twin on the CPU.
//!
//! | family | does |
//! |---|---|
//! | [`count`] | counts words and sequences |
//! | [`bwt`] | sorts blocks, and codes them |
//! | [`access`] | reads from and searches in documents |
//! | [`primitives`] | scans and sorts; the other families use it |
//!
//! A kernel's name begins with its stage. Each family lists its kernels in the order of its pipeline, with the
//! file that dispatches them. A `shared` folder holds WGSL that several kernels include.

#![allow(clippy::needless_range_loop, reason = "twins loop over thread numbers, as kernels do")]

pub mod access;
pub mod bwt;
pub mod count;
pub mod primitives;

use crate::kernel::Kernel;

/// Every kernel.
pub fn all() -> impl Iterator<Item = &'static Kernel> {
    [primitives::ALL, count::ALL, bwt::ALL, access::ALL].into_iter().flatten().copied()
}

/// Failures that a kernel reports: bits of the first word of a `status` buffer, as in
/// `count/shared/status.wgsl`.
pub(crate) mod status {
    pub(crate) const COUNT_TOO_LARGE: u32 = 1;
    pub(crate) const TABLE_TOO_SMALL: u32 = 2;
    /// Words of the buffer.
    pub(crate) const WORDS: usize = 4;
}

/// A 16-bit number of an array of such numbers, as in `shared/halves.wgsl`.
fn half(words: &[u32], at: usize) -> u32 {
    words[at / 2] >> (16 * (at % 2)) & 0xffff
}

/// Spreads the bits of a key over the whole word, as in `shared/mix.wgsl`. Tables use it to find the slot
/// of a key.
#[must_use]
pub fn mix(key: u32) -> u32 {
    let h = (key ^ key >> 16).wrapping_mul(0x7feb_352d);
    let h = (h ^ h >> 15).wrapping_mul(0x846c_a68b);
    h ^ h >> 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    /// The files below `folder`, without those of the kernels, that dispatch each kernel.
    fn dispatchers(folder: &Path, root: &Path, found: &mut BTreeMap<&str, BTreeSet<String>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                if name != "kernels" {
                    dispatchers(&path, root, found);
                }
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            for kernel in all() {
                if source.contains(&format!(" &{}::KERNEL", kernel.name))
                    || source.contains(&format!("(&{}::KERNEL", kernel.name))
                {
                    found.entry(kernel.name).or_default().insert(name.clone());
                }
            }
        }
    }

    /// The rows of the tables in the headers of families: kernel, and files that dispatch it.
    fn listed(root: &Path) -> BTreeMap<String, BTreeSet<String>> {
        let mut listed = BTreeMap::new();
        for family in ["access", "bwt", "count", "primitives"] {
            let source = fs::read_to_string(root.join("kernels").join(family).join("mod.rs"));
            for row in source.unwrap().lines().filter_map(|line| line.strip_prefix("//! | `")) {
                let cells: Vec<&str> = row.split(" | ").collect();
                let files = cells[2].trim_end_matches(" |").split(", ");
                let files = files.map(|file| file.trim_matches('`').to_owned()).collect();
                listed.insert(cells[0].trim_matches('`').to_owned(), files);
            }
        }
        listed
    }

    #[test]
    fn headers_list_who_dispatches_each_kernel() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut found = BTreeMap::new();
        dispatchers(&root, &root, &mut found);
        let found: BTreeMap<String, BTreeSet<String>> =
            found.into_iter().map(|(name, files)| (name.to_owned(), files)).collect();
        assert_eq!(listed(&root), found);
        assert_eq!(found.len(), all().count());
    }
}
