//! Compaction copies the segments that no edit touches.

use super::{check, check_questions};
use proptest::prelude::*;
use std::path::Path;
use tempfile::TempDir;
use zgram::Corpus;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::{Edit, Store};
use zgram_testkit::model::{Model, some_text};
use zgram_testkit::{Document, Feed, Forged, ForgedSection, Random, cases, compress, options};

/// The sections of a segment that are copied.
fn sections_of(file: &[u8], segment: usize) -> Vec<ForgedSection> {
    let mut sections = Forged::parse(file).unwrap().sections;
    sections.retain(|section| {
        [*b"SEGM", *b"ROOT", *b"WDOC"].contains(&section.code) && section.number == segment as u32
    });
    sections
}

fn bytes_of(sections: &[ForgedSection]) -> Vec<&[u8]> {
    sections.iter().map(|section| &section.bytes[..]).collect()
}

fn has_later(file: &[u8], segment: usize) -> bool {
    let sections = Forged::parse(file).unwrap().sections;
    sections.iter().any(|section| section.code == *b"LATE" && section.number == segment as u32)
}

/// A text of words that other texts have, too, and of some of its own.
fn text(random: &mut Random, own: &str, words: usize) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..words {
        match random.below(8) {
            0 => text.extend(format!("{own}{} ", random.below(9)).into_bytes()),
            1 => text.extend(some_text(random, 3)),
            _ => text.extend(format!("word{} ", random.below(30)).into_bytes()),
        }
    }
    text
}

fn verify(path: &Path) {
    Corpus::open_without_edits(path).unwrap().verify(&Silent).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]
    #[test]
    fn untouched_segments_keep_their_bytes(seed in any::<u64>(), index in any::<bool>()) {
        let mut random = Random::new(seed);
        let level = [Level::Fast, Level::Default, Level::Max][random.below(3)];
        let grammar = [GrammarKind::RePair, GrammarKind::Sequitur][random.below(2)];
        let layer = [Layer::None, Layer::Zstd, Layer::Bwt][random.below(3)];
        let documents: Vec<Document> = (0..6)
            .map(|at| Document::new(format!("{at}.txt"), text(&mut random, &format!("own{at}x"), 60)))
            .collect();
        let mut model = Model::of(&documents);
        let mut options = options(level, grammar, layer);
        let least = documents.iter().map(|document| document.text.len()).min().unwrap();
        options.segment_size = least as u64;
        options.index = index;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        for round in 0..4 {
            let before = std::fs::read(&path).unwrap();
            let store = Store::open_for_editing(&path).unwrap();
            let document = random.below(model.0.len());
            let mut edits = vec![Edit::Insert {
                document,
                offset: 0,
                bytes: text(&mut random, &format!("new{round}x"), 3),
            }];
            if random.below(2) == 0 {
                edits.push(Edit::Append { document, bytes: b", the end".to_vec() });
            }
            if random.below(3) == 0 {
                let (name, bytes) = (format!("new {round}").into_bytes(), text(&mut random, "q", 9));
                edits.push(Edit::Add { name, bytes });
            }
            if random.below(3) == 0 {
                let document = random.below(model.0.len());
                edits.push(Edit::Rename { document, name: format!("n {round}").into_bytes() });
            }
            edits.iter().for_each(|edit| model.apply(edit));
            store.edit(&edits).unwrap();
            let segments = store.corpus().facts().segments.clone();
            let done = store.compact(&Silent).unwrap();
            prop_assert_eq!(done.rebuilt + done.kept, segments.len());
            let after = std::fs::read(&path).unwrap();
            verify(&path);
            if done.kept > 0 && segments.len() == store.corpus().facts().segments.len() {
                for (number, own) in segments.iter().enumerate() {
                    let first = own.first_document as usize;
                    if (first..first + own.documents as usize).contains(&document) {
                        continue;
                    }
                    // A segment that is encoded again numbers all tokens.
                    if has_later(&after, number) {
                        let (old, new) = (sections_of(&before, number), sections_of(&after, number));
                        prop_assert_eq!(bytes_of(&old), bytes_of(&new));
                    }
                }
            }
            check(&store, &model, &mut random);
            check_questions(&store, &path, &model);
            let reader = Store::open(&path).unwrap();
            check(&reader, &model, &mut random);
        }
    }
}

