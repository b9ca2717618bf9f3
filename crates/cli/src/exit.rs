//! What the program tells its caller.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All went well, or nobody wants the rest of the output.
    Success,
    /// No document has the name asked for.
    NothingFound,
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
            Self::NothingFound => 1,
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
        let all = [Exit::Success, Exit::NothingFound, Exit::Error, Exit::Interrupted];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 130]);
    }
}
