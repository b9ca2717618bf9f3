//! What the program tells its caller.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All went well, or nobody wants the rest of the output.
    Success,
    /// No document has the name asked for.
    NothingFound,
    /// A file that `bzip2` is to work on cannot be read or written; bzip2's own code for it.
    Unavailable,
    /// Something failed.
    Error,
    /// The user stopped it.
    Interrupted,
}

impl Exit {
    /// The number that shells see.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingFound | Self::Unavailable => 1,
            Self::Error => 2,
            // 128 and the number of SIGINT, as shells count.
            Self::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_documented() {
        use Exit::{Error, Interrupted, NothingFound, Success, Unavailable};
        let all = [Success, NothingFound, Unavailable, Error, Interrupted];
        assert_eq!(all.map(Exit::code), [0, 1, 1, 2, 130]);
    }
}
