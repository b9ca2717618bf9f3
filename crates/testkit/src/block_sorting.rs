//! The bodies of the fuzz targets of bzip2's format: our reader and writer against the reference
//! implementation, `libbz2`.

use bzip2::{Compression, Decompress, Status};
use std::io::{Read, Write};
use zgram_bwt::bzip2::{Reader, Writer, WriterOptions};

/// Longer text is not compared: a few hundred bytes can expand to gigabytes.
const LONGEST: usize = 32 << 20;

/// What a file expands to.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Refused,
    /// Longer than [`LONGEST`].
    Long,
    Text {
        text: Vec<u8>,
        has_garbage: bool,
    },
}

/// Any bytes as a `.bz2` file: what the reference refuses is refused, what it reads is read the same,
/// on one thread and on several.
pub fn bzip2_decode(file: &[u8]) {
    let expected = read_by_reference(file);
    for threads in [1, 3] {
        let ours = read(file, threads);
        assert!(ours == expected, "{threads} threads: {}, not {}", ours.name(), expected.name());
    }
}

/// A text into a file and back: ours by the reference, and the reference's by us. The first byte has
/// the level and the number of threads.
pub fn bzip2_round_trip(input: &[u8]) {
    let Some((&options, text)) = input.split_first() else { return };
    let (level, threads) = (1 + options % 9, 1 + usize::from(options / 9 % 3));
    let expected = Outcome::Text { text: text.to_vec(), has_garbage: false };
    let mut writer = Writer::new(Vec::new(), WriterOptions { level, threads });
    writer.write_all(text).expect("room");
    let ours = writer.finish().expect("room");
    let compression = Compression::new(u32::from(level));
    let mut writer = bzip2::write::BzEncoder::new(Vec::new(), compression);
    writer.write_all(text).expect("room");
    let theirs = writer.finish().expect("room");
    assert!(read_by_reference(&ours) == expected, "the reference reads another text");
    assert!(read(&ours, threads) == expected, "we read another text than we wrote");
    assert!(read(&theirs, threads) == expected, "we read another text than the reference wrote");
}

impl Outcome {
    fn name(&self) -> String {
        match self {
            Self::Refused => "refused".into(),
            Self::Long => "long".into(),
            Self::Text { text, has_garbage } => {
                format!("{} bytes, garbage behind them: {has_garbage}", text.len())
            }
        }
    }
}

fn read(file: &[u8], threads: usize) -> Outcome {
    let mut text = Vec::new();
    let mut reader = Reader::new(file, threads);
    match (&mut reader).take(LONGEST as u64 + 1).read_to_end(&mut text) {
        Err(_) => Outcome::Refused,
        Ok(_) if text.len() > LONGEST => Outcome::Long,
        Ok(_) => Outcome::Text { text, has_garbage: reader.has_trailing_garbage() },
    }
}

/// Stream by stream, as the program `bzip2` reads a file: bytes that follow a whole stream and
/// do not begin another are skipped.
fn read_by_reference(file: &[u8]) -> Outcome {
    let mut text = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    let mut rest = file;
    let mut is_first = true;
    loop {
        let mut stream = Decompress::new(false);
        loop {
            let (read, written) = (stream.total_in(), stream.total_out());
            let status = stream.decompress(rest, &mut buffer);
            rest = &rest[(stream.total_in() - read) as usize..];
            let fresh = (stream.total_out() - written) as usize;
            text.extend_from_slice(&buffer[..fresh]);
            if text.len() > LONGEST {
                return Outcome::Long;
            }
            match status {
                Ok(Status::StreamEnd) => break,
                Ok(_) if rest.is_empty() && fresh < buffer.len() => return Outcome::Refused,
                Ok(_) => {}
                Err(bzip2::Error::DataMagic) if !is_first => {
                    return Outcome::Text { text, has_garbage: true };
                }
                Err(_) => return Outcome::Refused,
            }
        }
        if rest.is_empty() {
            return Outcome::Text { text, has_garbage: false };
        }
        is_first = false;
    }
}
