//! What a build without default features does, and how much it depends on.
//!
//! `cargo test -p zgram --no-default-features --test slim` runs the tests of the missing parts;
//! `./test` does both.

use std::collections::BTreeSet;
use std::process::Command;

/// The most packages, this one included, that a slim build may need.
const MOST_PACKAGES: usize = 45;

/// The packages of `cargo tree` with these arguments.
fn packages(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "-p", "zgram", "--prefix", "none"])
        .args(["-e", "normal,build", "--target", "x86_64-unknown-linux-gnu"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn a_slim_build_has_few_packages() {
    let slim = packages(&["--no-default-features"]);
    assert!(slim.len() <= MOST_PACKAGES, "{} packages: {slim:#?}", slim.len());
    let full = packages(&[]);
    assert!(slim.is_subset(&full) && full.len() > 2 * slim.len(), "{} packages", full.len());
}

/// Asking for what is not there is an error that names the feature; never another answer.
#[cfg(not(any(
    feature = "archives",
    feature = "bwt",
    feature = "bzip2",
    feature = "collation",
    feature = "gitignore",
    feature = "gzip",
    feature = "phrases",
    feature = "stemmers",
    feature = "stop-words",
    feature = "unicode",
    feature = "xz"
)))]
mod missing {
    use std::path::Path;
    use zgram::analytics::{Collation, Language, NormalForm, SortBy};
    use zgram::error::{CompressError, OpenError, QueryError};
    use zgram::format::Layer;
    use zgram::input::{InputError, ReadOptions, Sources};
    use zgram::progress::Silent;
    use zgram::{CompressOptions, Corpus, Error, compress};

    #[track_caller]
    fn assert_missing<T>(outcome: Result<T, impl Into<Error>>, wanted: &str) {
        let error: Error = outcome.err().expect("the feature is off").into();
        let feature = match &error {
            Error::Open(OpenError::MissingFeature(missing))
            | Error::Query(QueryError::MissingFeature(missing))
            | Error::Compress(CompressError::MissingFeature(missing)) => missing.feature,
            Error::Compress(CompressError::Input(InputError::MissingFeature {
                source, ..
            })) => source.feature,
            other => panic!("{other}"),
        };
        assert_eq!(feature, wanted);
        assert!(error.to_string().contains(wanted), "{error}");
    }

    fn compressed(path: &Path, read: ReadOptions, layer: Layer) -> Result<Corpus, Error> {
        let file = path.with_extension("zgram");
        let sources = Sources::new([path.to_owned()]).options(read);
        let mut options = CompressOptions::default();
        options.layer = layer;
        compress(&sources, &file, &options, &Silent)?;
        Ok(Corpus::open(file)?)
    }

    #[test]
    fn questions() {
        let scratch = tempfile::tempdir().unwrap();
        let text = scratch.path().join("text");
        std::fs::write(&text, "One Straße, one fine day").unwrap();
        let corpus = compressed(&text, ReadOptions::default(), Layer::Zstd).unwrap();
        let count = || corpus.word_count();
        assert_eq!(count().lower().rows().unwrap()[0].words, b"one");
        let english: Language = "english".parse().unwrap();
        assert_missing(count().fold().rows(), "unicode");
        assert_missing(count().normalize(NormalForm::Nfc).rows(), "unicode");
        assert_missing(count().no_digits().rows(), "unicode");
        assert_missing(count().sklearn().rows(), "unicode");
        assert_missing(count().stem(english).rows(), "stemmers");
        assert_missing(english.stop_words(), "stop-words");
        assert_missing(count().stop_words(english).rows(), "stop-words");
        let sort = corpus.sort().by(SortBy::Word).collation(Collation::Unicode);
        assert_missing(sort.rows(), "collation");
    }

    #[test]
    fn inputs_and_layers() {
        let scratch = tempfile::tempdir().unwrap();
        let read = |name: &str, head: &[u8], options: ReadOptions, layer| {
            let path = scratch.path().join(name);
            std::fs::write(&path, head).unwrap();
            compressed(&path, options, layer)
        };
        let usual = ReadOptions::default;
        assert_missing(read("a", &[0x1f, 0x8b, 8, 0], usual(), Layer::Zstd), "gzip");
        assert_missing(read("b", b"BZh91AY&SY\0\0", usual(), Layer::Zstd), "bzip2");
        assert_missing(read("c", b"\xFD7zXZ\0\0\0", usual(), Layer::Zstd), "xz");
        assert_missing(read("d.tar", &[0; 1024], usual(), Layer::Zstd), "archives");
        assert_missing(read("e", b"text", usual(), Layer::Gzip), "gzip");
        assert_missing(read("f", b"text", usual(), Layer::Bwt), "bwt");
        let gitignore = ReadOptions { gitignore: true, ..usual() };
        assert_missing(compressed(scratch.path(), gitignore, Layer::Zstd), "gitignore");
        let corpus = read("g", b"text", usual(), Layer::Zstd).unwrap();
        let mut options = CompressOptions::default();
        options.phrases = true;
        let sources = Sources::new([scratch.path().join("g")]);
        let indexed = compress(&sources, scratch.path().join("h.zgram"), &options, &Silent);
        assert_missing(indexed, "phrases");
        // Questions that need no index are answered without.
        let store = zgram::store::Store::from_corpus(corpus);
        assert_eq!(store.count_all(&zgram::access::Phrase::new("text").unwrap()).unwrap(), 1);
    }
}
