//! A folder of its own for each test, and the program run in it.

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A fresh folder; gone with the test.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// A place with a small corpus in `in` and its compressed form in `c.zgram`.
    pub(crate) fn with_corpus() -> Self {
        let place = Self::new();
        place.write("in/apple.txt", "the quick brown fox jumps over the lazy dog\n".repeat(50));
        place.write("in/banana.txt", "a rose is a rose is a rose\r\n".repeat(20));
        place.write("in/fruits/cherry.txt", "cherry pie, cherry cake, cherry\n");
        place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
        place
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The program, to be run in this place.
    pub(crate) fn zgram<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("zgram"));
        command.current_dir(self.folder.path()).args(arguments).env_remove("RAYON_NUM_THREADS");
        command
    }

    /// Names of all files below a folder, hidden ones included, with their content.
    pub(crate) fn files(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.path(".")).unwrap().to_owned();
                    found.insert(name, fs::read(path).unwrap());
                }
            }
        }
        found
    }

    /// As [`files`](Self::files), with names relative to that folder.
    pub(crate) fn tree(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let relative = |path: &Path| path.strip_prefix(folder).unwrap().to_owned();
        self.files(folder).into_iter().map(|(path, content)| (relative(&path), content)).collect()
    }

    /// Names of what is directly in the place.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// A tar archive of members whose names are written as they are, however wicked.
pub(crate) fn tar_of(members: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_entry_type(tar::EntryType::Regular);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

/// The text of a command's standard error.
pub(crate) fn errors_of(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stderr).unwrap()
}
