//! Every build opens the golden files of every format version. `tests/compat/README.md` describes them.

use std::fs;
use std::path::{Path, PathBuf};
use zgram::Corpus;
use zgram::progress::Silent;
use zgram_testkit::{Forged, ForgedSection};

fn compat() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat")
}

/// What a folder holds, by name.
fn entries(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut entries: Vec<(String, PathBuf)> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .collect();
    entries.sort();
    entries
}

fn expected(name: &str) -> Vec<(String, Vec<u8>)> {
    entries(&compat().join("expected").join(name))
        .into_iter()
        .map(|(file, path)| (file.replace("%3A", ":"), fs::read(path).unwrap()))
        .collect()
}

fn check(file: &str, path: &Path) {
    let name = file.split('.').next().unwrap();
    let expected = expected(name);
    assert!(!expected.is_empty(), "nothing is expected of {file}");
    let corpus = Corpus::open(path).unwrap_or_else(|error| panic!("{file}: {error:?}"));
    corpus.verify(&Silent).unwrap_or_else(|error| panic!("{file}: {error:?}"));
    let documents = corpus.documents().unwrap();
    assert_eq!(documents.len(), expected.len(), "{file}");
    for (document, (name, text)) in expected.iter().enumerate() {
        assert_eq!(documents.name(document), Some(name.as_bytes()), "{file}");
        let mut out = Vec::new();
        corpus.write_document(document, &mut out).unwrap();
        assert!(out == *text, "{name} of {file} came back differently");
    }
}

#[test]
fn golden_files_of_every_version_open() {
    let versions: Vec<(String, PathBuf)> = entries(&compat())
        .into_iter()
        .filter(|(name, _)| {
            name.strip_prefix('v').is_some_and(|number| number.parse::<u16>().is_ok())
        })
        .collect();
    for version in 1..=zgram::plumbing::FORMAT_VERSION {
        let name = format!("v{version}");
        assert!(versions.iter().any(|(version, _)| *version == name), "no golden files of {name}");
    }
    for (version, folder) in versions {
        let files = entries(&folder);
        assert!(!files.is_empty(), "no golden files in {version}");
        for (file, path) in files {
            assert!(file.ends_with(".zgram"), "{version}/{file} is no golden file");
            check(&file, &path);
        }
    }
}

#[test]
fn golden_files_show_every_choice_of_the_format() {
    let newest = compat().join(format!("v{}", zgram::plumbing::FORMAT_VERSION));
    let files = entries(&newest);
    let facts: Vec<_> =
        files.iter().map(|(_, path)| Corpus::open(path).unwrap().facts().clone()).collect();
    for (level, grammar, layer) in zgram_testkit::combinations() {
        assert!(
            facts
                .iter()
                .any(|facts| (facts.level, facts.grammar, facts.layer) == (level, grammar, layer)),
            "{level:?} {grammar:?} {layer:?}"
        );
    }
    assert!(facts.iter().any(|facts| facts.has_envelopes));
    assert!(facts.iter().any(|facts| facts.segments.iter().any(|one| one.first_piece > 0)));

    let sections: Vec<_> = files
        .iter()
        .flat_map(|(_, path)| Forged::parse(&fs::read(path).unwrap()).unwrap().sections)
        .collect();
    let kinds = *b"FACT DICT DOCS SEGM ROOT ENVL WDOC ORIG THRS WSUM LATE PHRS";
    for kind in kinds.split(|&byte| byte == b' ') {
        let name = String::from_utf8_lossy(kind);
        assert!(sections.iter().any(|section| section.code == *kind), "no {name}");
    }
    // The first byte of a segment and of a dictionary is its coding.
    for (kind, codings) in [(b"SEGM", 0..=5), (b"DICT", 0..=1)] {
        for coding in codings {
            let is_such =
                |section: &ForgedSection| section.code == *kind && section.bytes[0] == coding;
            assert!(sections.iter().any(is_such), "no golden file has coding {coding}");
        }
    }
}
