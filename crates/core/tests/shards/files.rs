//! Folders and lists of files: which are opened, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zgram::Corpus;
use zgram::error::{DecompressError, EditError, OpenError};
use zgram::format::{ContainerError, GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::{Edit, Store};
use zgram_testkit::{Document, Forged, file, lines_corpus};

/// A folder with a space and a letter beyond ASCII in its name.
struct Folder {
    scratch: TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { scratch: TempDir::new().unwrap() };
        fs::create_dir(folder.path()).unwrap();
        folder
    }

    fn path(&self) -> PathBuf {
        self.scratch.path().join("mes corpus d'été")
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn put_corpus(&self, name: &str, documents: &[(&str, &str)]) -> PathBuf {
        self.put(name, corpus_of(documents))
    }

    fn refusal(&self) -> OpenError {
        Corpus::open(self.path()).err().expect("it is refused")
    }
}

fn corpus_of(documents: &[(&str, &str)]) -> Vec<u8> {
    let documents: Vec<Document> =
        documents.iter().map(|(name, text)| Document::new(*name, *text)).collect();
    file(&documents, GrammarKind::RePair, u64::MAX / 4)
}

fn names(corpus: &Corpus) -> Vec<String> {
    let names = corpus.documents().unwrap().iter();
    names.map(|(name, _)| String::from_utf8(name.to_vec()).unwrap()).collect()
}

fn mentions(error: &OpenError, path: &Path) {
    let (text, path) = (error.to_string(), path.display().to_string());
    assert!(text.contains(&path), "{text:?} does not name {path:?}");
}

#[test]
fn a_folder_is_read_in_the_order_of_names() {
    let folder = Folder::new();
    folder.put_corpus("b.zgram", &[("one", "a b")]);
    folder.put_corpus("ä.zgram", &[("three", "c")]);
    folder.put_corpus("B.zgram", &[("zero", "a a")]);
    folder.put_corpus("b c.zgram", &[("two", "b")]);
    for other in ["notes.txt", "_temporary.zgram", ".hidden.zgram", "x.zgram.lock", "_SUCCESS"] {
        folder.put(other, "no corpus");
    }
    fs::create_dir(folder.path().join("more.zgram")).unwrap();
    let corpus = Corpus::open(folder.path()).unwrap();
    // A space sorts before a point.
    assert_eq!(names(&corpus), ["zero", "two", "one", "three"]);
    assert_eq!(corpus.path(), folder.path());
    let (shard, number) = corpus.shard_of(2).unwrap();
    assert_eq!((shard.path(), number), (&*folder.path().join("b.zgram"), 0));
    assert!(corpus.shard_of(4).is_none());
    let sum: u64 = corpus.shards().iter().map(|shard| shard.compressed_bytes()).sum();
    assert_eq!(corpus.compressed_bytes(), sum);
    let listed = Corpus::open_shards(["ä.zgram", "b.zgram"].map(|name| folder.path().join(name)));
    let listed = listed.unwrap();
    assert_eq!(names(&listed), ["three", "one"]);
    assert!(listed.path().to_str().unwrap().ends_with("ä.zgram and 1 more"));
}

#[test]
fn folders_without_shards_and_lists_without_files_are_refused() {
    let folder = Folder::new();
    folder.put("notes.txt", "");
    let refused = folder.refusal();
    assert!(matches!(refused, OpenError::NoShards { .. }), "{refused:?}");
    mentions(&refused, &folder.path());
    let refused = Corpus::open_shards(Vec::<PathBuf>::new()).err().unwrap();
    assert!(matches!(refused, OpenError::Shards { .. }), "{refused:?}");
}

#[test]
fn what_is_wrong_with_a_shard_is_said_with_its_name() {
    let sound = corpus_of(&[("a", "one fine day")]);
    let mut newer = sound.clone();
    newer[8] = 99;
    let mut damaged = sound.clone();
    let at = damaged.len() / 3;
    damaged[at] ^= 1;
    for (bytes, is_found_at_once) in [
        (newer, true),
        (sound[..sound.len() - 9].to_vec(), true),
        (sound[..5].to_vec(), true),
        (b"text".to_vec(), true),
        (damaged, false),
    ] {
        let folder = Folder::new();
        folder.put("1.zgram", &sound);
        let path = folder.put("2.zgram", bytes);
        folder.put("3.zgram", &sound);
        let found = match Corpus::open(folder.path()) {
            Err(error) => error,
            Ok(corpus) => {
                assert!(!is_found_at_once);
                corpus.verify(&Silent).unwrap_err()
            }
        };
        assert!(matches!(found, OpenError::Container { .. }), "{found:?}");
        mentions(&found, &path);
    }
}

#[test]
fn a_damaged_segment_is_named_with_its_shard() {
    let folder = Folder::new();
    folder.put_corpus("1.zgram", &[("a", "one fine day")]);
    let sound = Forged::parse(&corpus_of(&[("b", "one fine night")])).unwrap();
    let segment = sound.position(b"SEGM");
    let path = folder.put("2.zgram", sound.with_section(segment, vec![255; 9]));
    let corpus = Corpus::open(folder.path()).unwrap();
    let error = corpus.segment(1).unwrap_err();
    mentions(&error, &path);
    let OpenError::Container { source, .. } = error else { panic!("{error:?}") };
    let ContainerError::Malformed { section, .. } = source else { panic!("{source:?}") };
    assert_eq!(section, "segment 0");
    assert!(corpus.segment(0).is_ok());
    mentions(&corpus.verify(&Silent).unwrap_err(), &path);
}

#[test]
fn missing_shards_are_named() {
    let folder = Folder::new();
    folder.put_corpus("logs-1-of-3.zgram", &[("a", "a")]);
    folder.put_corpus("logs-3-of-3.zgram", &[("c", "c")]);
    let refused = folder.refusal().to_string();
    assert!(refused.contains("logs-2-of-3.zgram is missing"), "{refused}");
    folder.put_corpus("logs-2-of-3.zgram", &[("b", "b")]);
    assert_eq!(names(&Corpus::open(folder.path()).unwrap()), ["a", "b", "c"]);
    let gone = folder.path().join("gone.zgram");
    let refused = Corpus::open_shards([folder.path().join("logs-1-of-3.zgram"), gone.clone()]);
    mentions(&refused.err().unwrap(), &gone);
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_named() {
    let folder = Folder::new();
    folder.put_corpus("1.zgram", &[("a", "a")]);
    let link = folder.path().join("2.zgram");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    mentions(&folder.refusal(), &link);
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let folder = Folder::new();
    let lines = folder.put("lines.zgram", lines_corpus(Level::Default, Layer::Zstd));
    let plain = folder.put_corpus("plain.zgram", &[("a", "a")]);
    let refused = folder.refusal();
    assert!(matches!(refused, OpenError::Shards { .. }), "{refused:?}");
    mentions(&refused, &lines);
    mentions(&refused, &plain);
    // Without documents there is nothing that does not belong.
    folder.put_corpus("plain.zgram", &[]);
    assert_eq!(Corpus::open(folder.path()).unwrap().facts().documents, 6);

    let folder = Folder::new();
    folder.put_corpus("1.zgram", &[("a", "a")]);
    let sound = Forged::parse(&corpus_of(&[("b", "b")])).unwrap();
    let at = sound.position(b"FACT");
    let mut facts = sound.sections[at].bytes.clone();
    facts[0] = 2;
    let other = folder.put("2.zgram", sound.with_section(at, facts));
    mentions(&folder.refusal(), &other);
    assert!(folder.refusal().to_string().contains("tokeniser 2, not 1"));
}

#[test]
fn documents_of_one_name_stay_two() {
    let folder = Folder::new();
    folder.put_corpus("1.zgram", &[("a", "one"), ("b", "x")]);
    folder.put_corpus("2.zgram", &[("a", "two"), ("c", "x")]);
    let corpus = Corpus::open(folder.path()).unwrap();
    assert_eq!(names(&corpus), ["a", "b", "a", "c"]);
    assert_eq!(corpus.documents_matching("a").unwrap(), [0, 2]);
    let rows = corpus.term_vector().documents([0, 2]).rows().unwrap();
    let rows: Vec<_> =
        rows.iter().map(|row| (row.document.unwrap(), row.text().to_string())).collect();
    assert_eq!(rows, [(0, "one".to_owned()), (2, "two".to_owned())]);
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.find(b"a").unwrap(), Some(0));
    assert_eq!(store.find_all(b"a").unwrap(), [0, 2]);
    assert_eq!(store.find_all(b"x").unwrap(), [0; 0]);
    // As files, they would be one.
    let out = folder.scratch.path().join("out");
    let refused = zgram::decompress(&corpus, &[], &out, &Default::default(), &Silent);
    assert!(matches!(refused, Err(DecompressError::UnusableName(_))), "{refused:?}");
    assert!(!out.exists());
}

#[test]
fn edits_of_a_shard_are_seen_and_a_folder_is_not_edited() {
    let folder = Folder::new();
    let first = folder.put_corpus("1.zgram", &[("a", "one fine day")]);
    folder.put_corpus("2.zgram", &[("b", "one fine night")]);
    let edit = |edit: Edit| Store::open_for_editing(&first).unwrap().edit(&[edit]).unwrap();
    edit(Edit::Append { document: 0, bytes: b" and night".to_vec() });
    edit(Edit::Add { name: b"new".to_vec(), bytes: b"night".to_vec() });
    let corpus = Corpus::open(folder.path()).unwrap();
    assert_eq!(names(&corpus), ["a", "new", "b"]);
    let rows = corpus.word_count().rows().unwrap();
    assert_eq!((rows[0].text().to_string(), rows[0].count), ("night".to_owned(), 3));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.extract(1, 0, 9).unwrap(), b"night");
    let refused = Store::open_for_editing(folder.path()).unwrap_err();
    assert!(matches!(refused, EditError::Shards { .. }), "{refused:?}");
    let refused = store.edit(&[Edit::Remove { document: 0 }]).unwrap_err();
    assert!(matches!(refused, EditError::OnlyReading { .. }), "{refused:?}");
}

#[test]
fn lines_of_shards_are_restored() {
    let folder = Folder::new();
    let lines = lines_corpus(Level::Default, Layer::Zstd);
    folder.put("1.zgram", &lines);
    let corpus = Corpus::open(folder.path()).unwrap();
    let out = folder.scratch.path().join("out");
    zgram::decompress(&corpus, &[], &out, &Default::default(), &Silent).unwrap();
    let restored = fs::read(out.join("lines.jsonl")).unwrap();
    let one = Corpus::from_bytes(lines).unwrap();
    let whole = folder.scratch.path().join("whole");
    zgram::decompress(&one, &[], &whole, &Default::default(), &Silent).unwrap();
    assert_eq!(restored, fs::read(whole.join("lines.jsonl")).unwrap());
}