/// The bytes of all segments but one stay, although the dictionary grows; later edits of those segments
/// give them all tokens.
#[test]
fn a_growing_dictionary_moves_no_segment() {
    let documents: Vec<Document> = (0..6)
        .map(|at| Document::new(at.to_string(), format!("document {at} of six, ").repeat(20)))
        .collect();
    for level in [Level::Fast, Level::Default, Level::Max] {
        let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = 800;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        let mut model = Model::of(&documents);
        let before = std::fs::read(&path).unwrap();
        let segments = Corpus::open(&path).unwrap().facts().segments.len();
        for (round, document) in [0, 5].into_iter().enumerate() {
            let store = Store::open_for_editing(&path).unwrap();
            let bytes = format!("{}-news ", ["a", "zz"][round]).into_bytes();
            let edit = Edit::Insert { document, offset: 0, bytes };
            model.apply(&edit);
            store.edit(&[edit]).unwrap();
            let done = store.compact(&Silent).unwrap();
            assert_eq!((done.rebuilt, done.kept), (1, segments - 1));
            check(&store, &model, &mut Random::new(1));
        }
        verify(&path);
        let after = std::fs::read(&path).unwrap();
        for number in 1..segments - 1 {
            assert!(has_later(&after, number), "{level:?}");
            let (old, new) = (sections_of(&before, number), sections_of(&after, number));
            assert_eq!(bytes_of(&old), bytes_of(&new), "{level:?}");
        }
        assert!(!has_later(&after, segments - 1));
    }
}

/// A forged list of later tokens gives an error or another text of the same sizes.
#[test]
fn forged_lists_of_later_tokens_do_no_harm() {
    let documents: Vec<Document> = (0..6)
        .map(|at| Document::new(at.to_string(), format!("document {at} of six, ").repeat(20)))
        .collect();
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::None);
    options.segment_size = 800;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let store = Store::open_for_editing(&path).unwrap();
    store.edit(&[Edit::Insert { document: 0, offset: 0, bytes: b"some new ".to_vec() }]).unwrap();
    store.compact(&Silent).unwrap();
    drop(store);
    let sound = std::fs::read(&path).unwrap();
    verify(&path);
    let parsed = Forged::parse(&sound).unwrap();
    let at = parsed.sections.iter().position(|section| section.code == *b"LATE").unwrap();
    let is_sound = |section: ForgedSection| {
        let mut forged = parsed.clone();
        forged.sections[at] = section;
        std::fs::write(&path, forged.to_bytes()).unwrap();
        let corpus = Corpus::open_without_edits(&path).unwrap();
        let sizes = corpus.documents().unwrap();
        corpus.verify(&Silent).is_ok_and(|()| {
            (0..sizes.len()).all(|document| {
                let mut text = Vec::new();
                corpus.write_document(document, &mut text).unwrap();
                sizes.size(document) == Some(text.len() as u64)
            })
        })
    };
    assert!(is_sound(parsed.sections[at].clone()));
    let whole = parsed.sections[at].clone();
    for byte in 0..whole.bytes.len() {
        for to in [0, 1, 2, 3, 127, 128, 255] {
            let mut section = whole.clone();
            if section.bytes[byte] != to {
                section.bytes[byte] = to;
                is_sound(section);
            }
        }
        let mut section = whole.clone();
        section.bytes.truncate(byte);
        assert!(!is_sound(section));
    }
}

/// Word totals of copied segments are those of before, without the segments that are built anew.
#[test]
fn word_totals_stay_right() {
    let mut random = Random::new(5);
    let coins = |random: &mut Random| -> String {
        (0..4000).map(|_| ["heads ", "tails ", "edge "][random.below(3)]).collect()
    };
    let documents: Vec<Document> =
        (0..5).map(|at| Document::new(at.to_string(), coins(&mut random))).collect();
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    let least = documents.iter().map(|document| document.text.len()).min().unwrap();
    options.segment_size = least as u64;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let mut model = Model::of(&documents);
    for (document, bytes) in [(0, "edge heads new "), (3, "a newer word "), (0, "tails ")] {
        let store = Store::open_for_editing(&path).unwrap();
        let edit = Edit::Insert { document, offset: 0, bytes: bytes.into() };
        model.apply(&edit);
        store.edit(&[edit]).unwrap();
        let done = store.compact(&Silent).unwrap();
        assert_eq!((done.rebuilt, done.kept), (1, 4));
        verify(&path);
        let file = std::fs::read(&path).unwrap();
        let sections = Forged::parse(&file).unwrap().sections;
        assert!(sections.iter().any(|section| section.code == *b"WSUM"));
        check(&store, &model, &mut random);
        check_questions(&store, &path, &model);
    }
}
