//! Exit codes.

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success, or the reader of the output has closed the pipe.
    Success,
    /// No such document, no match, or no rows.
    NothingFound,
    /// `bzip2` cannot read or write a file; it has its own code for that.
    Unavailable,
    /// Something failed.
    Error,
    /// The user stopped it.
    Interrupted,
}

impl Exit {
    /// The number that the shell gets.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::NothingFound | Self::Unavailable => 1,
            Self::Error => 2,
            // 128 plus the number of SIGINT, by the convention of shells.
            Self::Interrupted => 130,
        }
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
