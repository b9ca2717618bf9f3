//! Extract, count, search.

use super::Figures;
use super::clock::{Clock, on_all_threads};
use super::texts::{Random, Texts};
use anyhow::{Result, ensure};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zgram::Corpus;
use zgram::access::{Access, Phrase};

const EXTRACTS: usize = 200_000;
const WORDS: usize = 4000;

pub(super) fn measure(
    plain: &Path,
    indexed: &Path,
    texts: &Texts,
    figures: &mut Figures,
) -> Result<()> {
    let corpus = Arc::new(Corpus::open(plain)?);
    // Decoding is loading, which `compress` measures: here it is what random access adds.
    let segments = 0..corpus.facts().segments.len();
    let (result, decoding) = on_all_threads(|| {
        segments.into_iter().try_for_each(|number| corpus.segment(number).map(drop))
    });
    result?;
    let access = Access::new(Arc::clone(&corpus));
    let (result, time) = on_all_threads(|| {
        (0..texts.documents.len()).try_for_each(|document| access.extract(document, 0, 1).map(drop))
    });
    result?;
    figures.add("load all segments for extract", "zgram", format!("{:.3} s", time.as_secs_f64()));
    let (result, time) = on_all_threads(|| access.prepare());
    result?;
    let speed =
        |time: Duration| format!("{:.0} MB/s", texts.bytes() as f64 / 1e6 / time.as_secs_f64());
    figures.add("build all indexes (segments loaded)", "zgram", speed(time));
    let stored = Access::new(Arc::new(Corpus::open(indexed)?));
    let (result, time) = on_all_threads(|| stored.prepare());
    result?;
    let loaded = time.saturating_sub(decoding);
    figures.add("load stored index, build the rest", "zgram", speed(loaded));

    extracts(&access, texts, figures)?;
    words(&access, texts, figures)
}

fn extracts(access: &Access, texts: &Texts, figures: &mut Figures) -> Result<()> {
    let mut random = Random(1);
    let places: Vec<(usize, u64)> = (0..EXTRACTS).map(|_| texts.place(&mut random)).collect();
    for &(document, offset) in &places[..100] {
        let text = &texts.documents[document][offset as usize..];
        ensure!(access.extract(document, offset, 64)? == text[..text.len().min(64)]);
    }
    let mut out = Vec::new();
    for _ in 0..2 {
        let begun = Clock::start();
        for &(document, offset) in &places {
            out.clear();
            access.extract_to(document, offset, 64, &mut out)?;
        }
        if figures.0.last().is_none_or(|last| last.what != "extract 64 bytes, first") {
            figures.add("extract 64 bytes, first", "zgram", begun.micros(EXTRACTS));
        } else {
            figures.add("extract 64 bytes, warm", "zgram", begun.micros(EXTRACTS));
        }
    }
    Ok(())
}

fn words(access: &Access, texts: &Texts, figures: &mut Figures) -> Result<()> {
    let mut random = Random(2);
    let queries: Vec<(usize, Phrase)> = texts
        .words(WORDS, &mut random)
        .into_iter()
        .map(|(document, word)| Ok((document, Phrase::new(word)?)))
        .collect::<Result<_>>()?;
    for (document, phrase) in &queries[..100] {
        let found = access.search(*document, phrase)?;
        ensure!(access.count(*document, phrase)? == found.len() as u64);
        let word = phrase.words().next().expect("a word");
        for place in found {
            ensure!(texts.documents[*document][place.offset as usize..].starts_with(word));
        }
    }
    let begun = Clock::start();
    for (document, phrase) in &queries {
        access.count(*document, phrase)?;
    }
    figures.add("count(document, word), mean", "zgram", begun.micros(queries.len()));
    let begun = Clock::start();
    for (_, phrase) in &queries {
        access.count_all(phrase)?;
    }
    figures.add("count(all, word), mean", "zgram", begun.micros(queries.len()));

    let mut times = Vec::new();
    let mut hits = 0;
    let all = Clock::start();
    for (document, phrase) in &queries {
        // Too short for the thread's clock: the median is not disturbed by other work.
        let begun = Instant::now();
        let found = access.search(*document, phrase)?.len();
        times.push((begun.elapsed(), found));
        hits += found;
    }
    let total = all.elapsed();
    let over = times.iter().filter(|(time, found)| time.as_nanos() as usize > 10_000 + 50 * found);
    let over = 100.0 * over.count() as f64 / times.len() as f64;
    times.sort_unstable();
    let median = times[times.len() / 2];
    figures.add(
        "search(document, word), median",
        "zgram",
        format!("{:.2} µs", median.0.as_nanos() as f64 / 1000.0),
    );
    figures.add(
        "search(document, word), mean",
        "zgram",
        format!(
            "{:.2} µs, {:.1} hits",
            total.as_nanos() as f64 / 1000.0 / times.len() as f64,
            hits as f64 / times.len() as f64
        ),
    );
    figures.add("searches over 10 µs + 50 ns a hit", "zgram", format!("{over:.1} %"));

    let phrases: Vec<(usize, Phrase)> = queries
        .iter()
        .take(500)
        .filter_map(|(document, phrase)| {
            let word = phrase.words().next()?;
            let place = access.search(*document, phrase).ok()?.first()?.offset as usize;
            let text = &texts.documents[*document][place..];
            let rest = &text[word.len()..text.len().min(word.len() + 40)];
            Some((*document, Phrase::new([word, rest].concat()).ok()?))
        })
        .map(|(document, phrase)| {
            let three: Vec<&[u8]> = phrase.words().take(3).collect();
            (document, Phrase::new(three.join(&b' ')).expect("words"))
        })
        .collect();
    let begun = Clock::start();
    for (document, phrase) in &phrases {
        access.search(*document, phrase)?;
    }
    figures.add("search(document, three words), mean", "zgram", begun.micros(phrases.len()));
    let begun = Clock::start();
    let mut found = 0;
    let some = &phrases[..phrases.len().min(50)];
    for (_, phrase) in some {
        found += access.count_all(phrase)?;
    }
    figures.add("count(all, three words), mean", "zgram", begun.micros(some.len()));
    ensure!(found >= some.len() as u64);
    Ok(())
}
