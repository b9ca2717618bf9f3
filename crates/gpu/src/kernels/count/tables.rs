//! Tables in a pool for twins, as in `shared/table.wgsl` and `shared/slots.wgsl`.

use crate::kernels::status;

/// A longer search makes the dispatch fail, and it is repeated with larger tables.
const MOST_PROBES: u32 = 256;

/// The tables in the pool.
pub(super) struct Tables<'a> {
    pub(super) starts: &'a [u32],
    pub(super) pool: &'a mut [u32],
    pub(super) state: &'a mut [u32],
}

impl Tables<'_> {
    /// Adds to the count of a key. Keys are below `keys`.
    pub(super) fn add(&mut self, table: u32, key: u32, keys: u32, value: u64) {
        let [first, end] = [table, table + 1].map(|table| self.starts[table as usize]);
        let size = end - first;
        if size == 0 {
            self.state[0] |= status::TABLE_TOO_SMALL;
            return;
        }
        let mut at = if size == keys { key } else { crate::kernels::mix(key) } % size;
        for _ in 0..MOST_PROBES {
            let slot = &mut self.pool[3 * (first + at) as usize..][..3];
            if slot[0] == 0 || slot[0] == key + 1 {
                slot[0] = key + 1;
                let before = u64::from(slot[1]) | u64::from(slot[2]) << 32;
                let (sum, overflows) = before.overflowing_add(value);
                (slot[1], slot[2]) = (sum as u32, (sum >> 32) as u32);
                self.state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
                return;
            }
            at = if at + 1 == size { 0 } else { at + 1 };
        }
        self.state[0] |= status::TABLE_TOO_SMALL;
    }
}

impl Tables<'_> {
    /// The key and the count of a slot, if it is used.
    pub(super) fn slot(&self, slot: u32) -> Option<(u32, u64)> {
        let slot = &self.pool[3 * slot as usize..][..3];
        let key = slot[0].checked_sub(1)?;
        Some((key, u64::from(slot[1]) | u64::from(slot[2]) << 32))
    }
}

/// The slots of a table that one thread takes bottom-up, unless tables were enlarged.
pub(crate) const SLOTS: u32 = 1024;

/// Slots of a table for `most` different keys below `keys`, doubled `grow` times.
pub(crate) fn slots_for(most: u32, keys: u32, grow: u32) -> u32 {
    if most <= 1 {
        return most;
    }
    let slots = most.min(0x2000_0000 >> grow) << grow;
    (slots + slots / 2 + 1).min(keys)
}
