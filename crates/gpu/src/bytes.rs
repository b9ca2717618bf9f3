//! Bytes, four per word.

/// Packs bytes for a kernel.
pub(crate) fn pack(bytes: &[u8]) -> Vec<u32> {
    let word = |four: &[u8]| {
        let mut word = [0; 4];
        word[..four.len()].copy_from_slice(four);
        u32::from_le_bytes(word)
    };
    bytes.chunks(4).map(word).collect()
}

/// The first `len` bytes of words.
pub(crate) fn unpack(words: &[u32], len: usize) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).take(len).collect()
}
