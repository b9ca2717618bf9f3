//! Answers worked out by hand.

use super::*;

fn documents() -> Vec<Document> {
    vec![
        Document::new("a.txt", "b a, b!"),
        Document::new("b.txt", " ... "),
        Document::new("c/d.txt", "a b a b a"),
    ]
}

fn ask(question: &Question) -> Vec<String> {
    answer(&documents(), question)
        .into_iter()
        .map(|row| {
            let text = |bytes| String::from_utf8(bytes).unwrap();
            let document = row.document.map(|name| format!(" @{}", text(name)));
            format!("{} {}{}", text(row.words), row.count, document.unwrap_or_default())
        })
        .collect()
}

fn question(task: Task) -> Question {
    Question { n: 2, ..Question::new(task) }
}

#[test]
fn words_are_counted() {
    assert_eq!(ask(&question(Task::WordCount)), ["a 4", "b 4"]);
    assert_eq!(ask(&Question { top: Some(1), ..question(Task::WordCount) }), ["a 4"]);
    let chosen = Question { documents: vec!["a.txt".into()], ..question(Task::WordCount) };
    assert_eq!(ask(&chosen), ["b 2", "a 1"]);
    let chosen = Question { documents: vec!["*d*".into()], ..question(Task::WordCount) };
    assert_eq!(ask(&chosen), ["a 3", "b 2"]);
}

#[test]
fn words_are_sorted() {
    let sort = Question { documents: vec!["c/*".into()], ..question(Task::Sort) };
    assert_eq!(ask(&sort), ["a 3", "b 2"]);
    assert_eq!(ask(&Question { reverse: true, ..sort.clone() }), ["b 2", "a 3"]);
    let by = Question { by: SortBy::Count, documents: vec!["a*".into()], ..sort };
    assert_eq!(ask(&by), ["b 2", "a 1"]);
    assert_eq!(ask(&Question { reverse: true, ..by }), ["a 1", "b 2"]);
}

#[test]
fn words_have_documents_and_documents_words() {
    assert_eq!(
        ask(&question(Task::InvertedIndex)),
        ["a 1 @a.txt", "a 3 @c/d.txt", "b 2 @a.txt", "b 2 @c/d.txt"]
    );
    let vector = question(Task::TermVector);
    assert_eq!(ask(&vector), ["b 2 @a.txt", "a 1 @a.txt", "a 3 @c/d.txt", "b 2 @c/d.txt"]);
    assert_eq!(ask(&Question { top: Some(1), ..vector }), ["b 2 @a.txt", "a 3 @c/d.txt"]);
}

#[test]
fn sequences_stay_within_documents() {
    let per_document = question(Task::SequenceCount);
    assert_eq!(
        ask(&per_document),
        ["a b 1 @a.txt", "b a 1 @a.txt", "a b 2 @c/d.txt", "b a 2 @c/d.txt"]
    );
    assert_eq!(ask(&Question { corpus: true, ..per_document.clone() }), ["a b 3", "b a 3"]);
    assert_eq!(ask(&Question { n: 5, ..per_document.clone() }), ["a b a b a 1 @c/d.txt"]);
    assert_eq!(ask(&Question { n: 6, ..per_document }), Vec::<String>::new());
    assert_eq!(
        ask(&question(Task::RankedInvertedIndex)),
        ["a b 2 @c/d.txt", "a b 1 @a.txt", "b a 2 @c/d.txt", "b a 1 @a.txt"]
    );
}

#[test]
fn a_word_that_a_view_leaves_out_ends_a_sequence_unless_gaps_are_asked_for() {
    let view = View { stop: vec!["b".into()], ..View::default() };
    let sequences = Question { view, ..question(Task::SequenceCount) };
    assert_eq!(ask(&sequences), Vec::<String>::new());
    assert_eq!(ask(&Question { gaps: true, ..sequences }), ["a a 2 @c/d.txt"]);
}

#[test]
fn sequences_are_ordered_word_by_word() {
    let documents = [Document::new("x", "ab c a zz ab c")];
    let rows = answer(&documents, &question(Task::RankedInvertedIndex));
    let words: Vec<&[u8]> = rows.iter().map(|row| &row.words[..]).collect();
    assert_eq!(words, [&b"a zz"[..], b"ab c", b"c a", b"zz ab"]);
}

#[test]
#[should_panic(expected = "two words or more")]
fn a_sequence_of_one_word_is_refused() {
    let _ = answer(&[], &Question { n: 1, ..Question::new(Task::SequenceCount) });
}
