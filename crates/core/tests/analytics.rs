//! Every traversal, at any number of threads, gives the oracle's rows in the oracle's order.

use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;
use zgram::Corpus;
use zgram::analytics::{
    Case, Choice, Digits, NormalForm, Query, Question, Row, SortBy, Traversal, View,
};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::storage::Memory;
use zgram::store::Store;
use zgram_testkit::model::{Model, some_edit};
use zgram_testkit::oracle::{self, Task};
use zgram_testkit::{Document, Feed, Random, compress, options, suite};

/// The file of some documents, in segments of about `segment_size` bytes.
fn file(documents: &[Document], grammar: GrammarKind, segment_size: u64) -> Vec<u8> {
    let mut options = options(Level::Default, grammar, Layer::Zstd);
    options.segment_size = segment_size;
    compress(documents, Feed::Tar, &options).expect("nothing stands against it")
}

fn corpus(documents: &[Document], grammar: GrammarKind, segment_size: u64) -> Corpus {
    let bytes: Arc<[u8]> = file(documents, grammar, segment_size).into();
    Corpus::from_storage("test", Box::new(Memory(bytes))).expect("it was just made")
}

/// The library's words for the oracle's view.
fn view(asked: &oracle::View) -> View {
    let regex = |pattern: &Option<String>| pattern.as_deref().map(|p| p.parse().expect("a regex"));
    let usual = asked.stop_language.as_deref().map(|language| {
        let language: zgram::analytics::Language = language.parse().expect("a language");
        language.stop_words().expect("a list of stop words")
    });
    View {
        pattern: match asked.sklearn {
            true => zgram::analytics::Pattern::ScikitLearn,
            false => zgram::analytics::Pattern::Words,
        },
        normal_form: asked.normalize.map(|form| match form {
            oracle::Form::Nfc => NormalForm::Nfc,
            oracle::Form::Nfd => NormalForm::Nfd,
            oracle::Form::Nfkc => NormalForm::Nfkc,
            oracle::Form::Nfkd => NormalForm::Nfkd,
        }),
        case: match (asked.lower, asked.fold) {
            (_, true) => Case::Fold,
            (true, false) => Case::Lower,
            (false, false) => Case::Keep,
        },
        min_length: asked.min_len,
        digits: if asked.no_digits { Digits::Drop } else { Digits::Keep },
        matching: regex(&asked.matching),
        excluding: regex(&asked.no_match),
        stop_words: Arc::new(
            asked.stop.iter().cloned().chain(usual.into_iter().flatten()).collect(),
        ),
        stem: asked.stem.as_deref().map(|language| language.parse().expect("a language")),
    }
}

/// How a question is answered, which must not change the answer.
#[derive(Clone, Copy, Debug)]
struct Way {
    choice: Choice,
    threads: usize,
    memory: u64,
}

/// Refines a query as the question asks, and answers it.
fn answer<Q: Clone + Into<Question>>(
    query: Query<'_, Q>,
    names: &[&[u8]],
    question: &oracle::Question,
    way: Way,
) -> Vec<oracle::Row> {
    let mut query = query
        .view(view(&question.view))
        .traversal(way.choice)
        .threads(way.threads)
        .memory(way.memory);
    if let Some(top) = question.top {
        query = query.top(top);
    }
    if !question.documents.is_empty() {
        let chosen = (0..names.len()).filter(|&number| question.chooses(names[number]));
        query = query.documents(chosen);
    }
    let row = |row: Row| oracle::Row {
        words: row.words,
        count: row.count,
        document: row.document.map(|document| names[document].to_vec()),
    };
    query.rows().expect("an answer").into_iter().map(row).collect()
}

fn ask(corpus: &Corpus, question: &oracle::Question, way: Way) -> Vec<oracle::Row> {
    let table = corpus.documents().expect("a table");
    let names: Vec<&[u8]> = table.iter().map(|(name, _)| name).collect();
    let names = &names[..];
    match question.task {
        Task::WordCount => answer(corpus.word_count(), names, question, way),
        Task::Sort => {
            let by = match question.by {
                oracle::SortBy::Word => SortBy::Word,
                oracle::SortBy::Count => SortBy::Count,
            };
            let sort = corpus.sort().by(by).reverse(question.reverse);
            answer(sort, names, question, way)
        }
        Task::InvertedIndex => answer(corpus.inverted_index(), names, question, way),
        Task::TermVector => answer(corpus.term_vector(), names, question, way),
        Task::SequenceCount => {
            let sequences = corpus.sequence_count().words(question.n);
            let sequences = if question.corpus { sequences.of_corpus() } else { sequences };
            answer(sequences, names, question, way)
        }
        Task::RankedInvertedIndex => {
            answer(corpus.ranked_inverted_index().words(question.n), names, question, way)
        }
    }
}

