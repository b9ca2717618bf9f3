//! Reads and writes little-endian numbers in byte strings. Errors carry the offset.

/// Why bytes could not be decoded, and at which offset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {offset}")]
pub struct Malformed {
    /// Offset in the bytes that were being read.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}

impl Malformed {
    pub(crate) fn at(offset: usize, what: impl Into<String>) -> Self {
        Self { offset: offset as u64, what: what.into() }
    }
}

/// Reads numbers in order, never beyond the end.
#[derive(Clone, Debug)]
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> ByteReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The remaining bytes, without consuming them.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    pub(crate) fn malformed<T>(&self, what: impl Into<String>) -> Result<T, Malformed> {
        Err(Malformed::at(self.at, what))
    }

    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Malformed> {
        if len > self.remaining() {
            return self.malformed(format!("{len} bytes expected, {} left", self.remaining()));
        }
        let taken = &self.bytes[self.at..self.at + len];
        self.at += len;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        Ok(self.take(N)?.try_into().expect("take gives N bytes"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Malformed> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A number in LEB128: seven bits per byte, low bits first, the top bit set on all bytes but the last.
    #[inline]
    pub(crate) fn varint(&mut self) -> Result<u64, Malformed> {
        // Most numbers are small.
        match self.bytes.get(self.at) {
            Some(&byte) if byte < 0x80 => {
                self.at += 1;
                Ok(u64::from(byte))
            }
            _ => self.long_varint(),
        }
    }

    fn long_varint(&mut self) -> Result<u64, Malformed> {
        let start = self.at;
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let Some(&byte) = self.bytes.get(self.at) else { return self.u8().map(u64::from) };
            self.at += 1;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Malformed::at(start, "number longer than 64 bits"))
    }

    /// A varint that counts things of which each takes at least `bits` bits of what is left; so a
    /// forged count cannot ask for more memory than the file's size justifies.
    #[inline]
    pub(crate) fn varint_at_most(&mut self, limit: u64, what: &str) -> Result<u64, Malformed> {
        let start = self.at;
        let value = self.varint()?;
        if value > limit {
            return Err(Malformed::at(start, format!("{what} {value} is over the limit {limit}")));
        }
        Ok(value)
    }

    pub(crate) fn expect_end(&self) -> Result<(), Malformed> {
        if self.remaining() > 0 {
            return self.malformed(format!("{} bytes left over", self.remaining()));
        }
        Ok(())
    }
}

/// Appends a number in LEB128.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Maps small numbers of either sign to small numbers, which take few bytes in LEB128.
pub(crate) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// The number that [`zigzag`] maps to this one.
pub(crate) fn from_zigzag(coded: u64) -> i64 {
    (coded >> 1) as i64 ^ -((coded & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn varints_come_back(values in proptest::collection::vec(any::<u64>(), 0..20)) {
            let mut bytes = Vec::new();
            values.iter().for_each(|&value| put_varint(&mut bytes, value));
            let mut reader = ByteReader::new(&bytes);
            for value in values {
                prop_assert_eq!(reader.varint().unwrap(), value);
            }
            prop_assert!(reader.expect_end().is_ok());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..12)) {
            let mut reader = ByteReader::new(&bytes);
            let _ = reader.varint();
            prop_assert!(reader.offset() <= bytes.len());
        }
    }

    #[test]
    fn overlong_varints_are_refused() {
        assert!(ByteReader::new(&[0xFF; 10]).varint().is_err());
        assert!(ByteReader::new(&[0x80]).varint().is_err());
    }
}
