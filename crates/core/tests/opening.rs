//! Ways to open a corpus: from a path with and without its edits, from bytes, from any storage.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use zgram::access::{Access, Phrase};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::input::{ReadOptions, Sources};
use zgram::progress::Silent;
use zgram::storage::{DiskFile, Storage};
use zgram::store::{Edit, Store};
use zgram::{CompressOptions, Corpus, DecompressOptions, compress, decompress};
use zgram_testkit::model::{Model, some_edit, some_text};
use zgram_testkit::{Document, Feed, Random, compress as compress_documents, options};

fn corpus_of(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
    let texts = folder.join("texts");
    std::fs::create_dir(&texts).unwrap();
    for (name, text) in files {
        std::fs::write(texts.join(name), text).unwrap();
    }
    let path = folder.join("corpus.zgram");
    let mut options = ReadOptions::default();
    if files[0].0.ends_with("jsonl") {
        options.jsonl_field = Some("text".to_owned());
    }
    compress(&Sources::new([texts]).options(options), &path, &CompressOptions::default(), &Silent)
        .unwrap();
    path
}

fn text(corpus: &Corpus, document: usize) -> String {
    let mut text = Vec::new();
    corpus.write_document(document, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn open_shows_pending_edits_and_the_bare_file_does_not() {
    let scratch = tempfile::tempdir().unwrap();
    let path = corpus_of(scratch.path(), &[("a", "one fine day"), ("b", "one night")]);
    let store = Store::open_for_editing(&path).unwrap();
    let edits = [
        Edit::Append { document: 0, bytes: b" and one more".to_vec() },
        Edit::Add { name: b"c".to_vec(), bytes: b"a third".to_vec() },
        Edit::Remove { document: 1 },
    ];
    store.edit(&edits).unwrap();

    let now = Corpus::open(&path).unwrap();
    assert_eq!(now.facts().documents, 2);
    assert_eq!(text(&now, 0), "one fine day and one more");
    assert_eq!(
        (text(&now, 1).as_str(), now.documents().unwrap().name(1)),
        ("a third", Some(&b"c"[..]))
    );
    let count = |corpus: &Corpus, word: &str| {
        let rows = corpus.word_count().rows().unwrap();
        rows.iter().find(|row| row.words == word.as_bytes()).map_or(0, |row| row.count)
    };
    assert_eq!((count(&now, "one"), count(&now, "night"), count(&now, "third")), (2, 0, 1));

    let before = Corpus::open_without_edits(&path).unwrap();
    assert_eq!(before.facts().documents, 2);
    assert_eq!(
        (text(&before, 0).as_str(), text(&before, 1).as_str()),
        ("one fine day", "one night")
    );
    assert_eq!(count(&before, "third"), 0);

    // Later edits are seen by who opens it later.
    store.edit(&[Edit::Append { document: 0, bytes: b"!".to_vec() }]).unwrap();
    assert_eq!(text(&now, 0), "one fine day and one more");
    assert_eq!(text(&Corpus::open(&path).unwrap(), 0), "one fine day and one more!");
    store.compact(&Silent).unwrap();
    assert_eq!(text(&Corpus::open_without_edits(&path).unwrap(), 0), "one fine day and one more!");
}

#[test]
fn an_edited_corpus_decompresses_as_it_is_now() {
    for json in [false, true] {
        let scratch = tempfile::tempdir().unwrap();
        let path = if json {
            let lines = "{\"text\": \"one fine day\"}\n{\"text\": \"one \\u006eight\"}\n";
            corpus_of(scratch.path(), &[("a.jsonl", lines)])
        } else {
            corpus_of(scratch.path(), &[("a", "one fine day"), ("b", "one night")])
        };
        let store = Store::open_for_editing(&path).unwrap();
        let edits =
            [0, 1].map(|document| Edit::Insert { document, offset: 4, bytes: b"very \"".to_vec() });
        store.edit(&edits).unwrap();
        let unpack = |corpus: &Corpus, name: &str| {
            let folder = scratch.path().join(name);
            decompress(corpus, &[], &folder, &DecompressOptions::default(), &Silent).unwrap();
            let files = if json { vec!["a.jsonl"] } else { vec!["a", "b"] };
            files
                .into_iter()
                .map(|name| std::fs::read_to_string(folder.join(name)).unwrap())
                .collect()
        };
        let pending: Vec<String> = unpack(&Corpus::open(&path).unwrap(), "pending");
        store.compact(&Silent).unwrap();
        let compacted: Vec<String> = unpack(&Corpus::open(&path).unwrap(), "compacted");
        assert_eq!(pending, compacted);
        let found = pending.concat();
        assert!(found.contains("fine day") && found.matches("very").count() == 2, "{found}");
    }
}

/// Random access to a corpus with pending edits answers as the store does, also where documents span
/// segments and edits bring new words.
#[test]
fn random_access_sees_pending_edits() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let texts =
            (0..4).map(|number| Document::new(format!("{number}"), some_text(&mut random, 60)));
        let documents: Vec<Document> = texts.collect();
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("corpus.zgram");
        let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = 100;
        std::fs::write(&path, compress_documents(&documents, Feed::Tar, &options).unwrap())
            .unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        let (mut model, mut names) = (Model::of(&documents), 0);
        for _ in 0..8 {
            let edit = some_edit(&mut random, &model, &mut names);
            model.apply(&edit);
            store.edit(&[edit]).unwrap();
        }
        let append =
            Edit::Append { document: model.live()[0], bytes: b" unheard-of the cat".to_vec() };
        model.apply(&append);
        store.edit(&[append]).unwrap();
        let access = Access::new(Arc::new(Corpus::open(&path).unwrap()));
        for _ in 0..2 {
            for (at, number) in model.live().into_iter().enumerate() {
                let size = store.size(number).unwrap();
                assert_eq!(access.size(at).unwrap(), size);
                let (offset, len) = (random.below(size as usize + 1) as u64, random.below(40));
                assert_eq!(
                    access.extract(at, offset, len).unwrap(),
                    store.extract(number, offset, len).unwrap()
                );
                assert_eq!(access.lines(at, 1, 3).unwrap(), store.lines(number, 1, 3).unwrap());
                for query in ["a", "the", "the cat", "b a b", "heard", "unheard", "unheard of the"]
                {
                    let phrase = Phrase::new(query).unwrap();
                    let found = store.search(number, &phrase).unwrap();
                    assert_eq!(access.count(at, &phrase).unwrap(), found.len() as u64, "{query}");
                    assert_eq!(access.search(at, &phrase).unwrap(), found, "{query}");
                    assert_eq!(
                        access.count_all(&phrase).unwrap(),
                        store.count_all(&phrase).unwrap()
                    );
                }
            }
            // The same with all indexes built.
            access.prepare().unwrap();
        }
    }
}

