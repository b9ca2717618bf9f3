//! Lists of symbols of similar frequency, with recently used ones in front.
//!
//! Text is bursty: a symbol seen recently occurs again sooner than its frequency predicts. An exact
//! move-to-front list would move all its entries at each step. Here a list is cut into zones, each
//! eight times as large as the one before. The zone is coded adaptively, the place in it uniformly. A
//! symbol that moves to the front pushes one entry from each zone to the next: two or three moves.

use super::mixing::{Distribution, learn_by_age};
use super::range_coder::{BinaryCoder, Corrupt};

/// In [`Entry::uses_left`]: the number of uses is not known.
pub(super) const UNKNOWN_USES: u8 = u8::MAX;

/// Zone z of a list is from `ZONE_STARTS[z]` to `ZONE_STARTS[z + 1]`.
const ZONE_STARTS: [u32; ZONES + 1] = [0, 1, 8, 64, 512, 4096, 32768, 1 << 18, u32::MAX];
const ZONES: usize = 8;
/// Slowest rate of zones, as a shift.
const ZONE_RATE: u32 = 6;

/// A symbol in its list. Its facts move with it: fetching them from elsewhere would miss the cache
/// once more.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) symbol: u32,
    pub(super) last_token: u32,
    pub(super) row: u8,
    /// A symbol leaves its list after its last use.
    pub(super) uses_left: u8,
}

/// The symbols of a bucket that can still occur.
pub(super) struct MtfList {
    entries: Vec<Entry>,
    /// For each zone but the last: the place in it that was filled longest ago.
    oldest: [u32; ZONES - 1],
    zones: Distribution<ZONES>,
}

/// By symbol: its place in its list. Only an encoder keeps it.
pub(super) type Places = Vec<u32>;

impl MtfList {
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        Self { entries, oldest: [0; ZONES - 1], zones: Distribution::even() }
    }

    /// Removes the symbol at `place`.
    pub(super) fn retire<C: BinaryCoder>(&mut self, place: usize, places: &mut Places) {
        self.entries.swap_remove(place);
        if let Some(moved) = self.entries.get(place).filter(|_| C::ENCODES) {
            places[moved.symbol as usize] = place as u32;
        }
    }

    /// Puts a new symbol in front.
    pub(super) fn push<C: BinaryCoder>(&mut self, entry: Entry, places: &mut Places) {
        let hole = self.entries.len();
        self.entries.push(entry);
        self.advance::<C>(entry, hole as u32, zone_of(hole as u32), places);
    }

    /// Codes the symbol that is at `place`, and moves it to the front.
    #[inline]
    pub(super) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        place: u32,
        places: &mut Places,
    ) -> Result<Entry, Corrupt> {
        let zone = if C::ENCODES { zone_of(place) } else { 0 };
        let zone = coder.choice(zone, &self.zones.starts());
        learn_by_age(&mut self.zones, zone, ZONE_RATE);
        let (start, len) = (ZONE_STARTS[zone], self.entries.len() as u32);
        if start >= len {
            return Err(Corrupt);
        }
        let size = ZONE_STARTS[zone + 1].min(len) - start;
        let in_zone = if size > 1 { coder.uniform(place.wrapping_sub(start), size) } else { 0 };
        let hole = start + in_zone;
        let mut entry = self.entries[hole as usize];
        match entry.uses_left {
            // According to the dictionary it never occurs.
            0 => return Err(Corrupt),
            1 => {
                self.retire::<C>(hole as usize, places);
                return Ok(entry);
            }
            UNKNOWN_USES => {}
            _ => entry.uses_left -= 1,
        }
        self.advance::<C>(entry, hole, zone, places);
        Ok(entry)
    }

    /// Puts `entry` in front. Each zone up to `zone` pushes one entry to the next; the last goes to `hole`.
    #[inline]
    fn advance<C: BinaryCoder>(
        &mut self,
        entry: Entry,
        mut hole: u32,
        zone: usize,
        places: &mut Places,
    ) {
        for nearer in (0..zone).rev() {
            let oldest = &mut self.oldest[nearer];
            let (start, end) = (ZONE_STARTS[nearer], ZONE_STARTS[nearer + 1]);
            let from = start + *oldest;
            *oldest = if from + 1 < end { *oldest + 1 } else { 0 };
            let pushed = self.entries[from as usize];
            self.entries[hole as usize] = pushed;
            if C::ENCODES {
                places[pushed.symbol as usize] = hole;
            }
            hole = from;
        }
        self.entries[hole as usize] = entry;
        if C::ENCODES {
            places[entry.symbol as usize] = hole;
        }
    }
}

fn zone_of(place: u32) -> usize {
    ZONE_STARTS.partition_point(|&start| start <= place) - 1
}
