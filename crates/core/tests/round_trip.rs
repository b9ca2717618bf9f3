//! Any documents come back unchanged, and every figure in the file is true.

use proptest::collection::vec;
use proptest::prelude::*;
use std::sync::Arc;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::storage::Memory;
use zgram::{CompressOptions, Corpus};
use zgram_testkit::{
    Document, Feed, Random, check_corpus, combinations, compress, compress_fed, feed, options,
};

/// Text that is difficult for some part of the program.
fn stretch() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..200),
        any::<String>().prop_map(String::into_bytes),
        "[a-d ]{0,80}".prop_map(String::into_bytes),
        "[\u{4e00}-\u{4e08}\u{3042}\u{0e01}\u{0301}a ]{0,40}".prop_map(String::into_bytes),
        // Truncated inside a character.
        ("[\u{e9}\u{4e00}\u{1f600}]{1,20}", 1usize..4)
            .prop_map(|(text, cut)| text.as_bytes()[..text.len() - cut.min(text.len())].to_vec()),
        "(line [0-3]\r\n){0,10}".prop_map(String::into_bytes),
        (any::<u8>(), 1usize..3000).prop_map(|(byte, times)| vec![byte; times]),
        (vec(any::<u8>(), 1..30), 1usize..40).prop_map(|(phrase, times)| phrase.repeat(times)),
        ("[a-z]{1,9} [a-z]{1,9}[ ,.\n]{1,3}", 1usize..40)
            .prop_map(|(phrase, times)| phrase.repeat(times).into_bytes()),
    ]
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let text = vec(stretch(), 0..5).prop_map(|stretches| stretches.concat());
    let name =
        vec(any::<u8>().prop_filter("no separator", |&byte| byte != 0 && byte != b'/'), 0..90);
    vec((name, text), 0..8).prop_map(|documents| {
        documents
            .into_iter()
            .enumerate()
            .map(|(number, (name, text))| Document::new(unique(number, name), text))
            .collect()
    })
}

/// A name that is unique, in order, and not that of an archive.
fn unique(number: usize, name: Vec<u8>) -> Vec<u8> {
    if cfg!(unix) {
        [format!("{number:03}").as_bytes(), &name, b"~"].concat()
    } else {
        format!("{number:03}").into_bytes()
    }
}

fn any_options() -> impl Strategy<Value = CompressOptions> {
    let memory = prop_oneof![Just(4u64 << 20), Just(64 << 20), Just(4 << 30)];
    let all: Vec<(Level, GrammarKind, Layer)> = combinations().collect();
    (proptest::sample::select(all), 1usize..=3, 1u64..2000, memory).prop_map(
        |((level, grammar, layer), threads, segment_size, memory)| {
            let mut options = options(level, grammar, layer);
            (options.threads, options.segment_size, options.memory) =
                (threads, segment_size, memory);
            options
        },
    )
}

fn any_feed() -> impl Strategy<Value = Feed> {
    prop_oneof![Just(Feed::Tar), Just(Feed::Folder), Just(Feed::Gzip)]
}

/// Segments of one byte are fine, but thousands of them only cost time.
fn bound_segments(options: &mut CompressOptions, documents: &[Document], most: u64) {
    let total: usize = documents.iter().map(|document| document.text.len()).sum();
    options.segment_size = options.segment_size.max(total as u64 / most);
}

fn round_trip(documents: &[Document], how: Feed, options: &CompressOptions) -> Arc<[u8]> {
    let file: Arc<[u8]> = compress(documents, how, options).unwrap().into();
    check_corpus(&file, documents, options);
    file
}

/// Compresses with every level and builder, and checks the result.
fn round_trips(documents: &[Document]) {
    for (level, grammar, layer) in combinations().filter(|(_, _, layer)| *layer == Layer::Zstd) {
        round_trip(documents, Feed::Tar, &options(level, grammar, layer));
    }
}

