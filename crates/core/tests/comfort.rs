//! The names and types that a user of the command line expects in the library.

use zgram::access::{Access, Phrase};
use zgram::error::{AccessError, QueryError};
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus, compress};

fn corpus(folder: &tempfile::TempDir) -> Corpus {
    let texts = folder.path().join("texts");
    std::fs::create_dir(&texts).unwrap();
    for (name, text) in [
        ("walden.txt", "The pond is deep, the pond is clear"),
        ("war.txt", "the war, the PEACE and 2 wars"),
        ("[odd]", "an odd name"),
    ] {
        std::fs::write(texts.join(name), text).unwrap();
    }
    let file = folder.path().join("texts.zgram");
    compress(&Sources::new([texts]), &file, &CompressOptions::default(), &Silent).unwrap();
    Corpus::open(file).unwrap()
}

#[test]
fn queries_have_the_names_of_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder);
    let texts = |query: zgram::analytics::Query<'_, _>| -> Vec<String> {
        query.rows().unwrap().iter().map(|row| row.text().into_owned()).collect()
    };
    let count = || corpus.word_count().lower();
    assert_eq!(
        texts(count().stop_words("english".parse().unwrap()).stop(["war", "wars"]).min_len(2)),
        ["pond", "deep", "odd", "peace"]
    );
    assert_eq!(texts(count().matching("^w".parse().unwrap()).no_digits()), ["war", "wars"]);
    assert_eq!(texts(count().not_matching("[a-z]".parse().unwrap())), ["2"]);
    assert_eq!(texts(count().only_digits()), ["2"]);
    let tamil = count().stop_words("tamil".parse().unwrap()).rows();
    assert!(matches!(tamil, Err(QueryError::NoStopWords { .. })));
}

#[test]
fn documents_are_chosen_by_patterns_and_rows_name_them() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = corpus(&folder);
    let found = corpus.inverted_index().documents_matching("wa*").unwrap();
    let rows = found.matching("^(the|war)$".parse().unwrap()).rows().unwrap();
    let named: Vec<_> = rows.iter().map(|row| (row.text(), row.document_name().unwrap())).collect();
    let the = |name: &'static str| ("the".into(), name.into());
    assert_eq!(named, [the("walden.txt"), the("war.txt"), ("war".into(), "war.txt".into())]);
    assert!(corpus.word_count().rows().unwrap()[0].document_name().is_none());

    assert_eq!(corpus.documents_matching("[odd]").unwrap(), [0], "a name is not a pattern");
    assert_eq!(corpus.documents_matching("{walden,none}.*").unwrap(), [1]);
    assert!(matches!(corpus.documents_matching("x*"), Err(AccessError::NoDocument(_))));
    let bad = corpus.documents_matching("[a").unwrap_err();
    assert!(matches!(bad, AccessError::BadPattern(_)), "{bad}");
}

#[test]
fn a_match_can_be_extracted_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let access = Access::new(corpus(&folder).into());
    let matches = access.search(1, &Phrase::new("pond is").unwrap()).unwrap();
    let texts = matches.iter().map(|found| access.extract(1, found.offset, found.len).unwrap());
    assert_eq!(texts.collect::<Vec<_>>(), [b"pond is", b"pond is"]);
}

#[test]
fn an_error_shows_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("a.txt");
    std::fs::write(&text, "text").unwrap();
    let foreign = Corpus::open(&text).err().unwrap().to_string();
    assert!(foreign.contains("a.txt: not a zgram file"), "{foreign}");
    let missing = Corpus::open(folder.path().join("b.zgram")).err().unwrap();
    let reason = std::error::Error::source(&missing).unwrap().to_string();
    assert!(missing.to_string().ends_with(&reason), "{missing}");
    let sources = Sources::new([folder.path().join("none")]);
    let unread = compress(&sources, folder.path().join("c"), &CompressOptions::default(), &Silent);
    assert!(unread.unwrap_err().to_string().ends_with(&reason));
}
