//! A small parser for the options that the bzip2 program has.

use super::{Bzip2Args, Level};
use crate::args::Display;
use std::ffi::OsString;

impl Bzip2Args {
    /// Takes apart words that are files, bzip2's options, `--threads N` and nothing else: what is typed
    /// every day. `None` for others, also for those that are wrong; clap knows about them.
    ///
    /// Clap would make the same of them, but for -q and -v, which it does not let go together. It would
    /// take more memory than a small file: pages of the program, and a description of all that could be
    /// typed.
    pub(crate) fn plain(words: &[OsString]) -> Option<(Self, Display)> {
        let mut display = Display::default();
        let mut args = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_encoded_bytes() {
                [] => return None,
                b"--threads" => {
                    let number = words.next()?.to_str()?;
                    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
                    args.threads = Some(number.parse().ok().filter(|&n| is_plain && n > 0)?);
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
        // With bzip2, what is told of each file is told all the same.
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

/// The option of one letter that an option of one word stands for.
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
