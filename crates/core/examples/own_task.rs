//! # A task of your own
//!
//! zgram has six tasks, such as word count and inverted index. This example adds one: the mean length of
//! the words of each document. We will:
//!
//! - describe the task by what happens at a rule of the grammar,
//! - run it over a corpus, with a view of words and several threads.
//!
//! Run it with `cargo run -p zgram --example own_task`.

use zgram::analytics::{Task, Words};
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus, compress};

// # The task
//
// A corpus is a grammar: rules stand for phrases that repeat. A task never sees the text. It sees the
// words that a rule contains directly (`local`), and what other rules within it have found
// (`integrate`). So a phrase that occurs a thousand times is counted once and multiplied.
//
// Words are numbers here; `Words` has their texts.
struct WordLengths<'w>(&'w Words<'w>);

#[derive(Default)]
struct Lengths {
    characters: u64,
    words: u64,
}

impl Task for WordLengths<'_> {
    // What is gathered at a rule or a document, and what a rule passes on to the rules that use it.
    type Value = Lengths;
    type Message = Lengths;

    fn value(&self) -> Lengths {
        Lengths::default()
    }

    // `word` occurs `times` times here.
    fn local(&self, value: &mut Lengths, word: u32, times: u64) {
        let text = String::from_utf8_lossy(self.0.text(word));
        value.characters += text.chars().count() as u64 * times;
        value.words += times;
    }

    // Another rule, which found `message`, occurs `times` times here.
    fn integrate(&self, value: &mut Lengths, message: &Lengths, times: u64) {
        value.characters += message.characters * times;
        value.words += message.words * times;
    }

    // The rule or the document is complete; what is left must be empty.
    fn propagate(&self, value: &mut Lengths) -> Lengths {
        std::mem::take(value)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scratch = tempfile::tempdir()?;
    let texts = scratch.path().join("texts");
    std::fs::create_dir(&texts)?;
    std::fs::write(texts.join("long.txt"), "considerable considerations ".repeat(100))?;
    std::fs::write(texts.join("short.txt"), "to be or not to be ".repeat(100))?;
    let file = scratch.path().join("texts.zgram");
    compress(&Sources::new([&texts]), &file, &CompressOptions::default(), &Silent)?;
    let corpus = Corpus::open(&file)?;

    // # Run it
    //
    // `traverse` takes the same refinements as the built-in tasks. `prepare` loads what the run needs,
    // among it the words as the view shows them.
    let run = corpus.traverse().lower().min_len(2).threads(2).prepare()?;
    let documents = corpus.documents()?;
    for (document, Lengths { characters, words }) in run.each_document(&WordLengths(run.words()))? {
        let name = String::from_utf8_lossy(documents.name(document).unwrap_or_default());
        println!("{name}: {words} words, mean length {:.1}", characters as f64 / words as f64);
        let expected = if name == "long.txt" { (2600, 200) } else { (1300, 600) };
        assert_eq!((characters, words), expected);
    }
    Ok(())
}
