//! Runs every transcript of the documentation and compares what it prints.
//!
//! A transcript is a fenced block marked `console`. A line that begins with `$ ` is a command for the
//! shell, and `> ` continues it. The lines up to the next command are what it prints on standard
//! output and standard error. `? 1` right after a command says that it ends with exit code 1. `[..]`
//! matches anything within a line and `...` any lines, for times and speeds.
//!
//! All blocks of a page run in one folder, in order, with `samples/` beside them.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test -p zgram-cli --test cli transcripts` rewrites outputs that differ.

use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A page and its folder.
struct Page {
    path: PathBuf,
    text: String,
    folder: tempfile::TempDir,
}

/// A command of a transcript, and the lines of the page that hold what it should print.
struct Step {
    command: String,
    output: std::ops::Range<usize>,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

impl Page {
    fn open(path: PathBuf) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(workspace().join("samples"), folder.path().join("samples"))
            .unwrap();
        Self { text: fs::read_to_string(&path).unwrap(), path, folder }
    }

    fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut inside = false;
        for (number, line) in self.text.lines().enumerate() {
            match line {
                "```console" => inside = true,
                "```" => inside = false,
                _ if !inside => {}
                _ => {
                    if let Some(command) = line.strip_prefix("$ ") {
                        let output = number + 1..number + 1;
                        steps.push(Step { command: command.to_owned(), output });
                        continue;
                    }
                    let step = steps.last_mut().expect("a transcript begins with a command");
                    // An empty line of a command has no space to keep.
                    let more = if line == ">" { Some("") } else { line.strip_prefix("> ") };
                    match more {
                        Some(more) if step.output.is_empty() => {
                            step.command.push('\n');
                            step.command.push_str(more);
                            step.output = number + 1..number + 1;
                        }
                        _ => step.output.end = number + 1,
                    }
                }
            }
        }
        steps
    }

    /// What a command prints, with its exit code in the first line if it is not 0.
    fn run(&self, command: &str) -> String {
        let program = assert_cmd::cargo::cargo_bin("zgram");
        let folders = format!("{}:{}", program.parent().unwrap().display(), env!("PATH"));
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.folder.path())
            .env("PATH", folders)
            .env("LC_ALL", "C.UTF-8")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("bash runs");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        match output.status.code() {
            Some(0) => printed,
            code => format!("? {}\n{printed}", code.expect("no signal ended it")),
        }
    }

    /// Runs all steps; returns the page as it should be.
    fn check(&self) -> String {
        let update = std::env::var_os("UPDATE_TRANSCRIPTS").is_some();
        let lines: Vec<&str> = self.text.lines().collect();
        let (mut fresh, mut copied) = (String::new(), 0);
        for step in self.steps() {
            let expected: String =
                lines[step.output.clone()].iter().flat_map(|line| [line, "\n"]).collect();
            // A blank line before the next command is layout.
            let printed = self.run(&step.command);
            let matches = Assert::new().action_env("NO_SUCH_VARIABLE").try_eq(
                Some(&step.command),
                Data::from(printed.trim_end()).coerce_to(DataFormat::Text),
                Data::from(expected.trim_end()).coerce_to(DataFormat::Text),
            );
            for line in &lines[copied..step.output.start] {
                fresh.push_str(line);
                fresh.push('\n');
            }
            copied = step.output.end;
            match matches {
                Ok(()) => fresh.push_str(&expected),
                Err(_) if update => {
                    fresh.push_str(printed.trim_end());
                    fresh.push('\n');
                    if expected.ends_with("\n\n") {
                        fresh.push('\n');
                    }
                }
                Err(difference) => panic!(
                    "{}, line {}: {} prints something else; see this file's header to renew it\n{difference}",
                    self.path.display(),
                    step.output.start,
                    step.command
                ),
            }
        }
        for line in &lines[copied..] {
            fresh.push_str(line);
            fresh.push('\n');
        }
        fresh
    }
}

fn pages() -> Vec<PathBuf> {
    let mut pages = vec![workspace().join("README.md")];
    for entry in fs::read_dir(workspace().join("docs")).unwrap() {
        pages.push(entry.unwrap().path());
    }
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

#[test]
fn every_transcript_of_the_documentation_is_what_the_program_prints() {
    let mut steps = 0;
    for path in pages() {
        let page = Page::open(path);
        steps += page.steps().len();
        let fresh = page.check();
        if fresh != page.text {
            fs::write(&page.path, fresh).unwrap();
        }
    }
    assert!(steps >= 20, "only {steps} commands were found: are blocks marked `console`?");
}

#[test]
fn documents_show_commands_only_in_blocks_that_run() {
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let mut language = None;
        for (number, line) in text.lines().enumerate() {
            match (line.strip_prefix("```"), language) {
                (Some(_), Some(_)) => language = None,
                (Some(name), None) => language = Some(name),
                (None, Some(name)) if name != "console" => assert!(
                    !line.starts_with("$ "),
                    "{}, line {}: a transcript in a block that is not marked `console`",
                    path.display(),
                    number + 1
                ),
                _ => {}
            }
        }
    }
}
