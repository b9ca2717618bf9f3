//! Nothing written for people is missing.

use crate::support::Place;
use predicates::prelude::*;

/// The commands, as the help lists them.
fn commands(place: &Place) -> Vec<String> {
    let help = place.zgram(["--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    help.lines()
        .skip_while(|line| *line != "Pack:")
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_a_short_help_and_a_long_one_with_examples() {
    let place = Place::new();
    let commands = commands(&place);
    for verb in
        ["compress", "decompress", "cat", "ls", "info", "verify", "bzip2", "generate", "word-count"]
    {
        assert!(commands.iter().any(|command| command == verb), "{verb} of {commands:?}");
    }
    for command in &commands {
        let example = predicate::str::contains(format!("zgram {command} "));
        place
            .zgram([command.as_str(), "--help"])
            .assert()
            .success()
            .stdout(predicate::str::contains("EXAMPLES:").and(example));
        place
            .zgram([command.as_str(), "-h"])
            .assert()
            .success()
            .stdout(predicate::str::contains("EXAMPLES:").not());
    }
    place.zgram(["--help"]).assert().stdout(
        predicate::str::contains("EXAMPLES:")
            .and(predicate::str::contains("Exit codes"))
            .and(predicate::str::contains("NO_COLOR")),
    );
    place.zgram(["--version"]).assert().stdout(predicate::str::starts_with("zgram "));
}

#[test]
fn the_list_of_commands_says_what_each_is_for() {
    let place = Place::new();
    for ask in [&["--help"][..], &["-h"], &["help"], &[]] {
        let output = place.zgram(ask.iter().copied()).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        for command in commands(&place) {
            let line = said.lines().find_map(|line| line.strip_prefix(&format!("  {command} ")));
            let words = line.map_or(0, |line| line.split_whitespace().count());
            assert!(words >= 2, "{ask:?} says {line:?} of {command}");
        }
    }
}

/// What a task counts comes first in its help, and how it runs comes last.
#[test]
fn options_of_a_task_are_under_the_right_heading() {
    let place = Place::new();
    let running =
        ["threads", "engine", "adapter", "gpu-memory", "traversal", "tree", "memory", "keep-going"];
    for task in [
        "word-count",
        "sort",
        "inverted-index",
        "term-vector",
        "sequence-count",
        "ranked-inverted-index",
    ] {
        let help = place.zgram(["help", task]).output().unwrap().stdout;
        let help = String::from_utf8(help).unwrap();
        let (_, last) = help.split_once("\nRunning:\n").expect("a heading");
        let (last, _) = last.split_once("\nEXAMPLES:\n").expect("examples");
        let options = last.lines().filter(|line| line.trim_start().starts_with('-'));
        let names = options.filter_map(|line| line.split_once("--")?.1.split(' ').next());
        assert_eq!(names.collect::<Vec<_>>(), running, "{task}");
    }
}

#[test]
fn completions_know_all_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = place.zgram(["generate", "completions", shell]).output().unwrap().stdout;
        let script = String::from_utf8(script).unwrap();
        for command in commands(&place) {
            assert!(script.contains(&command), "{command} for {shell}");
        }
        assert!(script.contains("segment-size"), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let place = Place::new();
    place
        .zgram(["generate", "man"])
        .assert()
        .success()
        .stdout(predicate::str::contains(".TH zgram 1").and(predicate::str::contains("EXAMPLES")));
    place.zgram(["generate", "man", "--output", "man1"]).assert().success();
    assert!(place.path("man1/zgram.1").is_file());
    for command in commands(&place) {
        let page = place.read(format!("man1/zgram-{command}.1"));
        assert!(String::from_utf8(page).unwrap().contains("EXAMPLES"), "{command}");
    }
}