fn one(text: impl Into<Vec<u8>>) -> [Document; 1] {
    [Document::new("text", text)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(250)))]

    #[test]
    fn any_documents_come_back(
        documents in documents(),
        mut options in any_options(),
        how in any_feed(),
    ) {
        bound_segments(&mut options, &documents, 40);
        round_trip(&documents, how, &options);
    }

    #[test]
    fn a_short_text_in_segments_of_a_few_bytes_comes_back(
        text in vec(stretch(), 1..3).prop_map(|parts| parts.concat()),
        keep in 1usize..120,
        mut options in any_options(),
        segment_size in 1u64..8,
        how in any_feed(),
    ) {
        options.segment_size = segment_size;
        round_trip(&one(&text[..text.len().min(keep)]), how, &options);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(40)))]

    #[test]
    fn the_file_does_not_depend_on_the_number_of_threads(
        documents in documents(),
        mut options in any_options(),
    ) {
        bound_segments(&mut options, &documents, 12);
        let fed = feed(&documents, Feed::Folder);
        let mut file_of = |threads| {
            options.threads = threads;
            compress_fed(&fed, &options).unwrap()
        };
        let one = file_of(1);
        prop_assert_eq!(&one, &file_of(2));
        prop_assert_eq!(&one, &file_of(8));
    }
}

/// Memory and the size of the input decide how many segments there are; threads do not.
#[test]
fn automatic_segments_are_few_and_balanced() {
    let mut random = Random::new(5);
    let documents: Vec<Document> = (0..30)
        .map(|number| {
            let words = (0..10_000).map(|_| format!("repetition{} ", random.below(50)));
            Document::new(format!("{number:02}"), words.collect::<String>())
        })
        .collect();
    let total: u64 = documents.iter().map(|document| document.text.len() as u64).sum();
    let fed = feed(&documents, Feed::Folder);
    let file_of = |memory, threads| {
        let mut options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
        (options.memory, options.threads) = (memory, threads);
        compress_fed(&fed, &options).unwrap()
    };
    let sizes_of = |file: &[u8]| -> Vec<u64> {
        let corpus = Corpus::from_storage("x.zgram", Box::new(Memory(file.to_vec()))).unwrap();
        corpus.facts().segments.iter().map(|facts| facts.sizes.text_bytes).collect()
    };
    // Text of 3/64 of the memory fits in a segment, and a quarter more if no other is needed then.
    assert_eq!(sizes_of(&file_of(18 * total, 2)), [total]);
    let memory = total * 64 / 9 + (1 << 20);
    let few = file_of(memory, 1);
    let sizes = sizes_of(&few);
    assert_eq!(sizes.len(), 3, "{sizes:?} of {total}");
    assert!(sizes.iter().all(|size| size.abs_diff(total / 3) < total / 20), "{sizes:?}");
    assert_eq!(few, file_of(memory, 3));
}

#[test]
fn no_documents_and_empty_documents_come_back() {
    for (level, grammar, layer) in combinations() {
        let options = options(level, grammar, layer);
        round_trip(&[], Feed::Folder, &options);
        let empty = ["a", "b", "c"].map(|name| Document::new(name, ""));
        for how in [Feed::Tar, Feed::Folder, Feed::Gzip] {
            round_trip(&empty, how, &options);
        }
    }
}

#[test]
fn every_byte_value_comes_back_at_every_place() {
    let all: Vec<u8> = (0..=255).collect();
    let pairs: Vec<u8> = (0..=255).flat_map(|a| (0..=255).flat_map(move |b| [a, b])).collect();
    round_trips(&[
        Document::new("all", &all[..]),
        Document::new("backwards", all.iter().rev().copied().collect::<Vec<u8>>()),
        Document::new("pairs", pairs),
    ]);
    let singles: Vec<Document> =
        (0..=255u8).map(|byte| Document::new(format!("{byte:03}"), [byte])).collect();
    round_trips(&singles);
}

#[test]
fn one_word_a_hundred_thousand_times() {
    round_trips(&one("word ".repeat(200_000)));
}

