//! Spellings against a plain reading of every word of the text.

use tempfile::TempDir;
use zgram::access::Phrase;
use zgram::analytics::{Case, View};
use zgram::error::QueryError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::Splitter;
use zgram::store::{Edit, Store};
use zgram_testkit::{Document, Feed, Random, compress, options};

const WORDS: [&str; 12] =
    ["cat", "Cat", "CAT", "cats", "Cats", "straße", "STRASSE", "the", "The", "x1", "中", "день"];

/// Words of a text as `seen`; what is not seen stays as a gap.
fn words(text: &str, seen: impl Fn(&str) -> Option<String>) -> Vec<Option<String>> {
    let mut words = Vec::new();
    Splitter::default().finish(text.as_bytes(), |class, word| {
        if class.is_word() {
            words.push(seen(str::from_utf8(word).unwrap()));
        }
    });
    words
}

fn some_words(random: &mut Random, most: usize) -> String {
    let words: Vec<&str> =
        (0..random.below(most + 1)).map(|_| WORDS[random.below(WORDS.len())]).collect();
    words.join([" ", ", ", "\n"][random.below(3)])
}

#[test]
fn spellings_are_those_of_a_plain_reading() {
    let lower = View { case: Case::Lower, ..View::default() };
    let fold = View { case: Case::Fold, ..View::default() };
    let stop = std::sync::Arc::new(["the".to_owned()].into());
    let stems = View {
        case: Case::Lower,
        stop_words: stop,
        stem: Some("english".parse().unwrap()),
        ..View::default()
    };
    // The same for the words above, in the plainest way.
    let folded = |word: &str| word.to_lowercase().replace('ß', "ss");
    let stemmed = |word: &str| match &word.to_lowercase()[..] {
        "the" => None,
        "cats" => Some("cat".to_owned()),
        other => Some(other.to_owned()),
    };
    type Seen<'a> = &'a dyn Fn(&str) -> Option<String>;
    let views: [(&View, Seen<'_>); 3] = [
        (&lower, &|word| Some(word.to_lowercase())),
        (&fold, &|word| Some(folded(word))),
        (&stems, &stemmed),
    ];
    let mut random = Random::new(20);
    for _ in 0..30 {
        let mut texts: Vec<String> = (0..3).map(|_| some_words(&mut random, 40)).collect();
        let documents: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| Document::new(at.to_string(), text.as_bytes()))
            .collect();
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("c.zgram");
        let options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        for has_edits in [false, true] {
            if has_edits {
                let more = format!(" {} CATS", some_words(&mut random, 9));
                let edit = Edit::Append { document: 1, bytes: more.clone().into_bytes() };
                store.edit(&[edit]).unwrap();
                texts[1] += &more;
            }
            for (view, seen) in &views {
                let speller = store.speller((*view).clone()).unwrap();
                for asked in
                    ["cat", "CATS", "Strasse", "the", "the cat", "Cat cats", "x1 день", "fox"]
                {
                    let phrase = Phrase::new(asked).unwrap();
                    let found = speller.spellings(&phrase).unwrap();
                    assert_eq!(found, store.spellings(&phrase, view).unwrap());
                    let counted: u64 = found.iter().map(|one| store.count_all(one).unwrap()).sum();
                    let wanted = words(asked, seen);
                    let count = |text: &String| {
                        let words = words(text, seen);
                        let matches = words.windows(wanted.len()).filter(|found| {
                            found
                                .iter()
                                .zip(&wanted)
                                .all(|(word, wanted)| word.is_some() && word == wanted)
                        });
                        matches.count() as u64
                    };
                    assert_eq!(
                        counted,
                        texts.iter().map(count).sum::<u64>(),
                        "{asked} in {texts:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn too_many_spellings_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    let options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    let documents = [Document::new("a", "ab Ab aB AB")];
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let store = Store::open(&path).unwrap();
    let speller = store.speller(View { case: Case::Lower, ..View::default() }).unwrap();
    let phrase = |words: usize| Phrase::new("ab ".repeat(words)).unwrap();
    assert_eq!(speller.spellings(&phrase(6)).unwrap().len(), 4096);
    let refused = speller.spellings(&phrase(7)).unwrap_err();
    assert!(matches!(refused, QueryError::TooManySpellings { most: 4096 }), "{refused}");
}
