//! A segment is the same whether one thread decodes it, several do, or a reader goes document by
//! document. All of them refuse a damaged segment with the same error.

use crate::corpus::Cursor;
use crate::format::SectionKind;
use crate::format::{Layer, Level};
use crate::input::Sources;
use crate::progress::Silent;
use crate::storage::Memory;
use crate::{CompressOptions, Corpus};
use std::path::Path;
use zgram_testkit::{Forged, Random};

const THREADS: [usize; 5] = [2, 3, 4, 8, 100];

fn open(file: Vec<u8>) -> Option<Corpus> {
    Corpus::from_storage("threads.zgram", Memory(file)).ok()
}

/// Returns the number of segments that could be decoded.
fn check(corpus: &Corpus) -> usize {
    let mut sound = 0;
    for number in 0..corpus.facts().segments.len() {
        let whole = corpus.segment(number).map_err(|error| error.to_string());
        let tally = corpus.segment_tally(number).map_err(|error| error.to_string());
        for threads in THREADS {
            let by_threads = corpus.segment_by(number, threads).map_err(|error| error.to_string());
            assert_eq!(by_threads, whole, "{threads} threads");
            let by_threads =
                corpus.segment_tally_by(number, threads).map_err(|error| error.to_string());
            assert_eq!(by_threads, tally, "{threads} threads");
        }
        let streamed = read_documents(corpus, number).map_err(|error| error.to_string());
        let documents = whole.as_ref().map(|whole| {
            (0..whole.doc_count()).map(|document| whole.document(document).to_vec()).collect()
        });
        assert_eq!(streamed.as_ref(), documents.as_ref().map_err(|error| *error));
        sound += usize::from(whole.is_ok());
    }
    sound
}

/// The symbols of a segment's documents, read forwards and backwards, so that a reader leaves blocks
/// and returns to them.
fn read_documents(corpus: &Corpus, number: usize) -> Result<Vec<Vec<u32>>, crate::Error> {
    let segment = corpus.open_segment(number)?;
    let documents = segment.documents();
    let mut cursor = Cursor::default();
    let mut read = |document: usize| {
        let mut symbols = Vec::new();
        documents.gather(document, &mut cursor, &mut symbols)?;
        assert_eq!(symbols.len(), documents.len(document));
        Ok::<_, crate::Error>(symbols)
    };
    let forwards: Vec<_> = (0..documents.count()).map(&mut read).collect::<Result<_, _>>()?;
    for document in (0..documents.count()).rev() {
        assert_eq!(read(document)?, forwards[document]);
    }
    assert_eq!(forwards.iter().map(Vec::len).sum::<usize>(), documents.total_len());
    Ok(forwards)
}

#[test]
fn golden_files_are_decoded_by_several_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/v1");
    let mut sound = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        sound += check(&open(std::fs::read(entry.unwrap().path()).unwrap()).unwrap());
    }
    assert!(sound > 0);
}

/// Names in bursts, which need back-references, among words that repeat everywhere; in documents of
/// several lengths, some of many blocks and some of none.
fn compressed(level: Level) -> Vec<u8> {
    let mut random = Random::new(7);
    let folder = tempfile::tempdir().unwrap();
    let (source, file) = (folder.path().join("texts"), folder.path().join("x.zgram"));
    std::fs::create_dir(&source).unwrap();
    for (document, lines) in [400, 0, 3, 1, 200, 0, 5, 300].into_iter().enumerate() {
        let mut text = String::new();
        for line in 0..lines {
            let name = line / 40 * 20 + random.below(20);
            text += &format!("let name{name} = word{} + {};\n", random.below(9), random.below(300));
        }
        std::fs::write(source.join(document.to_string()), text).unwrap();
    }
    let sources = Sources::new([source]);
    let mut options = CompressOptions { level, layer: Layer::None, ..CompressOptions::default() };
    options.block_symbols = 100;
    crate::compress(&sources, &file, &options, &Silent).unwrap();
    std::fs::read(file).unwrap()
}

#[test]
fn damaged_segments_are_refused_alike() {
    for level in [Level::Fast, Level::Default, Level::Max] {
        let file = compressed(level);
        let corpus = open(file.clone()).unwrap();
        let blocks = corpus.sections().iter().filter(|section| section.kind == SectionKind::Root);
        assert_eq!(blocks.count() > 4, level != Level::Max);
        assert!(check(&corpus) > 0);
        let forged = Forged::parse(&file).unwrap();
        for (number, section) in forged.sections.iter().enumerate() {
            for at in (0..section.bytes.len()).step_by(section.bytes.len() / 60 + 1) {
                let mut bytes = section.bytes.clone();
                bytes[at] ^= 1 << (at % 8);
                open(forged.with_section(number, bytes)).as_ref().map(check);
            }
        }
    }
}
