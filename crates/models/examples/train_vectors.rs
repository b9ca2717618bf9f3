//! Trains word vectors on a corpus and asks for neighbours.
//!
//! `cargo run --release -p zgram-models --example train_vectors -- books.zgram vectors.bin`

use std::fs::File;
use std::io::BufWriter;
use zgram::Corpus;
use zgram_models::vectors::VectorFormat;
use zgram_models::word2vec::{Objective, Word2Vec};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [corpus, output, options @ ..] = &arguments[..] else {
        return Err(
            "usage: train_vectors CORPUS VECTORS [skip-gram] [hierarchical] [THREADS] [eEPOCHS]"
                .into(),
        );
    };
    let corpus = Corpus::open(corpus)?;

    // Everything has gensim's default; the methods change it.
    let has = |option: &str| options.iter().any(|other| other == option);
    let objective =
        if has("hierarchical") { Objective::Hierarchical } else { Objective::Negative(5) };
    let threads = options.iter().find_map(|option| option.parse().ok()).unwrap_or(1);
    let epochs =
        options.iter().find_map(|option| option.strip_prefix("e")?.parse().ok()).unwrap_or(5);
    let training =
        Word2Vec::new(&corpus).objective(objective).skip_gram(has("skip-gram")).epochs(epochs);

    // Preparing counts the words. Then each epoch reads the text once.
    let mut training = training.threads(threads).prepare()?;
    println!("{} words in the vocabulary", training.vocabulary().len());
    while let Some(epoch) = training.next_epoch()? {
        println!("epoch {}: loss {:.4}, {:.0} words/s", epoch.number, epoch.loss(), epoch.speed());
    }

    // The vectors can be written after any epoch, not only after the last.
    let vectors = training.vectors();
    vectors.write(VectorFormat::Binary, BufWriter::new(File::create(output)?))?;
    for near in vectors.nearest(&[(0, 1.0)], 5) {
        println!("{:.3} {}", near.similarity, String::from_utf8_lossy(vectors.word(near.word)));
    }
    Ok(())
}
