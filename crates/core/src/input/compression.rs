//! Recognises compressed input by its first bytes and decodes it as a stream.

use super::failures::{Layer, Watch, Watched};
use std::fmt;
use std::io::{self, BufReader, Cursor, Read};

/// How many bytes [`Compression::detect`] needs.
pub(super) const MAGIC_LEN: usize = 10;

/// The first bytes of every corpus file. As in PNG, they contain a byte that is not ASCII, and line ends
/// that a careless transfer would change. Reading refuses such files: their text is compressed.
pub(crate) const CORPUS_MAGIC: [u8; 8] = *b"\x89ZGRAM\r\n";

/// Whether a file that begins with `head` is a zgram corpus.
pub(super) fn is_corpus(head: &[u8]) -> bool {
    head.starts_with(&CORPUS_MAGIC)
}

/// Compressed bytes are read in blocks of this size.
const BUFFER: usize = 1 << 17;

/// The largest window a zstd frame may ask for (`zstd --ultra --long=31`), as far as the address
/// space allows.
const ZSTD_WINDOW_LOG_MAX: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// A compressed file format that can be decoded while reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// RFC 1952, any number of members.
    Gzip,
    /// RFC 8878, any number of frames, windows of any size.
    Zstd,
    /// bzip2, any number of streams.
    Bzip2,
    /// xz, any number of streams.
    Xz,
}

/// Which compressed files are decompressed while reading. The others are stored as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decompress {
    /// None.
    No,
    /// Files given by name, and standard input. With JSON Lines also files found in folders and
    /// archives.
    #[default]
    Named,
    /// Files found in folders and archives too. Decompressing the corpus restores their text, not the
    /// compressed files.
    All,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        })
    }
}

impl Compression {
    /// The format that begins with `head`, if any.
    ///
    /// A text may begin with `BZh` and a digit, so bzip2 must also have the magic number of its first
    /// block or, when empty, of its footer. A zstd file may begin with a skippable frame.
    pub(super) fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Some(Self::Bzip2)
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    /// `name` without the ending of this format: `a.txt.gz` becomes `a.txt`, `a.tgz` becomes `a.tar`.
    pub(super) fn strip_ending(self, name: &[u8]) -> Vec<u8> {
        let endings: &[(&str, &str)] = match self {
            Self::Gzip => &[(".gz", ""), (".tgz", ".tar")],
            Self::Zstd => &[(".zst", ""), (".zstd", ""), (".tzst", ".tar")],
            Self::Bzip2 => &[(".bz2", ""), (".tbz2", ".tar"), (".tbz", ".tar")],
            Self::Xz => &[(".xz", ""), (".txz", ".tar")],
        };
        for (ending, instead) in endings {
            let Some(stem) = name.len().checked_sub(ending.len()) else { continue };
            let names_something = stem > 0 && name[stem - 1] != b'/';
            if names_something && name[stem..].eq_ignore_ascii_case(ending.as_bytes()) {
                return [&name[..stem], instead.as_bytes()].concat();
            }
        }
        name.to_vec()
    }

    fn decoder<'w>(
        self,
        compressed: impl Read + 'w,
        #[cfg_attr(
            all(feature = "gzip", feature = "bzip2", feature = "xz"),
            expect(unused_variables, reason = "a build with all decoders misses none")
        )]
        watch: &Watch<'w>,
    ) -> io::Result<Box<dyn Read + 'w>> {
        let buffered = BufReader::with_capacity(BUFFER, compressed);
        Ok(match self {
            #[cfg(feature = "gzip")]
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(buffered)),
            #[cfg(not(feature = "gzip"))]
            Self::Gzip => return Err(watch.miss("read gzip", "gzip")),
            #[cfg(feature = "bzip2")]
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered)),
            #[cfg(not(feature = "bzip2"))]
            Self::Bzip2 => return Err(watch.miss("read bzip2", "bzip2")),
            #[cfg(feature = "xz")]
            Self::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(buffered)),
            #[cfg(not(feature = "xz"))]
            Self::Xz => return Err(watch.miss("read xz", "xz")),
            Self::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(buffered)?;
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
                Box::new(decoder)
            }
        })
    }
}

/// Decompresses `raw` if it is compressed. Returns the format too.
pub(super) fn decompressed<'w>(
    raw: impl Read + 'w,
    watch: &'w Watch<'w>,
) -> io::Result<(Option<Compression>, Box<dyn Read + 'w>)> {
    let (head, stream) = peek(raw, MAGIC_LEN)?;
    let Some(format) = Compression::detect(&head) else { return Ok((None, Box::new(stream))) };
    let decoder = format.decoder(stream, watch)?;
    Ok((Some(format), Box::new(Watched::new(decoder, watch, Layer::Decompress(format)))))
}

/// The first `len` bytes of `reader`, fewer if it is shorter, and a reader that still begins with them.
pub(super) fn peek<R: Read>(mut reader: R, len: usize) -> io::Result<(Vec<u8>, impl Read)> {
    let mut head = Vec::with_capacity(len);
    reader.by_ref().take(len as u64).read_to_end(&mut head)?;
    let again = Cursor::new(head.clone());
    Ok((head, again.chain(reader)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_stripped_only_for_their_own_format() {
        let stripped = |format: Compression, name: &str| {
            String::from_utf8(format.strip_ending(name.as_bytes())).unwrap()
        };
        assert_eq!(stripped(Compression::Gzip, "a.txt.gz"), "a.txt");
        assert_eq!(stripped(Compression::Gzip, "A.TXT.GZ"), "A.TXT");
        assert_eq!(stripped(Compression::Gzip, "a.tgz"), "a.tar");
        assert_eq!(stripped(Compression::Zstd, "a.gz"), "a.gz");
        assert_eq!(stripped(Compression::Xz, "dir/.xz"), "dir/.xz");
        assert_eq!(stripped(Compression::Bzip2, ".bz2"), ".bz2");
    }

    #[test]
    fn text_that_looks_like_a_magic_number_is_text() {
        assert_eq!(Compression::detect(b"BZh9 is how bzip2 files begin"), None);
        assert_eq!(Compression::detect(b"PK"), None);
        assert_eq!(Compression::detect(b""), None);
    }
}
