//! Files of word vectors: written, read back, and refused; and the nearest words.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram_models::vectors::{VectorFormat, VectorsError, WordVectors};

fn read(bytes: &[u8]) -> Result<WordVectors, VectorsError> {
    WordVectors::read(bytes)
}

/// Vectors that read from text.
fn vectors(words: &[(String, Vec<f32>)]) -> WordVectors {
    let size = words.first().map_or(1, |(_, vector)| vector.len());
    let mut text = format!("{} {size}\n", words.len());
    for (word, vector) in words {
        let numbers: Vec<String> = vector.iter().map(f32::to_string).collect();
        text += &format!("{word} {}\n", numbers.join(" "));
    }
    read(text.as_bytes()).expect("they are well-formed")
}

fn written(vectors: &WordVectors, format: VectorFormat) -> Vec<u8> {
    let mut out = Vec::new();
    vectors.write(format, &mut out).expect("memory takes what is written");
    out
}

/// What word2vec.c and gensim 4.4 write for the same two words.
#[test]
fn files_of_other_programs_are_read() {
    let numbers = |numbers: [f32; 2]| numbers.map(f32::to_le_bytes).concat();
    let rows = [
        b"the ".to_vec(),
        numbers([0.5, -1.0]),
        b"\xc3\xa9t\xc3\xa9 ".to_vec(),
        numbers([2.0, 0.0]),
    ];
    let gensim = [&b"2 2\n"[..], &rows.concat()].concat();
    let original = [b"2 2\n", &rows[..2].concat()[..], b"\n", &rows[2..].concat(), b"\n"].concat();
    let text = "2 2\nthe 0.5 -1.0\nété 2.0 0.0\n";
    let text_of_original = "2 2\nthe 0.500000 -1.000000 \nété 2.000000 0.000000 \n";
    for bytes in [&gensim[..], &original, text.as_bytes(), text_of_original.as_bytes()] {
        let vectors = read(bytes).expect("it is well-formed");
        assert_eq!((vectors.len(), vectors.size()), (2, 2));
        assert_eq!((vectors.word(0), vectors.vector(0)), (&b"the"[..], &[0.5, -1.0][..]));
        assert_eq!((vectors.word(1), vectors.vector(1)), ("été".as_bytes(), &[2.0, 0.0][..]));
    }
    let ours = read(text.as_bytes()).expect("it is well-formed");
    assert_eq!(written(&ours, VectorFormat::Binary), original);
    assert_eq!(written(&ours, VectorFormat::Text), "2 2\nthe 0.5 -1\nété 2 0\n".as_bytes());
}

proptest! {
    #[test]
    fn both_formats_give_the_same_numbers_back(
        rows in vec(("[a-zé]{1,6}", vec(prop::num::f32::NORMAL | prop::num::f32::ZERO, 3)), 0..20)
    ) {
        let vectors = vectors(&rows);
        for format in [VectorFormat::Text, VectorFormat::Binary] {
            let bytes = written(&vectors, format);
            prop_assert_eq!(&read(&bytes).expect("it is ours"), &vectors);
            // No part of a file passes for a whole one, but for the last line end.
            for end in (0..bytes.len().saturating_sub(1)).filter(|end| end % 7 == 0) {
                if let Ok(part) = read(&bytes[..end]) {
                    prop_assert!(part.is_empty() || format == VectorFormat::Text);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200), header in "[0-9]{1,3} [0-9]{1,2}\n") {
        let _ = read(&bytes);
        let _ = read(&[header.as_bytes(), &bytes].concat());
    }

    #[test]
    fn the_nearest_words_are_those_of_a_plain_sort(
        rows in vec(vec(-1.0f32..1.0, 11), 2..40),
        most in 0usize..50,
    ) {
        let rows: Vec<(String, Vec<f32>)> =
            rows.into_iter().enumerate().map(|(at, row)| (format!("w{at}"), row)).collect();
        let vectors = vectors(&rows);
        let cosine = |a: &[f32], b: &[f32]| {
            let dot = |a: &[f32], b: &[f32]| -> f64 {
                a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
            };
            dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
        };
        let found = vectors.nearest(&[(1, 1.0)], most);
        prop_assert_eq!(found.len(), most.min(rows.len() - 1));
        let mut expected: Vec<f64> = (0..rows.len())
            .filter(|&at| at != 1)
            .map(|at| cosine(&rows[1].1, &rows[at].1))
            .collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        for (found, expected) in found.iter().zip(expected) {
            prop_assert!((f64::from(found.similarity) - expected).abs() < 1e-5);
            let exact = cosine(&rows[1].1, &rows[found.word].1);
            prop_assert!((f64::from(found.similarity) - exact).abs() < 1e-5);
        }
    }
}

#[test]
fn malformed_files_are_refused_by_row() {
    let refused = |text: &[u8]| read(text).expect_err("it is malformed").to_string();
    for text in [&b""[..], b"word 1 2\n", b"2\n", b"2 2", b"1 2 3\n", b"-1 2\n", &[0xFF; 100]] {
        assert!(refused(text).starts_with("this is no file of word vectors"), "{text:?}");
    }
    assert_eq!(refused(b"1 0\n"), "vectors of 0 numbers are not possible; the most are 1048576");
    assert!(refused(b"1 99999999999\n").starts_with("vectors of 99999999999 numbers"));
    assert_eq!(refused(b"9 1\na 1\n"), "there are 1 rows of the 9 that the first line promises");
    assert_eq!(refused(b"2 1\na 1\nb x\n"), "row 2: a number is malformed");
    assert_eq!(refused(b"2 1\na 1\nb\n"), "row 2: it has no numbers");
    assert!(refused(b"2 1\na 1\nb 1 2\n").starts_with("row 2: it has another number"));
    let endless = [b"1 4\n", &[b'x'; 1 << 17][..]].concat();
    assert_eq!(refused(&endless), "row 1: its word does not end");
    // A header that promises more than memory holds costs nothing.
    assert!(refused(b"18446744073709551615 1048576\na 1\n").contains("rows of the"));
}

#[test]
fn sums_and_differences_leave_their_words_out() {
    let row = |word: &str, vector: [f32; 3]| (word.to_owned(), vector.to_vec());
    let vectors = vectors(&[
        row("king", [1.0, 1.0, 0.0]),
        row("man", [1.0, 0.0, 0.0]),
        row("woman", [0.0, 0.0, 1.0]),
        row("queen", [0.0, 0.9, 1.0]),
        row("nothing", [0.0; 3]),
    ]);
    let [king, man, woman] = [0, 1, 2];
    let near = vectors.nearest(&[(king, 1.0), (man, -1.0), (woman, 1.0)], 10);
    assert_eq!(near.iter().map(|near| near.word).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(near[1].similarity, 0.0);
    // A word without a direction is near to nothing.
    assert!(vectors.nearest(&[(4, 1.0)], 10).iter().all(|near| near.similarity == 0.0));
    assert_eq!(vectors.find(b"woman"), Some(2));
    assert_eq!(vectors.find_all(&[b"man", b"king", b"man"]), Ok(vec![1, 0, 1]));
    assert_eq!(vectors.find_all(&[b"man", b"prince"]), Err(1));
}
