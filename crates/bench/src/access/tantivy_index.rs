//! A tantivy index with positions and stored text.

use super::Figures;
use super::clock::Clock;
use super::texts::{Random, Texts};
use anyhow::Result;
use std::path::Path;
use std::time::{Duration, Instant};
use tantivy::collector::Count;
use tantivy::query::{PhraseQuery, TermQuery};
use tantivy::schema::{
    IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::{RawTokenizer, SimpleTokenizer, TextAnalyzer};
use tantivy::{DocAddress, Index, TantivyDocument, Term, doc};

const QUERIES: usize = 2000;

pub(super) fn measure(
    texts: &Texts,
    scratch: &Path,
    share: &dyn Fn(u64) -> String,
    figures: &mut Figures,
) -> Result<()> {
    let folder = scratch.join("tantivy");
    std::fs::create_dir(&folder)?;
    let mut schema = Schema::builder();
    let number = schema.add_text_field("number", STRING);
    let positions = TextFieldIndexing::default()
        .set_tokenizer("cased")
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text = schema
        .add_text_field("text", TextOptions::default().set_indexing_options(positions) | STORED);
    let index = Index::create_in_dir(&folder, schema.build())?;
    // Words as zgram has them: as they are written.
    index.tokenizers().register("cased", TextAnalyzer::builder(SimpleTokenizer::default()).build());
    index.tokenizers().register("raw", TextAnalyzer::builder(RawTokenizer::default()).build());
    // Another thread does the work.
    let begun = Instant::now();
    let mut writer = index.writer_with_num_threads(1, 200_000_000)?;
    for (at, document) in texts.documents.iter().enumerate() {
        let content = String::from_utf8_lossy(document).into_owned();
        writer.add_document(doc!(number => at.to_string(), text => content))?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let speed = texts.bytes() as f64 / 1e6 / begun.elapsed().as_secs_f64();
    figures.add("build", "tantivy", format!("{speed:.1} MB/s"));
    let bytes = std::fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.metadata()?.len()))
        .sum::<Result<u64>>()?;
    figures.add("size with index, positions and text", "tantivy", share(bytes));

    let searcher = index.reader()?.searcher();
    let mut random = Random(2);
    let queries: Vec<(usize, String)> = texts
        .words(QUERIES, &mut random)
        .into_iter()
        .map(|(document, word)| (document, String::from_utf8_lossy(&word).into_owned()))
        .collect();
    let begun = Clock::start();
    for (_, word) in &queries {
        let mut count = 0u64;
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(text)?;
            let term = Term::from_field_text(text, word);
            if let Some(mut postings) =
                inverted.read_postings(&term, IndexRecordOption::WithFreqs)?
            {
                use tantivy::DocSet;
                use tantivy::postings::Postings;
                while postings.doc() != tantivy::TERMINATED {
                    count += u64::from(postings.term_freq());
                    postings.advance();
                }
            }
        }
        std::hint::black_box(count);
    }
    figures.add("count(all, word), mean", "tantivy", begun.micros(queries.len()));
    let begun = Clock::start();
    for (_, word) in &queries {
        let query = TermQuery::new(Term::from_field_text(text, word), IndexRecordOption::Basic);
        std::hint::black_box(searcher.search(&query, &Count)?);
    }
    figures.add("documents with a word, mean", "tantivy", begun.micros(queries.len()));
    let begun = Clock::start();
    for pair in queries.windows(2).take(500) {
        let terms = pair.iter().map(|(_, word)| Term::from_field_text(text, word)).collect();
        std::hint::black_box(searcher.search(&PhraseQuery::new(terms), &Count)?);
    }
    figures.add("documents with two words in sequence, mean", "tantivy", begun.micros(499));
    let mut total = Duration::ZERO;
    for at in 0..200u32 {
        let segment = &searcher.segment_readers()[0];
        let begun = Instant::now();
        let document: TantivyDocument =
            searcher.doc(DocAddress::new(0, at % segment.num_docs()))?;
        std::hint::black_box(
            document.get_first(text).and_then(|value| value.as_str().map(str::len)),
        );
        total += begun.elapsed();
    }
    figures.add(
        "a stored document, mean",
        "tantivy",
        format!("{:.1} µs", total.as_nanos() as f64 / 1000.0 / 200.0),
    );
    Ok(())
}
