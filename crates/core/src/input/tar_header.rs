//! Recognises tar archives by their first header.

/// The size of a tar header.
pub(super) const BLOCK: usize = 512;

/// Where a header keeps its checksum.
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// Whether `head`, the first [`BLOCK`] of a stream named `name`, begins a tar archive.
///
/// Archives older than POSIX have no magic, and empty ones are all zeros: those must also be named
/// `.tar`.
pub(super) fn is_tar(head: &[u8], name: &[u8]) -> bool {
    let named_tar = name.to_ascii_lowercase().ends_with(b".tar");
    if head.len() < BLOCK {
        return false;
    }
    if head.iter().all(|&byte| byte == 0) {
        return named_tar;
    }
    let blank = u32::from(b' ') * CHECKSUM.len() as u32;
    let outside = head[..CHECKSUM.start].iter().chain(&head[CHECKSUM.end..BLOCK]);
    let sum = outside.fold(blank, |sum, &byte| sum + u32::from(byte));
    (named_tar || head[257..].starts_with(b"ustar")) && octal(&head[CHECKSUM]) == Some(sum)
}

/// A number as tar headers have it: octal digits, with spaces around them, up to a zero byte.
fn octal(field: &[u8]) -> Option<u32> {
    let digits = field.split(|&byte| byte == 0).next()?;
    u32::from_str_radix(str::from_utf8(digits).ok()?.trim(), 8).ok()
}