/// Every traversal, one thread and several; with plenty of memory, and with so little that sequences
/// are counted in several passes.
fn ways(documents: &[Document]) -> impl Iterator<Item = Way> {
    let text: usize = documents.iter().map(|document| document.text.len()).sum();
    let scarce = 2 * text as u64;
    let choices = [Choice::Auto, Choice::TopDown]
        .into_iter()
        .chain(Traversal::ALL.into_iter().map(Choice::Fixed));
    choices.flat_map(move |choice| {
        let way = move |(threads, memory)| Way { choice, threads, memory };
        [(1, 1 << 30), (2, scarce), (8, 1 << 30)].into_iter().map(way)
    })
}

#[test]
fn the_suite_holds_for_every_traversal() {
    for case in suite::cases() {
        let text: usize = case.documents.iter().map(|document| document.text.len()).sum();
        // Whole, in a few segments, and in segments so small that documents are split.
        for (segment_size, grammar) in [
            (u64::MAX / 4, GrammarKind::RePair),
            (text as u64 / 3 + 1, GrammarKind::Sequitur),
            (40.max(text as u64 / 50), GrammarKind::RePair),
        ] {
            let corpus = corpus(&case.documents, grammar, segment_size);
            for way in ways(&case.documents) {
                let found = ask(&corpus, &case.question, way);
                assert_eq!(found, case.expected, "{case}, segments of {segment_size}, {way:?}");
            }
        }
    }
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let stretch = prop_oneof![
        "[a-d ]{0,80}",
        "[a-cA-C_ .]{0,60}",
        "[\u{4e00}-\u{4e03}\u{3042}\u{0e01}\u{0301}\u{93f}a_ ]{0,40}",
        ("[a-z]{1,3} [a-b]{1,2}[ ,.\n]{1,3}", 1usize..40)
            .prop_map(|(phrase, times)| phrase.repeat(times)),
    ];
    let binary = vec(any::<u8>(), 0..60);
    let text = vec(prop_oneof![6 => stretch.prop_map(String::into_bytes), 1 => binary], 0..6);
    vec(text.prop_map(|stretches| stretches.concat()), 0..6).prop_map(|texts| {
        let document = |(number, text)| Document::new(format!("{number:02}"), text);
        texts.into_iter().enumerate().map(document).collect()
    })
}

fn questions() -> impl Strategy<Value = oracle::Question> {
    let view = (any::<[bool; 4]>(), 0usize..3).prop_map(|([lower, fold, digits, sklearn], min)| {
        oracle::View {
            lower,
            fold,
            no_digits: digits,
            sklearn,
            min_len: min,
            ..oracle::View::default()
        }
    });
    let view = prop_oneof![Just(oracle::View::default()), view];
    (
        proptest::sample::select(Task::ALL.to_vec()),
        prop_oneof![2usize..5, 5usize..40],
        any::<[bool; 2]>(),
        proptest::option::weighted(0.3, 0usize..6),
        view,
    )
        .prop_map(|(task, n, [corpus, reverse], top, view)| oracle::Question {
            n,
            corpus: corpus && task == Task::SequenceCount,
            reverse: reverse && task == Task::Sort,
            top,
            view,
            ..oracle::Question::new(task)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_question_to_any_corpus_is_answered_as_by_the_oracle(
        documents in documents(),
        question in questions(),
        segment_size in 1u64..600,
        sequitur in any::<bool>(),
    ) {
        let grammar = if sequitur { GrammarKind::Sequitur } else { GrammarKind::RePair };
        let corpus = corpus(&documents, grammar, segment_size);
        let expected = oracle::answer(&documents, &question);
        for way in ways(&documents) {
            let found = ask(&corpus, &question, way);
            prop_assert_eq!(&found, &expected, "{:?}", way);
        }
    }

    #[test]
    fn pending_edits_are_seen_by_every_question(
        documents in documents(),
        question in questions(),
        segment_size in 1u64..600,
        edits in 1usize..30,
        seed in any::<u64>(),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, file(&documents, GrammarKind::RePair, segment_size)).expect("room");
        let store = Store::open_for_editing(&path).expect("a corpus");
        let (mut random, mut model, mut names) = (Random::new(seed), Model::of(&documents), 0);
        for _ in 0..edits {
            let edit = some_edit(&mut random, &model, &mut names);
            model.apply(&edit);
            store.edit(&[edit]).expect("it can be made");
        }
        let documents = model.documents();
        let expected = oracle::answer(&documents, &question);
        let snapshot = store.snapshot().expect("nothing is damaged");
        for way in ways(&documents) {
            let found = ask(&snapshot, &question, way);
            prop_assert_eq!(&found, &expected, "{:?}", way);
        }
        // A store that has just replayed the journal knows the same.
        let reopened = Store::open(&path).expect("a corpus").snapshot().expect("no damage");
        let way = Way { choice: Choice::Auto, threads: 2, memory: 1 << 30 };
        prop_assert_eq!(&ask(&reopened, &question, way), &expected);
    }
}
