//! The second layer ("double compression", tadoc section 4.5): a general-purpose compressor for
//! everything that is not entropy-coded already.
//!
//! A section consists of *streams*. Each stream is compressed by the file's layer, or stored where
//! that does not make it smaller. So a layer never costs more than the stream's header.

use super::bytes::{ByteReader, Malformed, put_varint};
use crate::features::MissingFeature;
use std::borrow::Cow;
use zstd::zstd_safe::CParameter;

/// The general-purpose compressor of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Layer {
    /// None: streams can be used directly from a mapped file.
    None = 0,
    /// Zstandard.
    #[default]
    Zstd = 1,
    /// DEFLATE in a gzip frame, as in the papers.
    Gzip = 2,
    /// Block sorting (Burrows-Wheeler transform): smaller, slower to load.
    Bwt = 3,
}

/// A compressor that can be a layer. Codecs are stateless; a new one is a new variant of [`Layer`].
trait Codec {
    fn compress(&self, raw: &[u8]) -> Vec<u8>;
    /// Fails unless the result has exactly `len` bytes; never allocates more than that.
    fn decompress(&self, stored: &[u8], len: usize) -> Result<Vec<u8>, String>;
}

/// Longest stream, and the level it is compressed at. The longer a stream, the more time the higher
/// levels take for a small gain, and 80 MB of memory.
const LEVELS: [(usize, i32); 3] = [(1 << 16, 19), (1 << 21, MIDDLE_LEVEL), (usize::MAX, 12)];

/// This level is used for its parser. Its deep search would take half of the time and save hardly
/// anything.
const MIDDLE_LEVEL: i32 = 16;
const MIDDLE_SEARCH: CParameter = CParameter::SearchLog(3);

struct Zstd;
#[cfg(feature = "gzip")]
struct Gzip;
#[cfg(feature = "bwt")]
struct Bwt;

impl Codec for Zstd {
    fn compress(&self, raw: &[u8]) -> Vec<u8> {
        let (_, level) = LEVELS.into_iter().find(|&(most, _)| raw.len() <= most).expect("no limit");
        let pack = || {
            let mut compressor = zstd::bulk::Compressor::new(level)?;
            if level == MIDDLE_LEVEL {
                compressor.set_parameter(MIDDLE_SEARCH)?;
            }
            compressor.compress(raw)
        };
        pack().expect("compressing to memory cannot fail")
    }

    fn decompress(&self, stored: &[u8], len: usize) -> Result<Vec<u8>, String> {
        let raw = zstd::bulk::decompress(stored, len).map_err(|error| error.to_string())?;
        if raw.len() == len { Ok(raw) } else { Err(format!("{} bytes unpacked", raw.len())) }
    }
}

#[cfg(feature = "gzip")]
impl Codec for Gzip {
    fn compress(&self, raw: &[u8]) -> Vec<u8> {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(raw).and_then(|()| encoder.finish()).expect("memory takes every byte")
    }

    fn decompress(&self, stored: &[u8], len: usize) -> Result<Vec<u8>, String> {
        use std::io::Read;
        let mut raw = Vec::with_capacity(len);
        let mut decoder = flate2::read::GzDecoder::new(stored).take(len as u64 + 1);
        decoder.read_to_end(&mut raw).map_err(|error| error.to_string())?;
        if raw.len() == len { Ok(raw) } else { Err(format!("{} bytes unpacked", raw.len())) }
    }
}

#[cfg(feature = "bwt")]
impl Codec for Bwt {
    fn compress(&self, raw: &[u8]) -> Vec<u8> {
        zgram_bwt::pack::pack(raw)
    }

    fn decompress(&self, stored: &[u8], len: usize) -> Result<Vec<u8>, String> {
        zgram_bwt::pack::unpack(stored, len).map_err(|error| error.to_string())
    }
}

/// A layer that this build leaves out. [`Layer::check`] refuses it before a stream is written.
#[cfg(not(all(feature = "gzip", feature = "bwt")))]
impl Codec for MissingFeature {
    fn compress(&self, raw: &[u8]) -> Vec<u8> {
        raw.to_vec()
    }

    fn decompress(&self, _: &[u8], _: usize) -> Result<Vec<u8>, String> {
        Err(self.to_string())
    }
}

#[cfg(not(feature = "gzip"))]
const NO_GZIP: MissingFeature = MissingFeature::new("use the layer gzip", "gzip");
#[cfg(not(feature = "bwt"))]
const NO_BWT: MissingFeature = MissingFeature::new("use the layer bwt", "bwt");

impl Layer {
    /// Every layer, by its number in a file.
    const ALL: [Self; 4] = [Self::None, Self::Zstd, Self::Gzip, Self::Bwt];

    /// Whether this build has the layer.
    pub(crate) fn check(self) -> Result<(), MissingFeature> {
        match self {
            #[cfg(not(feature = "gzip"))]
            Self::Gzip => Err(NO_GZIP),
            #[cfg(not(feature = "bwt"))]
            Self::Bwt => Err(NO_BWT),
            _ => Ok(()),
        }
    }

