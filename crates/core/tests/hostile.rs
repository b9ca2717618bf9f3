//! Files that are damaged, forged or foreign: an error that says where, or the same text; never a
//! panic.

use proptest::prelude::*;
use zgram::Corpus;
use zgram::error::{FileError, OpenError};
use zgram::format::{ContainerError, GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram_testkit::{
    Document, Feed, Forged, ForgedSection, Random, bursts_corpus, chain, combinations, compress,
    exercise, exercise_with_files, lines_corpus, options, small_corpus, small_documents,
};

fn open(file: Vec<u8>) -> Result<Corpus, ContainerError> {
    match Corpus::from_storage("hostile.zgram", Memory(file)) {
        Ok(corpus) => Ok(corpus),
        Err(OpenError::Container { source, .. }) => Err(source),
        Err(other) => panic!("not an error of the container: {other}"),
    }
}

/// An error of a damaged file names the file, and unless the whole file is at fault the part and
/// the byte where it lies.
fn check_error(error: &OpenError) {
    let OpenError::Container { source, .. } = error else { panic!("{error:?}") };
    let text = chain(error);
    assert!(text.starts_with("hostile.zgram: "), "{text}");
    let (part, offset) = match source {
        ContainerError::Foreign | ContainerError::Truncated { .. } => return,
        ContainerError::Version { .. } => return,
        ContainerError::Io { what, offset, .. } => (what, offset),
        ContainerError::UnknownSection { kind, offset } => (kind, offset),
        ContainerError::Checksum { section, offset, .. }
        | ContainerError::Malformed { section, offset, .. } => (section, offset),
        other => panic!("{other:?}"),
    };
    assert!(!part.is_empty() && text.contains(part.as_str()), "{text}");
    assert!(text.contains(&format!("at byte {offset}")), "{text}");
}

/// The file is refused with sound errors, or gives the same text.
fn refused_or_the_same(file: Vec<u8>, expected: &[Document], what: &str) {
    let outcome = exercise(file);
    outcome.errors.iter().for_each(check_error);
    if outcome.errors.is_empty() {
        assert_eq!(outcome.documents.as_deref(), Some(expected), "{what}");
    }
}

#[test]
fn every_truncation_is_refused() {
    for (level, grammar, layer) in combinations() {
        let file = small_corpus(level, grammar, layer);
        for len in 0..file.len() {
            let outcome = exercise(file[..len].to_vec());
            assert_eq!(outcome.errors.len(), 1, "{level:?} {layer:?}, {len} bytes");
            check_error(&outcome.errors[0]);
        }
        for more in [1, 8, 32, 100] {
            let error = &exercise([&file[..], &vec![0; more]].concat()).errors[0];
            assert!(chain(error).contains("incomplete or overlong"), "{}", chain(error));
        }
    }
}

#[test]
fn every_flipped_bit_is_noticed_or_harmless() {
    let expected = small_documents();
    for (level, grammar, layer) in combinations() {
        let file = small_corpus(level, grammar, layer);
        for at in 0..file.len() {
            // All bits of some bytes, one bit of all.
            let bits = if at % 16 == 0 { 0..8 } else { at % 8..at % 8 + 1 };
            for bit in bits {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                refused_or_the_same(damaged, &expected, &format!("bit {bit} of byte {at}"));
            }
        }
    }
}

#[test]
fn a_damaged_section_is_named_with_its_offset() {
    for (level, grammar, layer) in combinations() {
        let file = small_corpus(level, grammar, layer);
        let sections = open(file.clone()).unwrap().sections().to_vec();
        for section in sections {
            let mut damaged = file.clone();
            damaged[section.offset as usize] ^= 0x10;
            let text = chain(&exercise(damaged).errors[0]);
            let place = format!("{section} at byte {} is damaged", section.offset);
            assert!(text.contains(&place), "{text}");
        }
    }
}

#[test]
fn flips_behind_repaired_checksums_do_no_harm() {
    for (level, grammar, layer) in combinations() {
        let forged = Forged::parse(&small_corpus(level, grammar, layer)).unwrap();
        // Layers are damaged as streams; behind them lies the same.
        let stride = if layer == Layer::None { 1 } else { 7 };
        flip_sections(&forged, stride);
    }
    for level in [Level::Fast, Level::Default, Level::Max] {
        flip_sections(&Forged::parse(&lines_corpus(level, Layer::None)).unwrap(), 2);
    }
}

fn flip_sections(forged: &Forged, stride: usize) {
    for (number, section) in forged.sections.iter().enumerate() {
        for at in (0..section.bytes.len()).step_by(stride) {
            for flip in [1, 1 << (1 + at % 3), 1 << (4 + at % 3), 128, 255] {
                let mut bytes = section.bytes.clone();
                bytes[at] ^= flip;
                exercise(forged.with_section(number, bytes)).errors.iter().for_each(check_error);
            }
        }
    }
}

/// Words that the tokeniser would not make would be counted although a search in the text finds
/// others.
#[test]
fn a_forged_dictionary_of_other_words_is_refused() {
    let file = small_corpus(Level::Fast, GrammarKind::RePair, Layer::None);
    let forged = Forged::parse(&file).unwrap();
    let section = forged.position(b"DICT");
    let mut refused = 0;
    for at in 0..forged.sections[section].bytes.len() {
        for byte in [b' ', b'-', 0x80, 0xFF] {
            let mut bytes = forged.sections[section].bytes.clone();
            bytes[at] = byte;
            let Ok(corpus) = open(forged.with_section(section, bytes)) else { continue };
            match corpus.verify(&Silent) {
                Err(error) => refused += usize::from(chain(&error).contains("tokeniser")),
                Ok(()) => {
                    for row in corpus.word_count().rows().unwrap() {
                        let word = row.text();
                        assert!(word.chars().all(char::is_alphanumeric), "byte {at}: {word:?}");
                    }
                }
            }
        }
    }
    assert!(refused > 0, "no forged word passed all other checks");
}

#[test]
fn cut_and_stretched_sections_do_no_harm() {
    for (level, grammar, layer) in combinations() {
        let forged = Forged::parse(&small_corpus(level, grammar, layer)).unwrap();
        for (number, section) in forged.sections.iter().enumerate() {
            for len in (0..section.bytes.len()).step_by(3) {
                let cut = exercise(forged.with_section(number, section.bytes[..len].to_vec()));
                assert!(!cut.errors.is_empty(), "{:?} cut to {len}", section.code);
                cut.errors.iter().for_each(check_error);
            }
            let stretched = [&section.bytes[..], &[0]].concat();
            let outcome = exercise(forged.with_section(number, stretched));
            assert!(!outcome.errors.is_empty(), "{:?} with a byte more", section.code);
        }
    }
}

#[test]
fn sections_of_another_file_do_no_harm() {
    let files: Vec<Forged> = combinations()
        .filter(|(_, _, layer)| *layer == Layer::None)
        .map(|(level, grammar, layer)| small_corpus(level, grammar, layer))
        .chain([lines_corpus(Level::Default, Layer::None), lines_corpus(Level::Max, Layer::Zstd)])
        .map(|file| Forged::parse(&file).unwrap())
        .collect();
    for file in &files {
        for number in 0..file.sections.len() {
            for other in &files {
                for section in &other.sections {
                    let outcome = exercise(file.with_section(number, section.bytes.clone()));
                    outcome.errors.iter().for_each(check_error);
                }
            }
        }
    }
}

/// A corpus that is large enough for clusters of tokens.
fn clustered_corpus(level: Level) -> Vec<u8> {
    let mut random = Random::new(7);
    let words: Vec<String> = (0..900).map(|n| format!("{}{n}", ["a", "B", "7"][n % 3])).collect();
    let text: String = (0..9000)
        .map(|_| {
            let word = &words[random.below(30) * random.below(30)];
            format!("{word}{}", [" ", ", ", "\n", " "][random.below(4)])
        })
        .collect();
    let documents = [Document::new("a", text)];
    let mut options = options(level, GrammarKind::RePair, Layer::None);
    options.block_symbols = 2000;
    compress(&documents, Feed::Tar, &options).unwrap()
}

#[test]
fn mutations_of_files_with_clusters_or_back_references_do_no_harm() {
    let clustered = [Level::Default, Level::Max].map(clustered_corpus);
    for (number, file) in (0..).zip(clustered.into_iter().chain([bursts_corpus(Layer::None)])) {
        let forged = Forged::parse(&file).unwrap();
        if number < 2 {
            let symbols = open(file).unwrap().facts().sizes.symbols;
            assert!(symbols > 4096, "{symbols} symbols are too few for clusters");
        } else {
            let has_backrefs =
                |section: &ForgedSection| section.code == *b"SEGM" && section.bytes[0] == 3;
            assert!(forged.sections.iter().any(has_backrefs), "no back-references");
        }
        let mut random = Random::new(number);
        for _ in 0..700 {
            let number = random.below(forged.sections.len());
            let mut bytes = forged.sections[number].bytes.clone();
            for _ in 0..1 + random.below(3) {
                // Headers and statistics lie in front.
                let span = if random.below(2) == 0 { bytes.len() } else { bytes.len().min(400) };
                let at = random.below(span);
                bytes[at] = random.next_u64() as u8;
            }
            exercise(forged.with_section(number, bytes)).errors.iter().for_each(check_error);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(8000)))]

    #[test]
    fn random_mutations_behind_repaired_checksums_do_no_harm(
        file in 0usize..zgram_testkit::targets::sound_files().len(),
        section in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..6),
    ) {
        let forged = &zgram_testkit::targets::sound_files()[file];
        let number = section.index(forged.sections.len());
        let mut bytes = forged.sections[number].bytes.clone();
        for (at, how, value) in edits {
            let at = at.index(bytes.len().max(1));
            match how {
                0 => bytes.insert(at.min(bytes.len()), value),
                1 if at < bytes.len() => { bytes.remove(at); }
                _ if at < bytes.len() => bytes[at] = value,
                _ => {}
            }
        }
        exercise(forged.with_section(number, bytes)).errors.iter().for_each(check_error);
    }

    #[test]
    fn any_bytes_after_the_signature_are_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut file = b"\x89ZGRAM\r\n\x01\x00\0\0\0\0\0\0".to_vec();
        file.extend(bytes);
        let outcome = exercise(file);
        prop_assert_eq!(outcome.errors.len(), 1);
        check_error(&outcome.errors[0]);
    }
}

