//! A forged count must be refused before memory is taken for it. This test watches every allocation.

use rayon::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use zgram::format::{GrammarKind, Layer, Level};
use zgram_testkit::{Forged, exercise, lines_corpus, small_corpus};

/// No file here has more than 4 KiB.
const MOST: usize = 64 << 20;

static LARGEST: AtomicUsize = AtomicUsize::new(0);

struct Watching;

// SAFETY: every call goes to the system allocator as it came.
unsafe impl GlobalAlloc for Watching {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        LARGEST.fetch_max(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LARGEST.fetch_max(size, Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Watching = Watching;

/// Numbers as a section may hold them, each far beyond what a small file can mean.
fn huge_numbers() -> Vec<Vec<u8>> {
    let varint = |mut value: u64| {
        let mut bytes = Vec::new();
        while value >= 0x80 {
            bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        bytes.push(value as u8);
        bytes
    };
    let values = [1 << 24, 1 << 31, u64::from(u32::MAX), 1 << 40, u64::MAX];
    let fixed = values.map(|value| value.to_le_bytes().to_vec());
    values.map(varint).into_iter().chain(fixed).collect()
}

#[test]
fn forged_counts_are_refused_before_memory_is_taken() {
    let repair = GrammarKind::RePair;
    let files = [
        small_corpus(Level::Fast, repair, Layer::None),
        small_corpus(Level::Default, repair, Layer::None),
        small_corpus(Level::Max, repair, Layer::None),
        small_corpus(Level::Default, repair, Layer::Zstd),
        small_corpus(Level::Fast, GrammarKind::Sequitur, Layer::Gzip),
        lines_corpus(Level::Default, Layer::None),
    ];
    let numbers = huge_numbers();
    for file in files {
        assert!(file.len() <= 4096, "{} bytes", file.len());
        let forged = Forged::parse(&file).unwrap();
        for (number, section) in forged.sections.iter().enumerate() {
            let stride = if section.bytes.len() > 200 { 7 } else { 1 };
            (0..section.bytes.len()).into_par_iter().step_by(stride).for_each(|at| {
                for value in &numbers {
                    // In place of as many bytes, and in place of one.
                    for replaced in [value.len(), 1] {
                        let mut bytes = section.bytes.clone();
                        let end = (at + replaced).min(bytes.len());
                        bytes.splice(at..end, value.iter().copied());
                        exercise(forged.with_section(number, bytes));
                        let largest = LARGEST.load(Relaxed);
                        assert!(
                            largest <= MOST,
                            "{value:x?} at about byte {at} of {section:?} took {largest} bytes at once"
                        );
                    }
                }
            });
        }
    }
}