#[test]
fn only_spaces() {
    round_trips(&one(" ".repeat(300_000)));
    round_trips(&one("\n".repeat(257)));
}

#[test]
fn a_line_of_three_megabytes_without_a_space() {
    let mut random = zgram_testkit::Random::new(1);
    let line: Vec<u8> = (0..3_000_000).map(|_| b'a' + random.below(26) as u8).collect();
    for (level, layer) in [(Level::Fast, Layer::Gzip), (Level::Max, Layer::None)] {
        round_trip(&one(&line[..]), Feed::Gzip, &options(level, GrammarKind::RePair, layer));
    }
}

#[test]
fn a_word_around_the_longest_token() {
    for len in [(1 << 20) - 1, 1 << 20, (1 << 20) + 1, (2 << 20) + 7] {
        let text = [&b"start "[..], &vec![b'w'; len], b" end"].concat();
        for how in [Feed::Tar, Feed::Gzip] {
            let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
            round_trip(&one(&text[..]), how, &options);
            options.segment_size = 300_000;
            round_trip(&one(&text[..]), how, &options);
        }
    }
}

#[test]
fn words_of_which_none_repeats() {
    let text: String =
        (0..200_000u32).map(|n| format!("w{:x} ", n.wrapping_mul(2_654_435_761))).collect();
    for (level, grammar, layer) in [
        (Level::Fast, GrammarKind::RePair, Layer::None),
        (Level::Default, GrammarKind::RePair, Layer::Zstd),
        (Level::Max, GrammarKind::Sequitur, Layer::None),
    ] {
        round_trip(&one(&text[..]), Feed::Tar, &options(level, grammar, layer));
    }
}

#[test]
fn fibonacci_and_thue_morse_words() {
    let (mut last, mut fibonacci) = (String::from("b "), String::from("a "));
    while fibonacci.len() < 100_000 {
        let next = fibonacci.clone() + &last;
        last = std::mem::replace(&mut fibonacci, next);
    }
    let thue_morse: String =
        (0..1u32 << 16).map(|n| if n.count_ones() % 2 == 0 { "x " } else { "y " }).collect();
    round_trips(&[Document::new("fibonacci", fibonacci), Document::new("thue-morse", thue_morse)]);
}

#[test]
fn text_in_utf_16_comes_back() {
    let text =
        "It was the best of times, it was the worst of times. \u{4f60}\u{1f600}\r\n".repeat(80);
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = little.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
    round_trips(&[Document::new("big", big), Document::new("little", little)]);
}

#[test]
fn twenty_thousand_documents_of_a_byte() {
    let documents: Vec<Document> = (0..20_000u32)
        .map(|number| Document::new(format!("{number:05}"), [(number * 31 % 251) as u8]))
        .collect();
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    round_trip(&documents, Feed::Tar, &options);
    options.segment_size = 1000;
    round_trip(&documents, Feed::Tar, &options);
}

#[test]
fn a_low_memory_ceiling_cuts_segments_and_changes_no_byte() {
    let text = "one two three, four; five six seven\n".repeat(40_000);
    let mut options = options(Level::Fast, GrammarKind::RePair, Layer::None);
    options.memory = 16 << 20;
    let file = round_trip(&one(text), Feed::Tar, &options);
    let memory = zgram::storage::Memory(file);
    let corpus = zgram::Corpus::from_storage("x", memory).unwrap();
    assert!(corpus.facts().segments.len() > 1, "a segment of all tokens passes the ceiling");
}

#[test]
fn a_vocabulary_larger_than_its_share_of_memory_is_refused() {
    let text: String = (0..30_000).map(|number| format!("word{number} ")).collect();
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.memory = 1 << 20;
    match compress(&one(text), Feed::Tar, &options) {
        Err(zgram::error::CompressError::MemoryCeiling { tokens, needed, ceiling }) => {
            assert!(tokens > 0 && needed > ceiling / 8 * 3 && ceiling == 1 << 20);
        }
        other => panic!("{other:?}"),
    }
}