#[test]
fn damaged_envelopes_and_names_write_nothing_outside_and_do_no_harm() {
    let lines = Forged::parse(&lines_corpus(Level::Fast, Layer::None)).unwrap();
    let files =
        Forged::parse(&small_corpus(Level::Fast, GrammarKind::RePair, Layer::None)).unwrap();
    for (forged, code) in [(&lines, b"ENVL"), (&lines, b"DOCS"), (&files, b"DOCS")] {
        let number = forged.position(code);
        let sound = &forged.sections[number].bytes;
        for at in 0..sound.len() {
            for value in [2, b'/', b'.', b'\\'] {
                let mut bytes = sound.clone();
                bytes[at] = value;
                let outcome = exercise_with_files(forged.with_section(number, bytes));
                outcome.errors.iter().for_each(check_error);
            }
        }
    }
}

fn sound() -> Forged {
    let file = small_corpus(Level::Default, GrammarKind::RePair, Layer::Zstd);
    Forged::parse(&file).unwrap()
}

#[test]
fn forging_without_a_change_gives_the_same_file() {
    for (level, grammar, layer) in combinations() {
        let file = small_corpus(level, grammar, layer);
        assert!(Forged::parse(&file).unwrap().to_bytes() == file);
        refused_or_the_same(file.clone(), &small_documents(), "the file itself");
        assert!(exercise(file).errors.is_empty());
    }
}

