//! The list of commands in `zgram --help`, in groups.

use clap::Command;
use std::fmt::Write;

/// Every command, in the order of the list.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Pack", &["compress", "decompress", "merge", "split", "bzip2"]),
    ("Read", &["ls", "cat", "extract", "info"]),
    ("Search", &["search", "count", "next", "trace", "rank"]),
    (
        "Count",
        &[
            "word-count",
            "sort",
            "term-vector",
            "inverted-index",
            "sequence-count",
            "ranked-inverted-index",
        ],
    ),
    (
        "Model",
        &[
            "matrix",
            "tf-idf",
            "keyness",
            "cooccurrence",
            "collocates",
            "word2vec",
            "nearest",
            "lda",
        ],
    ),
    ("Edit", &["insert", "append", "replace", "delete", "add", "rm", "rename", "batch"]),
    ("Maintain", &["verify", "compact", "index", "tune", "gpu", "generate", "help"]),
];

/// The command with a help page that lists its subcommands in groups, which clap cannot do. All
/// subcommands must have been built.
pub(super) fn with_groups(command: Command) -> Command {
    let list = list(&command);
    let heading = command.get_styles().get_header();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\
         {heading}Options:{heading:#}\n{{options}}{{after-help}}"
    );
    command.help_template(template)
}

fn list(command: &Command) -> String {
    let styles = command.get_styles();
    let (heading, literal) = (styles.get_header(), styles.get_literal());
    let width = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max();
    let width = width.unwrap_or_default();
    let mut list = String::new();
    for (group, names) in GROUPS {
        writeln!(list, "{heading}{group}:{heading:#}").expect("memory takes what is written");
        for name in names {
            let about = match (*name, command.find_subcommand(name).and_then(Command::get_about)) {
                // Clap's own text is too long for a line.
                ("help", _) => "Print this message or the help of a command".to_owned(),
                (_, about) => about.map(ToString::to_string).unwrap_or_default(),
            };
            writeln!(list, "  {literal}{name:<width$}{literal:#}  {about}")
                .expect("memory takes what is written");
        }
        list.push('\n');
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    #[test]
    fn every_command_is_in_one_group_and_on_one_line() {
        let mut command = Cli::command();
        command.build();
        let listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let all: BTreeSet<&str> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), all);
        assert_eq!(listed.len(), all.len());
        for line in anstream::adapter::strip_str(&list(&command)).to_string().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
