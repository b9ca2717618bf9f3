//! Large arrays in large pages.
//!
//! A segment's file and its symbols are tens of megabytes that are written once and read through.
//! In pages of 4 KiB the system spends as long on making them as we do on filling them. Where Linux
//! leaves it to programs whether memory comes in pages of 2 MiB, large arrays ask for them.

use bytemuck::Pod;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// An array from this many bytes on asks for large pages: what is left of the last one hardly counts.
const LARGE: usize = 8 << 20;

/// Numbers or bytes, all zero at first.
pub struct Pages<T> {
    place: Place<T>,
}

enum Place<T> {
    Heap(Vec<T>),
    #[cfg(target_os = "linux")]
    Mapped(memmap2::MmapMut),
}

impl<T: Pod> Pages<T> {
    /// So many zeros.
    pub(crate) fn zeroed(len: usize) -> Self {
        let place = mapped(len).unwrap_or_else(|| Place::Heap(vec![T::zeroed(); len]));
        Self { place }
    }
}

/// Memory of its own, if there is enough to make it worth while and the system gives it.
#[cfg(target_os = "linux")]
fn mapped<T>(len: usize) -> Option<Place<T>> {
    let bytes = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes >= LARGE)?;
    let map = memmap2::MmapMut::map_anon(bytes).ok()?;
    // A system without large pages refuses; the others do as well.
    let _ = map.advise(memmap2::Advice::HugePage);
    Some(Place::Mapped(map))
}

#[cfg(not(target_os = "linux"))]
fn mapped<T>(_: usize) -> Option<Place<T>> {
    None
}

impl<T> From<Vec<T>> for Pages<T> {
    fn from(vec: Vec<T>) -> Self {
        Self { place: Place::Heap(vec) }
    }
}

impl<T: Pod> Deref for Pages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.place {
            Place::Heap(vec) => vec,
            #[cfg(target_os = "linux")]
            Place::Mapped(map) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: Pod> DerefMut for Pages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.place {
            Place::Heap(vec) => vec,
            #[cfg(target_os = "linux")]
            Place::Mapped(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl<T: Pod> Clone for Pages<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::zeroed(self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Pod + PartialEq> PartialEq for Pages<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Pod + Eq> Eq for Pages<T> {}

impl<T: Pod + fmt::Debug> fmt::Debug for Pages<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_arrays_are_alike() {
        for len in [0, 1, 1000, LARGE / 4 - 1, LARGE / 4, LARGE / 2 + 3] {
            let mut pages = Pages::<u32>::zeroed(len);
            assert_eq!(pages.len(), len);
            assert!(pages.iter().all(|&number| number == 0));
            pages.iter_mut().zip(7..).for_each(|(place, number)| *place = number);
            let vec: Vec<u32> = (7..).take(len).collect();
            assert!(pages == Pages::from(vec.clone()) && pages.clone()[..] == vec);
        }
    }
}
