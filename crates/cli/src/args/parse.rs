//! Parses the command line; for `bzip2`, options from its environment variables come first.

use super::groups::with_groups;
use super::{Bzip2Args, Cli, Command};
use crate::exit::Exit;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::{OsStr, OsString};

/// Where bzip2 looks for options, in this order.
const VARIABLES: [&str; 2] = ["BZIP2", "BZIP"];

/// Parses the command line. Prints help and errors itself and returns the exit code.
pub(crate) fn parse(words: &[OsString]) -> Result<Cli, Exit> {
    let mut words = words.to_vec();
    let verb = verb(&words);
    let is_bzip2 = verb.is_some_and(|verb| words[verb] == "bzip2");
    if let Some(verb) = verb.filter(|_| is_bzip2) {
        let variables = VARIABLES.iter().filter_map(std::env::var_os);
        let added: Vec<_> = variables.flat_map(|variable| words_of(&variable)).collect();
        words.splice(verb + 1..verb + 1, added);
        if let Some(cli) = plain_bzip2(&words, verb) {
            return Ok(cli);
        }
    }
    let mut command = Cli::command();
    // Only the list of commands needs to know all of them.
    if verb.is_none_or(|verb| words[verb] == "help") {
        command.build();
        command = with_groups(command);
    }
    let cli = command
        .try_get_matches_from(&words)
        .and_then(|mut matches| Cli::from_arg_matches_mut(&mut matches));
    cli.map_err(|error| {
        let error = negative(&error, &words).unwrap_or(error);
        print(&error);
        match (error.use_stderr(), is_bzip2) {
            (false, _) => Exit::Success,
            // bzip2's exit code for unknown options.
            (true, true) => Exit::Unavailable,
            (true, false) => Exit::Error,
        }
    })
}

/// The error of an option that was given a negative number. clap takes the number for an option that it does
/// not know, and suggests `-- -1`, which would make it a document.
fn negative(error: &clap::Error, words: &[OsString]) -> Option<clap::Error> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let mut command = Cli::command();
    command.build();
    let command = command.find_subcommand_mut(&words[verb(words)?])?;
    let takes_value = |option: &str| {
        command.get_arguments().any(|argument| {
            let long = argument.get_long().map(|long| format!("--{long}"));
            let short = argument.get_short().map(|short| format!("-{short}"));
            let names = [long, short];
            argument.get_action().takes_values() && names.iter().flatten().any(|n| n == option)
        })
    };
    let message = words.windows(2).find_map(|pair| {
        let (option, number) = (pair[0].to_str()?, pair[1].to_str()?);
        let digits = number.strip_prefix('-')?;
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
            && digits.parse::<f64>().is_ok();
        let message = || format!("invalid value '{number}' for '{option}': must not be negative");
        (is_number && takes_value(option)).then(message)
    })?;
    Some(command.error(ErrorKind::ValueValidation, message))
}

/// Prints help on standard output, and errors on standard error as all others are printed.
fn print(error: &clap::Error) {
    use ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand as Help;
    if error.use_stderr() && error.kind() != Help {
        anstream::eprint!("zgram: {}", error.render().ansi());
    } else {
        // Nothing can be reported if standard output is closed.
        let _ = error.print();
    }
}

/// The command `bzip2` with common options only, parsed without clap; `None` for others.
fn plain_bzip2(words: &[OsString], verb: usize) -> Option<Cli> {
    // Options before the command, or in a variable that clap reads, need clap.
    if verb != 1 || std::env::var_os("ZGRAM_ADAPTER").is_some() {
        return None;
    }
    let (args, display) = Bzip2Args::plain(&words[verb + 1..])?;
    Some(Cli { display, command: Command::Bzip2(args) })
}

/// The position of the command, if there is one. Only display options come before it.
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
    use clap::Parser;

    #[test]
    fn plain_options_are_what_clap_makes_of_them() {
        let line = |line: &str| words_of(OsStr::new(&format!("zgram bzip2 {line}")));
        let check = |words: &[OsString]| {
            let plain = plain_bzip2(words, 1);
            let clap = Cli::try_parse_from(words).ok();
            let is_any = |names: &[&str]| words.iter().any(|w| names.iter().any(|name| w == name));
            let both = is_any(&["-q", "--quiet"]) && is_any(&["-v", "--verbose"]);
            if plain.is_some() && !both {
                assert_eq!(format!("{plain:?}"), format!("{clap:?}"), "{words:?}");
            }
            plain.is_some()
        };
        let parts = ["-d", "--compress", "-t", "-kc", "-s9", "--fast", "-q", "--verbose"];
        let names = ["--decompress", "--test", "--stdout", "--keep", "--force", "--small"];
        let others = ["-L", "--license", "--best", "--quiet", "--threads 3", "a.bz2", "-"];
        let plain_ones: Vec<&str> = parts.into_iter().chain(names).chain(others).collect();
        let not_plain = ["--", "-x", "--repetitive-best", "--threads 0", "--threads", "-h", "-1x"];
        for a in &plain_ones {
            for b in &plain_ones {
                for c in ["-d", "-z", "-3", "-v", "file", "-"] {
                    assert!(check(&line(&format!("{a} {b} {c}"))), "{a} {b} {c}");
                }
                for c in not_plain {
                    assert!(!check(&line(&format!("{a} {b} {c}"))), "{a} {b} {c}");
                    assert!(!check(&line(&format!("{c} {a} {b}"))), "{c} {a} {b}");
                }
            }
        }
        assert!(check(&line("")));
        assert!(check(&line("-dkcfvz9s1 file")));
        assert!(!check(&[line("").as_slice(), &[OsString::new()]].concat()));
        assert!(!check(&line("--threads +3")));
        assert!(!check(&line("--threads 1025")));
        assert!(!check(&line("--threads=3")));
    }

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
