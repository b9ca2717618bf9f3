//! A small parser for the options of the bzip2 program.

use super::{Bzip2Args, Level};
use crate::args::Display;
use crate::size;
use std::ffi::OsString;

impl Bzip2Args {
    /// Parses arguments that consist of files, bzip2's options and `--threads N` only, which is the
    /// common case. Returns `None` for all others, also for wrong ones: clap handles those.
    ///
    /// Clap would give the same result, except that it refuses -q together with -v. But clap takes
    /// more memory than compressing a small file does, because it describes every possible option.
    pub(crate) fn plain(words: &[OsString]) -> Option<(Self, Display)> {
        let mut display = Display::default();
        let mut args = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_encoded_bytes() {
                [] => return None,
                b"--threads" => {
                    let number = words.next()?.to_str()?;
                    args.threads = Some(size::parse_threads(number).ok()?);
                }
                [b'-', b'-', name @ ..] => args.take_letter(letter_of(name)?, &mut display)?,
                [b'-', letters @ ..] if !letters.is_empty() => {
                    for &letter in letters {
                        args.take_letter(letter, &mut display)?;
                    }
                }
                _ => args.files.push(word.into()),
            }
        }
        // With bzip2, -v reports each file even if -q is given.
        display.quiet &= !display.verbose;
        Some((args, display))
    }

    fn take_letter(&mut self, letter: u8, display: &mut Display) -> Option<()> {
        match letter {
            b'd' | b'z' | b't' => {
                (self.decompress, self.compress, self.test) =
                    (letter == b'd', letter == b'z', letter == b't');
            }
            b'c' => self.stdout = true,
            b'k' => self.keep = true,
            b'f' => self.force = true,
            b's' => self.small = true,
            b'L' => self.license = true,
            b'q' => display.quiet = true,
            b'v' => display.verbose = true,
            b'1'..=b'9' => self.level = Level(letter - b'0'),
            _ => return None,
        }
        Some(())
    }
}

/// The short form of a long option.
fn letter_of(name: &[u8]) -> Option<u8> {
    Some(match name {
        b"decompress" => b'd',
        b"compress" => b'z',
        b"test" => b't',
        b"stdout" => b'c',
        b"keep" => b'k',
        b"force" => b'f',
        b"small" => b's',
        b"license" => b'L',
        b"quiet" => b'q',
        b"verbose" => b'v',
        b"fast" => b'1',
        b"best" => b'9',
        _ => return None,
    })
}
