//! The checksum of the format: CRC-32 with the polynomial of Ethernet, highest bit first.

const POLYNOMIAL: u32 = 0x04c1_1db7;
/// Bytes taken at a time.
const SLICES: usize = 16;

/// `TABLES[k][b]`: what byte b adds, k bytes later.
static TABLES: [[u32; 256]; SLICES] = tables();

const fn tables() -> [[u32; 256]; SLICES] {
    let mut tables = [[0; 256]; SLICES];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc >> 31 == 1 { crc << 1 ^ POLYNOMIAL } else { crc << 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < SLICES {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = before << 8 ^ tables[0][(before >> 24) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

/// The checksum of bytes as they come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crc(u32);

impl Default for Crc {
    fn default() -> Self {
        Self(!0)
    }
}

impl Crc {
    /// Adds bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        let mut crc = self.0;
        let (portions, rest) = bytes.as_chunks::<SLICES>();
        for portion in portions {
            // The first four are combined with the checksum so far; no byte depends on the others.
            let mut mixed = *portion;
            mixed
                .iter_mut()
                .zip(crc.swap_bytes().to_le_bytes())
                .for_each(|(byte, so_far)| *byte ^= so_far);
            crc = mixed
                .iter()
                .zip(TABLES.iter().rev())
                .fold(0, |sum, (&byte, table)| sum ^ table[usize::from(byte)]);
        }
        for &byte in rest {
            crc = crc << 8 ^ TABLES[0][usize::from((crc >> 24) as u8 ^ byte)];
        }
        self.0 = crc;
    }

    /// The checksum of all bytes so far.
    pub(crate) fn value(self) -> u32 {
        !self.0
    }
}

/// The checksum of a stream, from that of its blocks so far and the next one's.
pub(crate) fn combine(stream: u32, block: u32) -> u32 {
    stream.rotate_left(1) ^ block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_polynomial() {
        let mut crc = Crc::default();
        crc.update(b"123456789");
        assert_eq!(crc.value(), 0xfc89_1918);
    }

    #[test]
    fn bytes_may_come_in_any_portions() {
        let bytes: Vec<u8> = (0..200).map(|i| (i * 7) as u8).collect();
        let mut whole = Crc::default();
        whole.update(&bytes);
        for cut in 0..bytes.len() {
            let mut crc = Crc::default();
            crc.update(&bytes[..cut]);
            crc.update(&bytes[cut..]);
            assert_eq!(crc.value(), whole.value());
        }
    }
}
