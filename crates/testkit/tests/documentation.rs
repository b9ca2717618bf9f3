//! Keeps the documentation true: its tables name the files that exist, its links lead somewhere, its
//! pages stay short.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Words of `ARCHITECTURE.md`, and lines of `README.md`, at most: a newcomer reads them whole.
const ARCHITECTURE_WORDS: usize = 2500;
const README_LINES: usize = 120;
/// Lines of a source file, at most: one file has one purpose.
const FILE_LINES: usize = 500;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(page: &str) -> String {
    fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// All files below `folder` that git would keep, by their ending.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "target" || name == "corpus" {
            continue;
        }
        if path.is_dir() {
            files(&path, ending, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

#[test]
fn pages_stay_short() {
    let page = read("ARCHITECTURE.md");
    let is_word = |token: &&str| token.contains(char::is_alphanumeric);
    let words = page.split_whitespace().filter(is_word).count();
    assert!(words <= ARCHITECTURE_WORDS, "ARCHITECTURE.md has {words} words");
    let lines = read("README.md").lines().count();
    assert!(lines <= README_LINES, "README.md has {lines} lines");
}

#[test]
fn source_files_stay_short() {
    let mut sources = Vec::new();
    files(&workspace().join("crates"), ".rs", &mut sources);
    assert!(sources.len() > 400, "only {} files", sources.len());
    for path in sources {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= FILE_LINES, "{} has {lines} lines", path.display());
    }
}

/// The files and folders that a table below the heading of `folder` in ARCHITECTURE.md must name.
fn children(folder: &Path) -> BTreeSet<String> {
    let is_listed = |name: &str| {
        let is_root = ["mod.rs", "lib.rs", "main.rs", "tests.rs", "tests", "bin"].contains(&name);
        !is_root && (name.ends_with(".rs") || !name.contains('.'))
    };
    let mut names = BTreeSet::new();
    for entry in
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    {
        let entry = entry.unwrap();
        let mut name = entry.file_name().to_string_lossy().into_owned();
        if is_listed(&name) {
            if entry.path().is_dir() {
                name.push('/');
            }
            names.insert(name);
        }
    }
    names
}

#[test]
fn architecture_names_the_files_that_exist() {
    let page = read("ARCHITECTURE.md");
    let mut tables = 0;
    for section in page.split("\n### `").skip(1) {
        let folder = section.split('`').next().unwrap();
        if !folder.ends_with('/') {
            continue;
        }
        // A row may name several files that belong together.
        let named: BTreeSet<String> = section
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.split(" |").next())
            .flat_map(|cell| cell.split(", ").map(|name| name.trim_matches('`').to_owned()))
            .collect();
        let here = children(&workspace().join(folder));
        let missing: Vec<_> = here.difference(&named).collect();
        let gone: Vec<_> = named.difference(&here).collect();
        assert!(
            missing.is_empty() && gone.is_empty(),
            "ARCHITECTURE.md, {folder}: missing {missing:?}, no longer there {gone:?}"
        );
        tables += 1;
    }
    assert!(tables >= 10, "only {tables} tables were found");
}

#[test]
fn links_lead_to_files() {
    let mut pages = Vec::new();
    files(&workspace(), ".md", &mut pages);
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            if path.is_empty() || path.contains("://") || path.contains(char::is_whitespace) {
                continue;
            }
            let target = page.parent().unwrap().join(path);
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}
