//! The inverse transform, by many short walks instead of one long one.
//!
//! Rows form a list: each links to the row of the rotation that begins one symbol later. The thesis
//! follows it by pointer doubling (section 3.3, algorithms 7 and 8), with a pass over all rows per
//! doubling. Here, as on the CPU, the list is cut (section 5.2). One row of each
//! [stretch](inverse_walk_measure::STRETCH) is a start, and one thread walks from each start to the next
//! and measures the distance. The host, which needs only the starts, computes where the symbols of each
//! walk belong, and the threads walk again to write them. Every row is visited twice. One sort by symbol
//! creates the links.
//!
//! A dispatch walks [`STEPS`] steps, because devices do not let a thread loop forever.

use super::Stages;
use crate::backend::Backend;
use crate::bytes::{pack, unpack};
use crate::error::GpuError;
use crate::kernels::bwt::inverse_walk_measure::{self, ENDED, ROW, STRETCH, start_of};
use crate::kernels::bwt::{inverse_links, inverse_walk_write};
use crate::recording::Recording;

/// Steps of a thread in one dispatch.
const STEPS: usize = 1024;

impl<B: Backend> Stages<B> {
    /// Restores a text from the last column of its sorted rotations and its row among them (section 3.3).
    /// Any column and any row yield some text.
    ///
    /// # Errors
    /// When the device fails, or the column does not fit.
    ///
    /// # Panics
    /// If `origin` is not a row.
    pub fn inverse(&self, last_column: &[u8], origin: usize) -> Result<Vec<u8>, GpuError> {
        let n = last_column.len();
        if n == 0 {
            assert_eq!(origin, 0, "the origin is a row");
            return Ok(Vec::new());
        }
        assert!(origin < n, "the origin is a row");
        if n > ROW as usize {
            return Err(GpuError::TooMany { what: "rows of a block" });
        }
        self.check_fits(n)?;
        let mut run = self.run();
        let mut recording = Recording::new();
        let column = recording.upload("column", pack(last_column));
        let keys = recording.buffer("keys", n);
        let links = recording.buffer("links", n);
        let bindings = [column, keys, links].map(Into::into);
        recording.dispatch(&inverse_links::KERNEL, n, &[n as u32], &bindings);
        let sorter = recording.sorter(n, 8);
        sorter.sort(&mut recording, keys, links);
        sorter.free(&mut recording);
        recording.free(column);
        recording.free(keys);

        let starts = starts(n as u32, origin as u32);
        let walks = starts.len();
        let at = recording.upload("at", starts.clone());
        let lengths = recording.buffer("lengths", walks);
        let params = [walks as u32, origin as u32, STEPS as u32];
        let (ends, lengths) = loop {
            let bindings = [links, at, lengths].map(Into::into);
            recording.dispatch(&inverse_walk_measure::KERNEL, walks, &params, &bindings);
            let ends = recording.download(at, 0..walks);
            let measured = recording.download(lengths, 0..walks);
            let mut outcome = run.submit(std::mem::take(&mut recording))?;
            let ends = outcome.take(ends);
            if ends.iter().all(|&end| end >= ENDED) {
                break (ends, outcome.take(measured));
            }
        };

        let path = Path::follow(starts, &ends, &lengths);
        let words = path.len.div_ceil(4);
        let at = recording.upload("at", path.starts);
        let places = recording.upload("text_places", path.places);
        let text = recording.buffer("text", words);
        for _ in 0..path.longest.div_ceil(STEPS) {
            let bindings = [links, at, places, text].map(Into::into);
            recording.dispatch(&inverse_walk_write::KERNEL, walks, &params, &bindings);
        }
        let text = recording.download(text, 0..words);
        let mut text = unpack(&run.submit(recording)?.take(text), path.len);
        // The list of a text that repeats is shorter, and is walked several times.
        while text.len() < n {
            text.extend_from_within(..text.len().min(n - text.len()));
        }
        Ok(text)
    }
}

/// The rows where walks start: one in each stretch, if it has that row, and the first row of the text.
fn starts(rows: u32, first: u32) -> Vec<u32> {
    let stretches = (0..rows.div_ceil(STRETCH)).map(start_of);
    let starts = stretches.map(|start| if start < rows { start } else { ENDED });
    starts.chain([first]).collect()
}

/// The walks that make up the text.
struct Path {
    /// The start of each walk. Walks that are not part of the text count as ended.
    starts: Vec<u32>,
    /// The place of each walk's symbols in the text.
    places: Vec<u32>,
    /// The length of the text, or of the shorter text that it repeats.
    len: usize,
    /// The length of the longest walk.
    longest: usize,
}

impl Path {
    /// Follows the walks from the last one, which begins the text, until it comes again.
    fn follow(starts: Vec<u32>, ends: &[u32], lengths: &[u32]) -> Self {
        let first = starts.len() - 1;
        let mut path = Self {
            starts: vec![ENDED; starts.len()],
            places: vec![0; starts.len()],
            len: 0,
            longest: 0,
        };
        let mut walk = first;
        loop {
            path.starts[walk] = starts[walk];
            path.places[walk] = path.len as u32;
            path.len += lengths[walk] as usize;
            path.longest = path.longest.max(lengths[walk] as usize);
            walk = (ends[walk] & !ENDED) as usize;
            if walk == first {
                return path;
            }
        }
    }
}
