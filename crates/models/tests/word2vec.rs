//! Training on whole corpora: the same vectors however the corpus is stored, errors, and sense.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use zgram::Corpus;
use zgram::analytics::{Case, View};
use zgram::format::GrammarKind;
use zgram::progress::{Progress, Stage};
use zgram::store::{Edit, Store};
use zgram_models::vectors::WordVectors;
use zgram_models::word2vec::{Objective, Word2Vec, Word2VecError};
use zgram_testkit::oracle::{Question, Task, answer};
use zgram_testkit::{Document, Random, corpus, file};

/// Sentences of an article, an adjective and an animal or a number, so that animals and numbers have
/// different neighbours.
fn documents() -> Vec<Document> {
    let mut random = Random::new(1);
    let mut pick = |words: &[&'static str]| words[random.below(words.len())];
    (0..40)
        .map(|number| {
            let mut text = String::new();
            for _ in 0..60 {
                let animal = pick(&["cat", "dog", "horse", "mouse"]);
                let (how, does) =
                    (pick(&["small", "old", "Wild"]), pick(&["sleeps", "runs", "eats"]));
                text += &format!("the {how} {animal} {does}. ");
                let (a, b) = (pick(&["one", "two", "three"]), pick(&["one", "two", "three"]));
                text += &format!("{a} plus {b} makes {}, ", pick(&["four", "five", "six"]));
            }
            Document::new(format!("d{number:02}"), text)
        })
        .collect()
}

fn whole(documents: &[Document]) -> Corpus {
    corpus(documents, GrammarKind::RePair, 1 << 30)
}

fn trained(training: Word2Vec<'_>) -> WordVectors {
    let mut training = training.prepare().expect("the corpus is sound");
    while training.next_epoch().expect("the corpus is sound").is_some() {}
    training.vectors()
}

fn small(corpus: &Corpus) -> Word2Vec<'_> {
    Word2Vec::new(corpus).size(12).epochs(2).sample(0.0).threads(1)
}

#[test]
fn one_thread_and_a_seed_give_the_same_vectors_for_any_layout() {
    let documents = documents();
    let one = whole(&documents);
    let first = trained(small(&one));
    assert_eq!(first, trained(small(&one)));
    assert_ne!(first, trained(small(&one).seed(2)));
    for segment_size in [500, 5_000] {
        for grammar in [GrammarKind::RePair, GrammarKind::Sequitur] {
            let many = corpus(&documents, grammar, segment_size);
            assert_eq!(first, trained(small(&many)), "{grammar:?}, segments of {segment_size}");
        }
    }
}

#[test]
fn pending_edits_and_chosen_documents_count() {
    let documents = documents();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, file(&documents[..30], GrammarKind::RePair, 3_000)).expect("a file");
    let store = Store::open_for_editing(&path).expect("a store");
    for Document { name, text } in &documents[30..] {
        let edit = Edit::Add { name: name.clone(), bytes: text.clone() };
        store.edit(&[edit]).expect("a valid edit");
    }
    drop(store);
    let edited = Corpus::open(&path).expect("the file and its edits");
    let expected = trained(small(&whole(&documents)));
    assert_eq!(trained(small(&edited)), expected);
    let chosen = trained(small(&edited).documents(5..25));
    assert_eq!(chosen, trained(small(&whole(&documents[5..25]))));
}

#[test]
fn the_vocabulary_has_the_oracles_counts() {
    let documents = documents();
    let corpus = whole(&documents);
    let view = View { case: Case::Lower, ..View::default() };
    let training = Word2Vec::new(&corpus).view(view).min_count(900).prepare().expect("words");
    let vocabulary = training.vocabulary();
    let mut question = Question::new(Task::WordCount);
    question.view.lower = true;
    let counts: HashMap<Vec<u8>, u64> = answer(&documents, &question)
        .into_iter()
        .map(|row| (row.words, row.count))
        .filter(|&(_, count)| count >= 900)
        .collect();
    assert_eq!(vocabulary.len(), counts.len());
    for (word, count) in vocabulary.words().zip(vocabulary.counts()) {
        assert_eq!(counts[word], *count);
    }
    assert!(vocabulary.counts().is_sorted_by(|a, b| a >= b));
}

/// With any architecture, output layer and number of threads, animals are nearest to animals.
#[test]
fn words_of_one_kind_are_nearest_to_each_other() {
    let corpus = whole(&documents());
    let objectives = [Objective::Negative(5), Objective::Hierarchical];
    for (case, threads) in (0..4).zip([1, 2, 8, 3]) {
        let (objective, skip_gram) = (objectives[case % 2], case / 2 > 0);
        let training = Word2Vec::new(&corpus).size(16).window(3).epochs(12).sample(0.0).alpha(0.05);
        let training = training.objective(objective).skip_gram(skip_gram).threads(threads);
        let mut training = training.prepare().expect("words");
        let mut losses = Vec::new();
        while let Some(epoch) = training.next_epoch().expect("the corpus is sound") {
            assert_eq!(epoch.words, training.vocabulary().total());
            losses.push(epoch.loss());
        }
        assert!(losses[11] < losses[0] && losses[11] > 0.0, "{losses:?}");
        let vectors = training.vectors();
        for kind in [&["cat", "dog", "horse", "mouse"][..], &["sleeps", "runs", "eats"]] {
            for word in kind {
                let number = vectors.find(word.as_bytes()).expect("it is frequent");
                let near = vectors.nearest(&[(number, 1.0)], kind.len() - 1);
                let near: Vec<_> = near.iter().map(|near| vectors.word(near.word)).collect();
                let is_of_kind = |near: &&[u8]| kind.iter().any(|word| word.as_bytes() == *near);
                assert!(
                    near.iter().all(is_of_kind),
                    "{objective:?}, {skip_gram}, {word}: {near:?}"
                );
            }
        }
    }
}

