//! Measures the phrase index of a corpus file: how long it takes to build, how large it is on disk and
//! in memory, and how long questions take.
//!
//! ```sh
//! cargo run --release -p zgram --example phrase_index -- FILE
//! ```
//!
//! The file must have been compressed without `--phrases`. It is copied, and the copy gets the index.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};
use zgram::access::Phrase;
use zgram::plumbing::{SectionKind, phrase_index_memory, words_of};
use zgram::progress::Silent;
use zgram::store::Store;

/// Phrases of each length.
const PHRASES: usize = 2000;

/// Lengths in words.
const LENGTHS: [usize; 6] = [1, 2, 3, 5, 13, 50];

fn main() -> Result<(), Box<dyn Error>> {
    let Some(file) = std::env::args().nth(1) else {
        return Err("usage: phrase_index FILE".into());
    };
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("copy.zgram");
    std::fs::copy(file, &copy)?;
    let store = Store::open_for_editing(&copy)?;
    let facts = store.corpus().facts().sizes;
    let start = Instant::now();
    store.index_phrases(true, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    let text = facts.text_bytes as f64;
    println!("built in {seconds:.2} s, {:.0} MB/s", text / 1e6 / seconds);
    drop(store);

    let store = Store::open(&copy)?;
    let corpus = store.corpus();
    let sections = corpus.sections().iter();
    let stored: u64 = sections
        .filter(|section| section.kind == SectionKind::Phrases)
        .map(|section| section.len)
        .sum();
    println!("on disk {stored} bytes, {:.2} % of the text", 100.0 * stored as f64 / text);

    let phrases: Vec<Vec<Phrase>> =
        LENGTHS.iter().map(|&len| draw(&store, len)).collect::<Result<_, _>>()?;
    let start = Instant::now();
    store.count_all(&phrases[2][0])?;
    println!("first count: {:?}, {} bytes in memory", start.elapsed(), phrase_index_memory(&store));
    for (len, phrases) in LENGTHS.iter().zip(&phrases) {
        let mut best = Duration::MAX;
        for _ in 0..5 {
            let start = Instant::now();
            for phrase in phrases {
                black_box(store.count_all(phrase)?);
            }
            best = best.min(start.elapsed());
        }
        println!("count of {len} words: {:.2} us", best.as_secs_f64() * 1e6 / phrases.len() as f64);
    }
    let (mut places, mut time) = (0, Duration::ZERO);
    for round in 0..2 {
        (places, time) = (0, Duration::ZERO);
        for phrase in phrases[2]
            .iter()
            .filter(|phrase| store.count_all(phrase).is_ok_and(|count| count < 1000))
        {
            let start = Instant::now();
            places += store.search_all(phrase)?.iter().map(|(_, found)| found.len()).sum::<usize>();
            time += start.elapsed();
        }
        if round == 0 {
            println!("(segments loaded)");
        }
    }
    println!("a place: {:.2} us, of {places}", time.as_secs_f64() * 1e6 / places as f64);
    let (mut rows, mut asked, start) = (0, 0, Instant::now());
    for phrase in phrases[1].iter().take(200) {
        rows += store.next_words(phrase, None, false)?.words.len();
        asked += 1;
    }
    let time = start.elapsed().as_secs_f64() * 1e6;
    println!(
        "next words: {:.2} us a question, {:.2} us a row",
        time / f64::from(asked),
        time / rows as f64
    );
    let memory = phrase_index_memory(&store);
    println!("in memory {memory} bytes, {:.2} % of the text", 100.0 * memory as f64 / text);
    Ok(())
}

/// Phrases from places spread over the corpus.
fn draw(store: &Store, len: usize) -> Result<Vec<Phrase>, Box<dyn Error>> {
    let documents = store.documents()?;
    let total: u64 = documents.iter().map(|document| document.size).sum();
    let (mut phrases, mut seed) = (Vec::new(), 88_172_645_463_325_252u64);
    for _ in 0..PHRASES {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        let mut at = seed % total.max(1);
        let document = documents.iter().find(|document| {
            let is_here = at < document.size;
            at -= if is_here { 0 } else { document.size };
            is_here
        });
        let Some(document) = document else { continue };
        let text = store.extract(document.number, at, 40 * len + 200)?;
        let words: Vec<&[u8]> =
            words_of(&text, false).into_iter().skip(1).take(len).map(|(_, word)| word).collect();
        if words.len() == len {
            phrases.push(Phrase::new(words.join(&b' '))?);
        }
    }
    Ok(phrases)
}