#[test]
fn other_versions_are_refused_by_number() {
    for version in [0u16, 2, 3, 256, u16::MAX] {
        let mut forged = sound();
        forged.header[8..10].copy_from_slice(&version.to_le_bytes());
        match open(forged.to_bytes()) {
            Err(ContainerError::Version { got }) => assert_eq!(got, version),
            other => panic!("{:?}", other.err()),
        }
    }
}

#[test]
fn unknown_sections_are_skipped_if_optional_and_else_refused() {
    let unknown = |flags| ForgedSection { code: *b"XTRA", number: 3, flags, bytes: vec![7; 50] };
    for place in [0, 1, sound().sections.len()] {
        let mut forged = sound();
        forged.sections.insert(place, unknown(1));
        let outcome = exercise(forged.to_bytes());
        assert!(outcome.errors.is_empty(), "{:?}", outcome.errors);
        assert_eq!(outcome.documents, Some(small_documents()));

        for flags in [0, 2] {
            forged.sections[place] = unknown(flags);
            match open(forged.to_bytes()) {
                Err(ContainerError::UnknownSection { kind, .. }) => assert_eq!(kind, "XTRA"),
                other => panic!("{:?}", other.err()),
            }
        }
    }
}

#[test]
fn missing_sections_are_told() {
    for number in 0..sound().sections.len() {
        let mut forged = sound();
        let gone = forged.sections.remove(number);
        let outcome = exercise(forged.to_bytes());
        assert!(!outcome.errors.is_empty(), "{:?} {} is gone", gone.code, gone.number);
        outcome.errors.iter().for_each(check_error);
    }
}