    fn codec(self) -> Option<&'static dyn Codec> {
        match self {
            Self::None => None,
            Self::Zstd => Some(&Zstd),
            #[cfg(feature = "gzip")]
            Self::Gzip => Some(&Gzip),
            #[cfg(not(feature = "gzip"))]
            Self::Gzip => Some(&NO_GZIP),
            #[cfg(feature = "bwt")]
            Self::Bwt => Some(&Bwt),
            #[cfg(not(feature = "bwt"))]
            Self::Bwt => Some(&NO_BWT),
        }
    }

    /// The layer with this number in a file.
    pub(crate) fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&layer| layer as u8 == code)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
            Self::Bwt => "bwt",
        }
    }
}

/// The most bytes that a stream may decompress to, so that a forged length cannot make a reader
/// allocate much memory. The few streams that would exceed it are stored.
fn most_unpacked(stored_len: u64) -> u64 {
    stored_len.saturating_mul(1024).saturating_add(1 << 24)
}

/// Streams longer than this are compressed only if a quick trial on their start makes it smaller:
/// entropy-coded symbols do not shrink, and finding that out at a high level takes seconds.
const TRIAL: usize = 1 << 18;

fn promises(raw: &[u8]) -> bool {
    raw.len() <= 2 * TRIAL
        || zstd::bulk::compress(&raw[..TRIAL], 1)
            .is_ok_and(|packed| packed.len() < TRIAL - TRIAL / 64)
}

/// Appends streams that belong together, for data that decodes faster than any layer decompresses.
/// They are stored unless a trial saves a sixteenth of them.
pub(crate) fn put_dense_streams(out: &mut Vec<u8>, layer: Layer, streams: [&[u8]; 2]) {
    let raw: usize = streams.iter().map(|raw| raw.len()).sum();
    let trial = |raw: &[u8]| zstd::bulk::compress(raw, 1).map_or(raw.len(), |packed| packed.len());
    let packed: usize = streams.iter().map(|raw| trial(raw)).sum();
    let layer = if packed < raw - raw / 16 { layer } else { Layer::None };
    streams.iter().for_each(|raw| put_stream(out, layer, raw));
}

/// Appends a stream: layer code, raw length, stored length if compressed, bytes.
pub(crate) fn put_stream(out: &mut Vec<u8>, layer: Layer, raw: &[u8]) {
    let packed =
        layer.codec().filter(|_| promises(raw)).map(|codec| codec.compress(raw)).filter(|packed| {
            packed.len() < raw.len() && raw.len() as u64 <= most_unpacked(packed.len() as u64)
        });
    match packed {
        Some(packed) => {
            out.push(layer as u8);
            put_varint(out, raw.len() as u64);
            put_varint(out, packed.len() as u64);
            out.extend_from_slice(&packed);
        }
        None => {
            out.push(Layer::None as u8);
            put_varint(out, raw.len() as u64);
            out.extend_from_slice(raw);
        }
    }
}

/// Reads a stream. It is borrowed if it is stored uncompressed.
pub(crate) fn take_stream<'a>(reader: &mut ByteReader<'a>) -> Result<Cow<'a, [u8]>, Malformed> {
    let start = reader.offset();
    let code = reader.u8()?;
    let Some(layer) = Layer::from_code(code) else {
        return Err(Malformed::at(start, format!("unknown layer {code}")));
    };
    let len = reader.varint()?;
    let Some(codec) = layer.codec() else {
        return Ok(Cow::Borrowed(reader.take(usize::try_from(len).unwrap_or(usize::MAX))?));
    };
    let stored_len = reader.varint()?;
    let stored = reader.take(usize::try_from(stored_len).unwrap_or(usize::MAX))?;
    if len > most_unpacked(stored_len) {
        return Err(Malformed::at(
            start,
            format!("a stream of {stored_len} bytes cannot unpack to {len}"),
        ));
    }
    let raw = codec.decompress(stored, len as usize).map_err(|why| {
        Malformed::at(start, format!("{} stream does not unpack: {why}", layer.name()))
    })?;
    Ok(Cow::Owned(raw))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn streams_come_back(raw in proptest::collection::vec(0u8..4, 0..2000), code in 0u8..4) {
            let layer = Layer::from_code(code).unwrap();
            let mut bytes = Vec::new();
            put_stream(&mut bytes, layer, &raw);
            let mut reader = ByteReader::new(&bytes);
            prop_assert_eq!(&take_stream(&mut reader).unwrap()[..], &raw[..]);
            prop_assert!(reader.expect_end().is_ok());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = take_stream(&mut ByteReader::new(&bytes));
        }
    }

    #[test]
    fn a_forged_length_is_refused_before_memory_is_taken() {
        let mut bytes = vec![Layer::Zstd as u8];
        put_varint(&mut bytes, 1 << 50);
        put_varint(&mut bytes, 4);
        bytes.extend([0; 4]);
        let error = take_stream(&mut ByteReader::new(&bytes)).unwrap_err();
        assert!(error.what.contains("cannot unpack"), "{error}");
    }

    #[test]
    fn long_runs_are_kept_raw_rather_than_refused() {
        let raw = vec![7u8; 3 << 23];
        for layer in [Layer::Zstd, Layer::Gzip, Layer::Bwt] {
            let mut bytes = Vec::new();
            put_stream(&mut bytes, layer, &raw);
            assert_eq!(&take_stream(&mut ByteReader::new(&bytes)).unwrap()[..], &raw[..]);
        }
    }
}
