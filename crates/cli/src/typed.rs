//! What was typed; for `bzip2` also what its variables of the environment say before it.

use crate::args::Cli;
use crate::exit::Exit;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::{OsStr, OsString};

/// Where bzip2 looks for options, in this order.
const VARIABLES: [&str; 2] = ["BZIP2", "BZIP"];

/// Takes the command line apart. What cannot be taken apart, and help, is printed.
pub(crate) fn parse() -> Result<Cli, Exit> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    let verb = verb(&words);
    let is_bzip2 = verb.is_some_and(|verb| words[verb] == "bzip2");
    if let Some(verb) = verb.filter(|_| is_bzip2) {
        let variables = VARIABLES.iter().filter_map(std::env::var_os);
        let added: Vec<_> = variables.flat_map(|variable| words_of(&variable)).collect();
        words.splice(verb + 1..verb + 1, added);
    }
    let mut command = Cli::command();
    // The list of commands tells what each is for; any of them needs to know only itself.
    if verb.is_none_or(|verb| words[verb] == "help") {
        command.build();
    }
    let cli = command
        .try_get_matches_from(words)
        .and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    cli.map_err(|error| {
        // There is nobody left to tell if it cannot be printed.
        let _ = error.print();
        match (error.use_stderr(), is_bzip2) {
            (false, _) => Exit::Success,
            // bzip2's code for options that it does not have.
            (true, true) => Exit::Unavailable,
            (true, false) => Exit::Error,
        }
    })
}

/// Where the command stands, if there is one. Only display options go before it.
fn verb(words: &[OsString]) -> Option<usize> {
    let mut place = 1;
    loop {
        let word = words.get(place)?;
        if word == "--color" {
            place += 2;
        } else if word.as_encoded_bytes().starts_with(b"-") {
            place += 1;
        } else {
            return Some(place);
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
        let verb = |line: &str| verb(&words_of(OsStr::new(line)));
        assert_eq!(verb("zgram bzip2 -k bzip2"), Some(1));
        assert_eq!(verb("zgram -q --color never bzip2"), Some(4));
        assert_eq!(verb("zgram --color=never bzip2"), Some(2));
        assert_eq!(verb("zgram help bzip2"), Some(1));
        assert_eq!(verb("zgram --help"), None);
        assert_eq!(verb("zgram"), None);
    }
}
