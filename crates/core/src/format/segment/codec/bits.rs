//! Strings of bits, the lowest bit of each byte first.

/// Appends values bit by bit, the lowest bit first.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    pending: u64,
    filled: u32,
}

impl BitWriter {
    pub(crate) fn push(&mut self, value: u32, bits: u8) {
        debug_assert!(bits < 32 && u64::from(value) < 1 << bits);
        self.pending |= u64::from(value) << self.filled;
        self.filled += u32::from(bits);
        if self.filled >= 32 {
            self.bytes.extend_from_slice(&(self.pending as u32).to_le_bytes());
            self.pending >>= 32;
            self.filled -= 32;
        }
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        let left = self.filled.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.pending.to_le_bytes()[..left]);
        self.bytes
    }
}

/// Eight bytes at the end of `bytes`, padded with zeros.
#[cold]
pub(crate) fn last_window(bytes: &[u8], byte: usize) -> u64 {
    let mut window = [0; 8];
    let rest = bytes.get(byte..).unwrap_or(&[]);
    let len = rest.len().min(8);
    window[..len].copy_from_slice(&rest[..len]);
    u64::from_le_bytes(window)
}