#[test]
fn an_index_that_points_elsewhere_is_refused() {
    let forged = sound();
    let file = forged.to_bytes();
    let index_at = file.len() - 32 - forged.sections.len() * 40;
    for entry in 0..forged.sections.len() {
        for field in [8, 16] {
            for value in [u64::MAX, u64::MAX - 20, 1 << 40, file.len() as u64, 0] {
                let mut index = file[index_at..file.len() - 32].to_vec();
                let at = entry * 40 + field;
                index[at..at + 8].copy_from_slice(&value.to_le_bytes());
                let mut mended = file[..index_at].to_vec();
                Forged::close(&mut mended, &index);
                let outcome = exercise(mended);
                assert!(!outcome.errors.is_empty(), "entry {entry}, field {field}, {value}");
                outcome.errors.iter().for_each(check_error);
            }
        }
    }
}

#[test]
fn foreign_and_empty_files_and_folders_are_told_apart() {
    for foreign in
        [&b""[..], b"x", b"PK\x03\x04 a zip file of some length, 48 bytes or more!", b"\x89PNG\r\n"]
    {
        assert!(matches!(open(foreign.to_vec()), Err(ContainerError::Foreign)));
    }
    let folder = tempfile::tempdir().unwrap();
    let no_shards = chain(&Corpus::open(folder.path()).err().unwrap());
    let path = folder.path().display().to_string();
    assert_eq!(no_shards, format!("{path}: no .zgram files are in this folder"));
    let missing = folder.path().join("no");
    let error = Corpus::open(&missing).err().unwrap();
    let text = chain(&error);
    assert!(matches!(error, OpenError::File(FileError { action: "open", .. })), "{text}");
    assert!(text.contains(&path) && text.contains("No such"), "{text}");
    let empty = folder.path().join("empty.zgram");
    std::fs::write(&empty, b"").unwrap();
    let text = chain(&Corpus::open(&empty).err().unwrap());
    assert!(text.contains("empty.zgram") && text.contains("not a zgram file"), "{text}");
}
