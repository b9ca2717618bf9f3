//! What was typed; for `bzip2` also what its variables of the environment say before it.

use crate::args::Cli;
use crate::exit::Exit;
use clap::Parser;
use std::ffi::{OsStr, OsString};

/// Where bzip2 looks for options, in this order.
const VARIABLES: [&str; 2] = ["BZIP2", "BZIP"];

/// Takes the command line apart. What cannot be taken apart, and help, is printed.
pub(crate) fn parse() -> Result<Cli, Exit> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let verb = bzip2_verb(&words);
    if let Some(verb) = verb {
        let variables = VARIABLES.iter().filter_map(std::env::var_os);
        let added: Vec<_> = variables.flat_map(|variable| words_of(&variable)).collect();
        words.splice(verb + 1..verb + 1, added);
    }
    Cli::try_parse_from(words).map_err(|error| {
        // There is nobody left to tell if it cannot be printed.
        let _ = error.print();
        match (error.use_stderr(), verb) {
            (false, _) => Exit::Success,
            // bzip2's code for options that it does not have.
            (true, Some(_)) => Exit::Unavailable,
            (true, None) => Exit::Error,
        }
    })
}

/// Where the command `bzip2` stands, if that is the command. Only display options go before it.
fn bzip2_verb(words: &[OsString]) -> Option<usize> {
    let mut place = 1;
    loop {
        let word = words.get(place)?;
        if word == "--color" {
            place += 2;
        } else if word.as_encoded_bytes().starts_with(b"-") {
            place += 1;
        } else {
            return (word == "bzip2").then_some(place);
        }
    }
}

fn words_of(variable: &OsStr) -> Vec<OsString> {
    variable.to_string_lossy().split_ascii_whitespace().map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_the_first_word_that_is_no_option() {
        let verb = |line: &str| bzip2_verb(&words_of(OsStr::new(line)));
        assert_eq!(verb("zgram bzip2 -k bzip2"), Some(1));
        assert_eq!(verb("zgram -q --color never bzip2"), Some(4));
        assert_eq!(verb("zgram --color=never bzip2"), Some(2));
        assert_eq!(verb("zgram help bzip2"), None);
        assert_eq!(verb("zgram"), None);
    }
}