#[test]
fn senseless_options_and_empty_corpora_are_refused() {
    let corpus = whole(&documents());
    let new = || Word2Vec::new(&corpus);
    let error = |training: Word2Vec<'_>| match training.prepare() {
        Ok(_) => panic!("it is refused"),
        Err(error) => error.to_string(),
    };
    assert_eq!(error(new().size(0)), "size must be from 1 to 10,000, not 0");
    assert_eq!(error(new().window(0)), "window must be from 1 to 1,000 words, not 0");
    assert!(error(new().window(1_000_000_000)).ends_with("not 1000000000"));
    assert_eq!(error(new().epochs(0)), "epochs must be at least 1, not 0");
    assert!(error(new().objective(Objective::Negative(0))).starts_with("negative must be"));
    assert!(error(new().max_vocab(0)).starts_with("max-vocab"));
    assert!(error(new().sample(-1.0)).starts_with("sample"));
    assert!(error(new().sample(f64::NAN)).starts_with("sample"));
    assert!(error(new().alpha(0.0)).starts_with("alpha"));
    assert!(error(new().alpha(f32::INFINITY)).starts_with("alpha"));
    let rare = error(new().min_count(1_000_000));
    assert!(
        rare.contains("occurs 1000000 times; the most frequent one occurs 2400 times"),
        "{rare}"
    );
    assert!(error(new().documents([])).starts_with("the chosen documents have no words"));
    let empty = whole(&[Document::new("a", "")]);
    assert!(matches!(Word2Vec::new(&empty).prepare(), Err(Word2VecError::NoWords)));
}

#[test]
fn a_single_word_and_a_long_document_are_no_problem() {
    let single = whole(&[Document::new("a", "again ".repeat(25_000))]);
    for objective in [Objective::Negative(2), Objective::Hierarchical] {
        let vectors = trained(small(&single).objective(objective));
        assert_eq!((vectors.len(), vectors.word(0)), (1, &b"again"[..]));
        assert!(vectors.vector(0).iter().all(|number| number.is_finite()));
    }
}

/// Stops after some reports.
struct Impatient {
    left: AtomicUsize,
}

impl Progress for Impatient {
    fn advance(&self, stage: Stage, _: u64) {
        if stage == Stage::Training {
            let _ =
                self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.left.load(Ordering::SeqCst) == 0
    }
}

#[test]
fn training_stops_when_asked() {
    let corpus = whole(&documents());
    for threads in [1, 2] {
        let progress = Impatient { left: AtomicUsize::new(2) };
        let training = Word2Vec::new(&corpus).threads(threads).progress(&progress);
        let error = training.prepare().expect("words").next_epoch().expect_err("it is cancelled");
        assert!(error.is_interrupted());
    }
}

/// A tiny run gives the numbers of a program that shares nothing with ours: in Python, one number at a
/// time in double precision, with the exact logistic function. The tolerance is for our floats and table.
#[test]
fn a_tiny_run_gives_the_numbers_of_another_program() {
    let text = "the cat sat on the mat and the dog sat on the log ".repeat(30);
    let corpus = whole(&[Document::new("a", text)]);
    let new = || Word2Vec::new(&corpus).size(3).window(2).sample(0.01).seed(42).threads(1);
    let hierarchical = || new().objective(Objective::Hierarchical);
    let cases = [
        (new(), [-0.70455, -1.20609, -1.55485], [-0.30317, -0.57886, -0.64906]),
        (new().skip_gram(true), [-0.33628, -0.73210, -0.96556], [-0.35827, -0.69179, -0.84468]),
        (hierarchical(), [0.01327, -0.14821, -0.17263], [-0.00226, -0.13864, -0.07514]),
        (
            hierarchical().skip_gram(true),
            [-0.03554, -0.23809, -0.31111],
            [-0.04826, -0.19674, -0.18656],
        ),
    ];
    for (training, the, cat) in cases {
        let vectors = trained(training);
        for (word, expected) in [(0, the), (4, cat)] {
            let found = vectors.vector(word);
            let close = |(found, expected): (&f32, &f32)| (found - expected).abs() < 1e-3;
            assert!(found.iter().zip(&expected).all(close), "{found:?}, not {expected:?}");
        }
        assert_eq!((vectors.word(0), vectors.word(4)), (&b"the"[..], &b"cat"[..]));
    }
}
