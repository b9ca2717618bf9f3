//! Input that changes while it is read, and visitors that fail or stop.

use crate::support::{Collector, Failure, folder, names, read_all, read_stdin, write};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use zgram::input::{DocumentHead, InputError, ReadOptions, Sources, Visitor};
use zgram::progress::{Progress, Silent};

/// Calls a function after the first byte of each document, then reads the rest.
struct Meddler<F>(F);

impl<F: FnMut(&[u8])> Visitor for Meddler<F> {
    type Error = Failure;

    fn document(&mut self, head: DocumentHead<'_>, content: &mut dyn Read) -> Result<(), Failure> {
        content.read_exact(&mut [0; 1]).map_err(Failure::Own)?;
        (self.0)(head.name);
        io::copy(content, &mut io::sink()).map_err(Failure::Own)?;
        Ok(())
    }
}

fn meddle(path: PathBuf, meddler: impl FnMut(&[u8])) -> InputError {
    let sources = Sources::new([path]);
    match sources.read(&mut Meddler(meddler), &Silent).unwrap_err() {
        Failure::Input(error) => error,
        Failure::Own(error) => panic!("not an input error: {error}"),
    }
}

#[test]
fn a_file_that_grows_or_shrinks_is_refused() {
    let root = folder(&[("d/a", &[b'x'; 4096])]);
    let path = root.path().join("d/a");
    let set_len = |len| OpenOptions::new().write(true).open(&path).unwrap().set_len(len).unwrap();
    for (len, expected_got) in [(5000, 5000), (100, 100)] {
        set_len(4096);
        match meddle(root.path().to_path_buf(), |_| set_len(len)) {
            InputError::Changed { path: named, expected, got } => {
                assert_eq!((named, expected, got), (path.clone(), 4096, expected_got));
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_without_a_length_is_read() {
    let path = PathBuf::from("/proc/self/status");
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    let mut documents = Collector::default();
    Sources::new([path]).read(&mut documents, &Silent).unwrap();
    let [status] = &documents.0[..] else { panic!("one document") };
    assert_eq!((&status.name[..], status.size), (&b"status"[..], None));
    assert!(status.text.starts_with(b"Name:\t"), "{:?}", String::from_utf8_lossy(&status.text));
}

#[test]
fn a_file_that_is_rewritten_is_refused() {
    let root = folder(&[("a", b"old text")]);
    let path = root.path().join("a");
    let earlier = std::time::SystemTime::UNIX_EPOCH;
    OpenOptions::new().write(true).open(&path).unwrap().set_modified(earlier).unwrap();
    let rewrite = |_: &[u8]| {
        OpenOptions::new().write(true).open(&path).unwrap().write_all(b"new").unwrap();
    };
    match meddle(root.path().to_path_buf(), rewrite) {
        InputError::Modified { path: named } => assert_eq!(named, path),
        other => panic!("{other}"),
    }
}

#[test]
fn what_vanishes_is_named() {
    let root = folder(&[("a", b"1"), ("b", b"2"), ("c/d", b"3")]);
    let error = meddle(root.path().to_path_buf(), |name| {
        if name == b"a" {
            fs::remove_file(root.path().join("b")).unwrap();
        }
    });
    assert!(matches!(&error, InputError::Open { .. }), "{error}");
    assert!(error.to_string().contains(root.path().join("b").to_str().unwrap()), "{error}");

    let error = meddle(root.path().to_path_buf(), |name| {
        if name == b"a" {
            fs::remove_dir_all(root.path().join("c")).unwrap();
        }
    });
    assert!(matches!(&error, InputError::Folder { .. }), "{error}");

    let missing = root.path().join("missing");
    let error = read_all(&[&missing], b"", ReadOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::Open { path, .. } if path == missing));
}

#[test]
fn the_visitors_own_error_comes_back_as_it_is() {
    struct DiskFull;
    impl Visitor for DiskFull {
        type Error = Failure;
        fn document(&mut self, _: DocumentHead<'_>, _: &mut dyn Read) -> Result<(), Failure> {
            Err(Failure::Own(io::ErrorKind::StorageFull.into()))
        }
    }
    let root = folder(&[("a", b"1")]);
    let sources = Sources::new([root.path().to_path_buf()]);
    match sources.read(&mut DiskFull, &Silent) {
        Err(Failure::Own(error)) => assert_eq!(error.kind(), io::ErrorKind::StorageFull),
        other => panic!("{other:?}"),
    }
}

#[test]
fn content_may_be_left_unread() {
    #[derive(Default)]
    struct NamesOnly(Vec<Vec<u8>>);
    impl Visitor for NamesOnly {
        type Error = InputError;
        fn document(&mut self, head: DocumentHead<'_>, _: &mut dyn Read) -> Result<(), InputError> {
            self.0.push(head.name.to_vec());
            Ok(())
        }
    }
    let mut builder = tar::Builder::new(Vec::new());
    for name in ["a", "b"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(2000);
        builder.append_data(&mut header, name, &[b'x'; 2000][..]).unwrap();
    }
    let root = tempfile::tempdir().unwrap();
    let path = write(root.path(), "x.tar", &builder.into_inner().unwrap());
    let mut visitor = NamesOnly::default();
    Sources::new([path]).read(&mut visitor, &Silent).unwrap();
    assert_eq!(visitor.0, [b"a", b"b"]);
}

#[test]
fn a_broken_stream_is_a_read_error() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    let sources = Sources::new(["-"]);
    let outcome =
        sources.read_with_stdin(&mut b"text".chain(Broken), &mut Meddler(|_: &[u8]| ()), &Silent);
    match outcome {
        Err(Failure::Input(InputError::Read { path, source })) => {
            assert_eq!(path, PathBuf::from("stdin"));
            assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_request_to_stop_is_obeyed_within_a_document() {
    /// Asks to stop after a number of checks.
    struct Impatient(AtomicUsize);
    impl Progress for Impatient {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_add(1, Ordering::Relaxed) > 20
        }
    }
    let sources = Sources::new(["-"]);
    let outcome = sources.read_with_stdin(
        &mut io::repeat(b'x'),
        &mut Meddler(|_: &[u8]| ()),
        &Impatient(AtomicUsize::new(0)),
    );
    assert!(matches!(outcome, Err(Failure::Input(InputError::Interrupted(_)))));
}

#[test]
fn standard_input_is_a_document() {
    let documents = read_stdin(b"some text").unwrap();
    assert_eq!(names(&documents), ["stdin"]);
    assert_eq!(documents[0].text, b"some text");
    assert_eq!(read_stdin(b"").unwrap()[0].text, b"");
}
