//! A corpus is read from a mapped file as from any other bytes, and what lies there plainly is not copied.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use zgram::Corpus;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::storage::{Memory, Storage};
use zgram_testkit::{Document, Feed, compress, options};

fn map(path: &Path) -> Mmap {
    let file = File::open(path).unwrap();
    // SAFETY: the file lies in a folder of this test alone; nobody changes it while it is mapped.
    unsafe { Mmap::map(&file) }.unwrap()
}

#[test]
fn a_mapped_file_answers_as_one_that_is_read() {
    let books = [
        Document::new("one", "the cat sat on the mat, and the dog sat by the door.\n".repeat(200)),
        Document::new("two", "the dog sat on the mat, and the cat sat by the door.\n".repeat(100)),
    ];
    let folder = tempfile::tempdir().unwrap();
    for level in [Level::Fast, Level::Default, Level::Max] {
        for layer in [Layer::None, Layer::Zstd] {
            let path = folder.path().join("corpus.zgram");
            let packed =
                compress(&books, Feed::Tar, &options(level, GrammarKind::RePair, layer)).unwrap();
            std::fs::write(&path, packed).unwrap();
            let mapped = Corpus::from_storage(&path, Memory(map(&path))).unwrap();
            let read = Corpus::open(&path).unwrap();
            assert_eq!(mapped.segment(0).unwrap(), read.segment(0).unwrap());
            let [from_map, from_file] =
                [&mapped, &read].map(|corpus| corpus.term_vector().rows().unwrap());
            assert_eq!(format!("{from_map:?}"), format!("{from_file:?}"));
            for (number, book) in books.iter().enumerate() {
                let mut text = Vec::new();
                mapped.write_document(number, &mut text).unwrap();
                assert_eq!(text, book.text);
            }
        }
    }
}

#[test]
fn bytes_of_a_mapping_are_borrowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes");
    std::fs::write(&path, b"0123456789").unwrap();
    let mapping = map(&path);
    let place = mapping.as_ptr();
    let storage = Memory(mapping);
    let bytes = storage.read(3, 4).unwrap();
    assert_eq!(&bytes[..], b"3456");
    assert_eq!(bytes.as_ptr(), place.wrapping_add(3));
    assert!(storage.read(8, 3).is_err());
}