#[test]
fn an_incomplete_edit_is_dropped_with_a_notice() {
    let scratch = tempfile::tempdir().unwrap();
    let path = corpus_of(scratch.path(), &[("a", "one fine day")]);
    let append = |text: &str| Edit::Append { document: 0, bytes: text.into() };
    Store::open_for_editing(&path).unwrap().edit(&[append(" or two")]).unwrap();
    assert!(Corpus::open(&path).unwrap().notices().is_empty());
    let journal = scratch.path().join("corpus.zgram.journal");
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes.extend_from_slice(b"ZGE1 and then the power failed");
    std::fs::write(&journal, bytes).unwrap();
    let corpus = Corpus::open(&path).unwrap();
    assert_eq!(text(&corpus, 0), "one fine day or two");
    assert!(corpus.notices()[0].contains("dropped 30 bytes"), "{:?}", corpus.notices());
    assert!(Corpus::open_without_edits(&path).unwrap().notices().is_empty());
}

#[test]
fn bytes_and_storages_open_as_paths_do() {
    let scratch = tempfile::tempdir().unwrap();
    let path = corpus_of(scratch.path(), &[("a", "one fine day")]);
    let bytes = std::fs::read(&path).unwrap();
    let shared: Arc<[u8]> = bytes.clone().into();
    let stored: &'static [u8] = bytes.clone().leak();
    let boxed: Box<dyn Storage> = Box::new(DiskFile::open(&path).unwrap());
    for corpus in [
        Corpus::from_bytes(bytes),
        Corpus::from_bytes(shared),
        Corpus::from_bytes(stored),
        Corpus::from_storage("a disk", DiskFile::open(&path).unwrap()),
        Corpus::from_storage("a box", boxed),
    ] {
        assert_eq!(text(&corpus.unwrap(), 0), "one fine day");
    }
    let error = Corpus::from_bytes(b"no corpus").err().unwrap();
    assert!(error.to_string().contains("memory"), "{error}");
    let error = Corpus::open(scratch.path().join("missing")).err().unwrap();
    assert!(error.to_string().starts_with("cannot open"), "{error}");
}
