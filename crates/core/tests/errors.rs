//! Each operation fails with its own error type. Real failures, one per variant where that is possible
//! in a test; `slim.rs` has those of missing features.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use zgram::access::{Access, Phrase};
use zgram::analytics::{Case, Language, View};
use zgram::error::{
    AccessError, CompressError, DecompressError, EditError, FileError, NoDocument, OpenError,
    QueryError, TransactionError,
};
use zgram::format::{ContainerError, Layer, Level};
use zgram::input::{DocumentHead, InputError, Sources, Visitor};
use zgram::plumbing::{Accelerator, AcceleratorError, Counted, Job, SectionKind};
use zgram::progress::{Progress, Silent};
use zgram::store::{Edit, Operation, Store, Transaction};
use zgram::{CompressOptions, Corpus, DecompressOptions, Error, compress, decompress};
use zgram_testkit::{Document, Feed, lines_corpus};

/// A folder with texts and their corpus.
struct Place {
    folder: TempDir,
    texts: PathBuf,
    corpus: PathBuf,
}

impl Place {
    fn new() -> Self {
        Self::of(&[("a.txt", "one fine day"), ("b.txt", "one fine night\n")])
    }

    fn of(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let (texts, corpus) = (folder.path().join("texts"), folder.path().join("c.zgram"));
        fs::create_dir(&texts).unwrap();
        files.iter().for_each(|(name, text)| fs::write(texts.join(name), text).unwrap());
        let place = Self { folder, texts, corpus };
        place.compress(&CompressOptions::default(), &Silent).unwrap();
        place
    }

    fn compress(
        &self,
        options: &CompressOptions,
        progress: &dyn Progress,
    ) -> Result<(), CompressError> {
        compress(&Sources::new([&self.texts]), &self.corpus, options, progress).map(|_| ())
    }

    fn open(&self) -> Corpus {
        Corpus::open(&self.corpus).unwrap()
    }

