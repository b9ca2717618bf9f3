//! Opens a folder or a list of files as one corpus, each file as it is now.

use crate::corpus::{Corpus, name_of_shards};
use crate::error::{FileError, OpenError};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of files that are shards.
const ENDING: &str = "zgram";

impl Corpus {
    /// Opens several files as one corpus, each [as it is now](Self::open), with its pending edits: their
    /// documents follow each other in the order of `paths`. See [`of_shards`](Self::of_shards).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let scratch = tempfile::tempdir()?;
    /// # let [monday, tuesday] = ["1.zgram", "2.zgram"].map(|name| scratch.path().join(name));
    /// # for (file, name, text) in [(&monday, "a", "one fine day"), (&tuesday, "b", "a fine night")] {
    /// #     let documents = [Ok::<_, zgram::Error>((name, text))];
    /// #     zgram::compress_documents(documents, file, &Default::default(), &zgram::progress::Silent)?;
    /// # }
    /// let week = zgram::Corpus::open_shards([monday, tuesday])?;
    /// let rows = week.word_count().top(1).rows()?;
    /// assert_eq!((rows[0].text().to_string().as_str(), rows[0].count), ("fine", 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open) for each file, and [`of_shards`](Self::of_shards) for all.
    pub fn open_shards<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
    ) -> Result<Self, OpenError> {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        open_all(&name_of_shards(&paths), &paths)
    }
}

/// Opens all `.zgram` files of a folder, by name.
pub(in crate::store) fn open_folder(folder: &Path) -> Result<Corpus, OpenError> {
    let paths = files_in(folder)?;
    let path = folder.to_owned();
    if paths.is_empty() {
        return Err(OpenError::NoShards { path });
    }
    if let Some(missing) = first_missing(&paths) {
        return Err(OpenError::Shards { path, what: format!("the shard {missing} is missing") });
    }
    open_all(folder, &paths)
}

fn open_all(name: &Path, paths: &[PathBuf]) -> Result<Corpus, OpenError> {
    let shards: Vec<Arc<Corpus>> =
        paths.iter().map(|path| Corpus::open(path).map(Arc::new)).collect::<Result<_, _>>()?;
    Corpus::of_shards(name, shards)
}

/// The shards of a folder, ordered by the bytes of their names. Folders and other files are ignored, and
/// so are names that begin with `.` or `_`, which tools use for files that are not data.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let failed = |error| FileError::on("read the folder", folder)(error);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let is_data = !name.starts_with(b".") && !name.starts_with(b"_");
        // A link that leads nowhere is opened, so that the error names it.
        if is_data && path.extension() == Some(OsStr::new(ENDING)) && !path.is_dir() {
            paths.push(path);
        }
    }
    paths.sort_by(|a, b| {
        let name = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
        name(a).cmp(&name(b))
    });
    Ok(paths)
}

/// A name such as `logs-2-of-8.zgram`.
struct Numbered<'a> {
    prefix: &'a str,
    number: &'a str,
    all: &'a str,
}

impl<'a> Numbered<'a> {
    fn of(path: &'a Path) -> Option<Self> {
        let is_number = |text: &str| {
            (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (before, all) = path.file_stem()?.to_str()?.rsplit_once("-of-")?;
        let (prefix, number) = before.rsplit_once('-')?;
        (is_number(number) && is_number(all)).then_some(Self { prefix, number, all })
    }
}

/// The name of the first shard that is missing, where names say how many there are. Shards are numbered
/// from 1, or from 0 if there is such a one.
fn first_missing(paths: &[PathBuf]) -> Option<String> {
    let numbered: Vec<Numbered<'_>> = paths.iter().filter_map(|path| Numbered::of(path)).collect();
    let sets = numbered.chunk_by(|a, b| (a.prefix, a.all) == (b.prefix, b.all));
    sets.into_iter().find_map(|set| {
        let value = |text: &str| text.parse::<u32>().unwrap_or(u32::MAX);
        let mut numbers: Vec<u32> = set.iter().map(|name| value(name.number)).collect();
        numbers.sort_unstable();
        let (first, all) = (numbers[0].min(1), value(set[0].all));
        let found = numbers.iter().copied().chain(std::iter::repeat(u32::MAX));
        let missing = (first..first + all).zip(found).find(|(wanted, found)| wanted != found)?;
        let width = set[0].number.len();
        Some(format!("{}-{:0width$}-of-{}.{ENDING}", set[0].prefix, missing.0, set[0].all))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_numbers_tell_what_is_missing() {
        let missing = |names: &[&str]| {
            let paths: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            first_missing(&paths)
        };
        assert_eq!(missing(&["a.zgram", "b-1.zgram", "x-of-3.zgram", "1-of-2.zgram"]), None);
        assert_eq!(missing(&["a-1-of-2.zgram", "a-2-of-2.zgram"]), None);
        assert_eq!(missing(&["a-1-of-2.zgram"]).unwrap(), "a-2-of-2.zgram");
        assert_eq!(missing(&["a-02-of-02.zgram"]).unwrap(), "a-01-of-02.zgram");
        assert_eq!(missing(&["a-00-of-02.zgram"]).unwrap(), "a-01-of-02.zgram");
        assert_eq!(missing(&["a-0-of-2.zgram", "a-1-of-2.zgram"]), None);
        assert_eq!(missing(&["a-1-of-1.zgram", "b-3-of-3.zgram"]).unwrap(), "b-1-of-3.zgram");
        assert_eq!(missing(&["a-1-of-999999999.zgram"]).unwrap(), "a-2-of-999999999.zgram");
        assert_eq!(missing(&["a-1-of-0.zgram"]), None);
    }
}