    fn join(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Flips a bit of the only segment.
    fn damage(&self) {
        let corpus = Corpus::open_without_edits(&self.corpus).unwrap();
        let mut sections = corpus.sections().iter();
        let segment = sections.find(|section| section.kind == SectionKind::Segment).unwrap();
        let mut bytes = fs::read(&self.corpus).unwrap();
        bytes[(segment.offset + segment.len / 2) as usize] ^= 1;
        fs::write(&self.corpus, bytes).unwrap();
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// Work that is asked to stop at once.
struct Stopped;

impl Progress for Stopped {
    fn is_cancelled(&self) -> bool {
        true
    }
}

/// The text of a failure. It contains all reasons, and is the same as that of the umbrella.
#[track_caller]
fn text_of<E: Into<Error> + std::error::Error>(error: E) -> String {
    let text = error.to_string();
    let mut reason = error.source();
    while let Some(error) = reason {
        assert!(text.contains(&error.to_string()), "{text} lacks {error}");
        reason = error.source();
    }
    let umbrella: Error = error.into();
    assert_eq!(umbrella.to_string(), text);
    text
}

/// Checks that a call fails with a variant and a text.
macro_rules! assert_fails {
    ($call:expr, $variant:pat, $text:expr) => {{
        let error = $call.err().expect("it fails");
        assert!(matches!(error, $variant), "{error:?}");
        let (text, expected): (String, String) = (text_of(error), $text.into());
        assert!(text.contains(&expected), "{text:?} lacks {expected:?}");
    }};
}

#[test]
fn opening() {
    let place = Place::new();
    let missing = place.join("none.zgram");
    let text = format!("cannot open {}: ", shown(&missing));
    assert_fails!(Corpus::open(&missing), OpenError::File(FileError { action: "open", .. }), &text);
    assert_fails!(Store::open(&missing), OpenError::File(_), &text);
    assert_fails!(
        Corpus::from_bytes(*b"some text, and no corpus"),
        OpenError::Container { source: ContainerError::Foreign, .. },
        "corpus in memory: not a zgram file"
    );
    assert_fails!(place.open().verify(&Stopped), OpenError::Interrupted(_), "interrupted");
    assert!(place.open().verify(&Stopped).unwrap_err().is_interrupted());

    let journal = place.join("c.zgram.journal");
    let store = Store::open_for_editing(&place.corpus).unwrap();
    store.edit(&[Edit::Append { document: 0, bytes: b" more".to_vec() }]).unwrap();
    drop(store);
    let other = Place::of(&[("a.txt", "another text")]);
    fs::copy(&journal, other.join("c.zgram.journal")).unwrap();
    let text = format!("the journal {} cannot be used: ", shown(&other.join("c.zgram.journal")));
    assert_fails!(Corpus::open(&other.corpus), OpenError::Journal { .. }, &text);
    assert_fails!(Store::open(&other.corpus), OpenError::Journal { .. }, &text);
    // The corpus that it belongs to, damaged.
    place.damage();
    let text = format!("cannot apply the journal {}: ", shown(&journal));
    let snapshot = Store::open(&place.corpus).unwrap().snapshot();
    assert_fails!(snapshot, OpenError::Unapplied { .. }, &text);
    assert_fails!(
        Corpus::open_without_edits(&place.corpus).unwrap().segment(0),
        OpenError::Container { source: ContainerError::Checksum { .. }, .. },
        "is damaged: checksum"
    );
}

/// A disk without room.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn access() {
    let place = Place::new();
    let corpus = Arc::new(place.open());
    let access = Access::new(Arc::clone(&corpus));
    assert_fails!(access.size(7), AccessError::NoDocument(_), "no document number 7");
    assert_fails!(
        access.extract(0, 13, 1),
        AccessError::OutOfRange { offset: 13, size: 12, .. },
        "offset 13 is past the end of a.txt, which has 12 bytes"
    );
    assert_fails!(Phrase::new("..."), AccessError::EmptyPhrase, "there is no word to search for");
    assert_fails!(
        corpus.documents_matching("x*"),
        AccessError::NoDocument(NoDocument { .. }),
        "no document x*"
    );
    assert_fails!(
        corpus.documents_matching("[a"),
        AccessError::BadPattern(_),
        "\"[a\" is not a pattern for names: "
    );
    let text = format!("cannot write text of {}: ", shown(&place.corpus));
    assert_fails!(corpus.write_document(0, &mut Full), AccessError::File(_), &text);
    let store = Store::open(&place.corpus).unwrap();
    assert_fails!(store.write_document(0, &mut Full), AccessError::File(_), &text);
    assert_fails!(store.name(7), AccessError::NoDocument(_), "no document number 7");
    place.damage();
    let access = Access::new(Arc::new(place.open()));
    let damaged = "is damaged: checksum";
    assert_fails!(access.extract(0, 0, 1), AccessError::Open(OpenError::Container { .. }), damaged);
    let phrase = Phrase::new("fine day").unwrap();
    let store = Store::open(&place.corpus).unwrap();
    assert_fails!(access.search_all(&phrase), AccessError::Open(_), damaged);
    assert_fails!(store.count_all(&phrase), AccessError::Open(_), damaged);
}

/// An accelerator that does not work.
struct Broken;

impl Accelerator for Broken {
    fn count(&self, _: &Job<'_>) -> Result<Counted, AcceleratorError> {
        Err("it has come loose".into())
    }
}

#[test]
fn queries() {
    let place = Place::new();
    let corpus = place.open();
    let count = || corpus.word_count();
    assert_fails!(count().documents([7]).rows(), QueryError::NoDocument(_), "no document number 7");
    assert_fails!(count().documents_matching("x*"), QueryError::NoDocument(_), "no document x*");
    assert_fails!(
        count().documents_matching("[a"),
        QueryError::BadPattern(_),
        "\"[a\" is not a pattern for names: "
    );
    assert_fails!(
        corpus.sequence_count().words(1).rows(),
        QueryError::SequenceTooShort { n: 1 },
        "a sequence has at least two words, not 1"
    );
    if cfg!(feature = "stop-words") {
        assert_fails!(
            "tamil".parse::<Language>().unwrap().stop_words(),
            QueryError::NoStopWords { .. },
            "there is no list of stop words for tamil"
        );
    }
    assert_fails!(
        corpus.term_vector().accelerator(&Broken, false).rows(),
        QueryError::Accelerator { .. },
        "the GPU did not answer: it has come loose"
    );
    let full = |()| Full.write_all(b"row").map_err(|source| QueryError::Output { source });
    assert_fails!(
        count().for_each_batch(|_| (), full),
        QueryError::Output { .. },
        "no storage space"
    );
    let stopped = || count().progress(&Stopped).rows();
    assert_fails!(stopped(), QueryError::Interrupted(_), "interrupted");
    assert!(stopped().unwrap_err().is_interrupted());
    place.damage();
    let corpus = place.open();
    let damaged = "is damaged: checksum";
    assert_fails!(
        corpus.term_vector().rows(),
        QueryError::Open(OpenError::Container { .. }),
        damaged
    );
    let report = corpus.term_vector().keep_going(true).for_each_batch(|_| (), |()| Ok(())).unwrap();
    let [OpenError::Container { source: ContainerError::Checksum { .. }, .. }] = report.damaged[..]
    else {
        panic!("{:?}", report.damaged);
    };

    let place = Place::of(&[("a.txt", "ab Ab aB AB")]);
    let store = Store::open(&place.corpus).unwrap();
    let phrase = Phrase::new("ab ".repeat(7)).unwrap();
    let view = View { case: Case::Lower, ..View::default() };
    assert_fails!(
        store.spellings(&phrase, &view),
        QueryError::TooManySpellings { most: 4096 },
        "there are more than 4096 ways to spell this"
    );
}

#[test]
fn compressing() {
    let place = Place::new();
    let options = CompressOptions::default();
    let none = Sources::new([place.join("none")]);
    let text = format!("{}: ", shown(&place.join("none")));
    let output = place.join("new.zgram");
    assert_fails!(
        compress(&none, &output, &options, &Silent),
        CompressError::Input(InputError::Open { .. }),
        &text
    );
    let texts = Sources::new([&place.texts]);
    let text = format!("cannot create a file in {}: ", shown(&place.join("none")));
    assert_fails!(
        compress(&texts, place.join("none/c.zgram"), &options, &Silent),
        CompressError::File(FileError { action: "create a file in", .. }),
        &text
    );
    let stopped = || place.compress(&options, &Stopped);
    assert_fails!(stopped(), CompressError::Interrupted(_), "interrupted");
    assert!(stopped().unwrap_err().is_interrupted());
    let many: String = (0..30_000).map(|number| format!("word{number} ")).collect();
    fs::write(place.texts.join("many.txt"), many).unwrap();
    let mut small = CompressOptions::default();
    small.memory = 1 << 20;
    assert_fails!(
        compress(&texts, &output, &small, &Silent),
        CompressError::MemoryCeiling { .. },
        "more than three eighths of the memory ceiling of 1048576 bytes; raise the ceiling"
    );
    let store = Store::open_for_editing(&place.corpus).unwrap();
    store.edit(&[Edit::Append { document: 0, bytes: b" more".to_vec() }]).unwrap();
    let text = format!("{} has edits that would be lost", shown(&place.join("c.zgram.journal")));
    let again = || place.compress(&options, &Silent);
    assert_fails!(again(), CompressError::PendingEdits { .. }, &text);
}

#[test]
fn decompressing() {
    let place = Place::new();
    let corpus = place.open();
    let options = DecompressOptions::default();
    let output = place.join("out");
    let run = |selection: &[usize], progress: &dyn Progress| {
        decompress(&corpus, selection, &output, &options, progress)
    };
    assert_fails!(run(&[7], &Silent), DecompressError::NoDocument(_), "no document number 7");
    assert_fails!(run(&[], &Stopped), DecompressError::Interrupted(_), "interrupted");
    assert!(run(&[], &Stopped).unwrap_err().is_interrupted());
    fs::create_dir_all(&output).unwrap();
    fs::write(output.join("b.txt"), "old").unwrap();
    let text = format!("{} exists already", shown(&output.join("b.txt")));
    assert_fails!(run(&[], &Silent), DecompressError::OutputExists { .. }, &text);
    fs::remove_dir_all(&output).unwrap();
    fs::write(&output, "a file").unwrap();
    assert_fails!(run(&[], &Silent), DecompressError::File(_), shown(&output));
    fs::remove_file(&output).unwrap();
    place.damage();
    assert_fails!(
        decompress(&place.open(), &[], &output, &options, &Silent),
        DecompressError::Open(OpenError::Container { .. }),
        "is damaged: checksum"
    );

    // The members of an archive can have names that files below a folder cannot have.
    let members = ["x", "x/y"].map(|name| Document::new(name, "text"));
    let bytes = zgram_testkit::compress(&members, Feed::Tar, &CompressOptions::default()).unwrap();
    let members = Corpus::from_bytes(bytes).unwrap();
    assert_fails!(
        decompress(&members, &[], &output, &options, &Silent),
        DecompressError::UnusableName(_),
        "the document name \"x\" cannot be used for a file: it would be a file and the folder of x/y"
    );
}

#[test]
fn editing() {
    let place = Place::new();
    let reader = Store::open(&place.corpus).unwrap();
    let append = |document| Edit::Append { document, bytes: b" more".to_vec() };
    let add = |name: &str| Edit::Add { name: name.into(), bytes: b"text".to_vec() };
    let text = format!("{} was opened for reading, not for editing", shown(&place.corpus));
    assert_fails!(reader.edit(&[append(0)]), EditError::OnlyReading { .. }, &text);
    assert_fails!(reader.compact(&Silent), EditError::OnlyReading { .. }, &text);

    let store = Store::open_for_editing(&place.corpus).unwrap();
    assert_fails!(
        store.edit(&[append(7)]),
        EditError::Access(AccessError::NoDocument(_)),
        "no document number 7"
    );
    assert_fails!(
        store.edit(&[Edit::Delete { document: 0, offset: 10, len: 9 }]),
        EditError::Access(AccessError::OutOfRange { offset: 19, size: 12, .. }),
        "offset 19 is past the end of a.txt, which has 12 bytes"
    );
    assert_fails!(
        store.edit(&[add("a.txt")]),
        EditError::NameTaken { .. },
        "there is a document a.txt already"
    );
    assert_fails!(
        store.edit(&[add("../out")]),
        EditError::UnusableName(_),
        "the document name \"../out\" cannot be used for a file: "
    );
    let text = format!("{} is being edited by process ", shown(&place.corpus));
    assert_fails!(Store::open_for_editing(&place.corpus), EditError::Locked { .. }, &text);
    store.edit(&[append(0)]).unwrap();
    let stopped = || store.compact(&Stopped);
    assert_fails!(stopped(), EditError::Compress(CompressError::Interrupted(_)), "interrupted");
    assert!(stopped().unwrap_err().is_interrupted());
    drop(store);
    assert_fails!(
        Store::open_for_editing(place.join("none")),
        EditError::File(FileError { action: "open", .. }),
        "cannot open "
    );
    assert_fails!(
        Store::open_for_editing(place.texts.join("a.txt")),
        EditError::Access(AccessError::Open(OpenError::Container { .. })),
        "a.txt: not a zgram file"
    );

    let lines = Place::new();
    fs::write(&lines.corpus, lines_corpus(Level::Default, Layer::Zstd)).unwrap();
    let store = Store::open_for_editing(&lines.corpus).unwrap();
    assert_fails!(
        store.edit(&[Edit::Remove { document: 0 }]),
        EditError::LinesStay { what: "removed" },
        "lines of JSON Lines files and cannot be removed"
    );
}

#[test]
fn transactions() {
    let place = Place::new();
    let store = Store::open(&place.corpus).unwrap();
    let read = |offset| Operation::Extract { document: b"a.txt".to_vec(), offset, len: 1 };
    let operations = vec![read(0), read(99)];
    let batch = Transaction { operations, ..Transaction::default() };
    assert_fails!(
        store.run(&batch),
        TransactionError {
            operation: 1,
            source: EditError::Access(AccessError::OutOfRange { .. })
        },
        "operation 2 of the batch cannot be done; none was: offset 99 is past the end of \
         a.txt, which has 12 bytes"
    );
    let answers = store.run(&Transaction { keep_going: true, ..batch }).unwrap();
    assert!(answers[0].is_ok());
    assert!(matches!(answers[1], Err(EditError::Access(AccessError::OutOfRange { .. }))));
}

/// Counts documents.
struct Counter(usize);

impl Visitor for Counter {
    type Error = Error;

    fn document(&mut self, _: DocumentHead<'_>, content: &mut dyn Read) -> Result<(), Error> {
        io::copy(content, &mut io::sink()).expect("the text can be read");
        self.0 += 1;
        Ok(())
    }
}

/// With one type for all of them, `?` needs no conversion.
#[test]
fn one_type_for_all() {
    fn all(place: &Place, phrase: &str, n: usize, progress: &dyn Progress) -> Result<(), Error> {
        Sources::new([&place.texts]).read(&mut Counter(0), progress)?;
        place.compress(&CompressOptions::default(), progress)?;
        let corpus = Corpus::open(&place.corpus)?;
        corpus.sequence_count().words(n).rows()?;
        decompress(&corpus, &[], place.join("out"), &DecompressOptions::default(), progress)?;
        let store = Store::open_for_editing(&place.corpus)?;
        store.search_all(&Phrase::new(phrase)?)?;
        store.edit(&[Edit::Append { document: 0, bytes: b" more".to_vec() }])?;
        store.run(&Transaction::default())?;
        Ok(())
    }
    all(&Place::new(), "fine day", 2, &Silent).unwrap();
    let fails =
        |phrase, n, progress: &dyn Progress| all(&Place::new(), phrase, n, progress).unwrap_err();
    assert!(matches!(fails("...", 2, &Silent), Error::Access(AccessError::EmptyPhrase)));
    let short = fails("fine", 1, &Silent);
    assert!(matches!(short, Error::Query(QueryError::SequenceTooShort { n: 1 })));
    assert!(!short.is_interrupted());
    let stopped = fails("fine", 2, &Stopped);
    assert!(matches!(stopped, Error::Compress(CompressError::Interrupted(_))), "{stopped:?}");
    assert!(stopped.is_interrupted());
}
