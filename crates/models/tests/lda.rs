//! Topic models through their public interface.

use zgram::analytics::{Matrix, Terms};
use zgram::progress::{Interrupted, Progress, Silent};
use zgram_models::lda::{Fingerprint, Lda, LdaError, LdaOptions, hold_out};
use zgram_models::random::Random;

/// Rows of columns and counts.
fn matrix(width: usize, rows: &[&[(u32, u64)]]) -> Matrix<u64> {
    let mut matrix = Matrix::new(width);
    for row in rows {
        matrix.columns.extend(row.iter().map(|cell| cell.0));
        matrix.values.extend(row.iter().map(|cell| cell.1));
        matrix.row_starts.push(matrix.columns.len() as u64);
    }
    matrix
}

/// Documents of 40 words each, mostly from one of four topics of ten words, else from the next topic.
fn four_topics() -> Matrix<u64> {
    let mut random = Random::new(3, 0);
    let mut all = Matrix::new(40);
    for document in 0..200 {
        let mut counts = [0u64; 40];
        for _ in 0..40 {
            let topic = if random.below(4) == 0 { (document + 1) % 4 } else { document % 4 };
            counts[(topic * 10 + random.below(10)) as usize] += 1;
        }
        for (column, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            all.columns.push(column as u32);
            all.values.push(count);
        }
        all.row_starts.push(all.columns.len() as u64);
    }
    all
}

fn trained(matrix: &Matrix<u64>, options: &LdaOptions, passes: u64) -> Lda {
    let mut lda = Lda::new(matrix, options).unwrap();
    for _ in 0..passes {
        lda.iterate(&Silent).unwrap();
    }
    lda
}

#[test]
fn topics_that_made_the_documents_are_found() {
    let matrix = four_topics();
    let lda = trained(&matrix, &LdaOptions { topics: 4, ..LdaOptions::default() }, 150);
    let sizes = lda.topic_sizes();
    assert_eq!(sizes.iter().sum::<u64>(), 8000);
    let mut groups = Vec::new();
    for topic in 0..4 {
        let first: Vec<u32> =
            lda.topic_words(topic).iter().take(8).map(|(word, _)| word / 10).collect();
        assert!(first.iter().all(|&group| group == first[0]), "{first:?}");
        groups.push(first[0]);
    }
    groups.sort_unstable();
    assert_eq!(groups, [0, 1, 2, 3]);
    // Weights with those of words that are not listed are a distribution.
    let listed = lda.topic_words(0);
    assert!(listed.is_sorted_by(|a, b| a.1 >= b.1));
    let rest = (40 - listed.len()) as f64 * 0.01 / (sizes[0] as f64 + 40.0 * 0.01);
    let sum: f64 = listed.iter().map(|one| one.1).sum();
    assert!((sum + rest - 1.0).abs() < 1e-9);
    let of_document = lda.document_topics(7);
    let rest = (4 - of_document.len()) as f64 * 0.1 / (40.0 + 4.0 * 0.1);
    assert!((of_document.iter().map(|one| one.1).sum::<f64>() + rest - 1.0).abs() < 1e-9);
}

#[test]
fn perplexity_falls_and_four_topics_predict_better_than_one() {
    let matrix = four_topics();
    let split = hold_out(&matrix, 0.25, 9).unwrap();
    assert_eq!((split.training.rows(), split.held_out.rows()), (200, 200));
    let held_out = (0..200).filter(|&row| !split.held_out.row(row).0.is_empty());
    let held_out: Vec<usize> = held_out.collect();
    assert_eq!(held_out.len(), 50);
    for row in 0..200 {
        let (from, other) = match held_out.contains(&row) {
            true => (&split.held_out, &split.training),
            false => (&split.training, &split.held_out),
        };
        assert_eq!(from.row(row), matrix.row(row));
        assert!(other.row(row).0.is_empty());
    }
    let perplexity = |topics| {
        let options = LdaOptions { topics, threads: 1, ..LdaOptions::default() };
        let mut lda = Lda::new(&split.training, &options).unwrap();
        let first = lda.iterate(&Silent).unwrap();
        let last = (0..80).map(|_| lda.iterate(&Silent).unwrap()).last().unwrap();
        (first, last, lda.held_out_perplexity(&split.held_out).unwrap())
    };
    let (one, four) = (perplexity(1), perplexity(4));
    assert!((one.0 - one.1).abs() < 0.01);
    assert!(four.1 < 0.8 * four.0, "{four:?}");
    // Three quarters of the words are from ten words, the others from ten others: about 17.5.
    assert!(one.2 > 38.0 && (16.0..22.0).contains(&four.2), "{one:?} {four:?}");
    let lda = trained(&split.training, &LdaOptions::default(), 1);
    assert_eq!(lda.held_out_perplexity(&Matrix::new(40)), None);
}

/// With one topic the estimate of a document's topics is exact, and the perplexity plain arithmetic.
#[test]
fn the_second_half_of_each_document_is_predicted() {
    let training = matrix(3, &[&[(0, 6), (1, 3), (2, 1)]]);
    let held_out = matrix(3, &[&[(0, 3), (1, 2)], &[(2, 1)], &[]]);
    let options = LdaOptions { topics: 1, beta: 1.0, ..LdaOptions::default() };
    let lda = trained(&training, &options, 1);
    // Tokens 0 0 0 1 1: the second and the fourth are predicted. One token has no second half.
    let expected = (-(f64::ln(7.0 / 13.0) + f64::ln(4.0 / 13.0)) / 2.0).exp();
    assert!((lda.held_out_perplexity(&held_out).unwrap() - expected).abs() < 1e-9);
}

#[test]
fn impossible_requests_are_refused() {
    let some = matrix(2, &[&[(0, 1), (1, 2)]]);
    let refused = |matrix: &Matrix<u64>, options: LdaOptions| {
        Lda::new(matrix, &options).unwrap_err().to_string()
    };
    let usual = LdaOptions::default;
    for topics in [0, 65_536] {
        let error = refused(&some, LdaOptions { topics, ..usual() });
        assert_eq!(error, format!("{topics} topics are not possible; choose from 1 to 65535"));
    }
    for number in [f64::NAN, f64::INFINITY, -0.1, 0.0, 1e9] {
        let error = refused(&some, LdaOptions { alpha: number, ..usual() });
        assert!(error.starts_with(&format!("alpha is {number}; choose a number from")), "{error}");
        let error = refused(&some, LdaOptions { beta: number, ..usual() });
        assert!(error.starts_with("beta is"), "{error}");
    }
    assert!(refused(&Matrix::new(0), usual()).contains("no words"));
    assert!(refused(&matrix(3, &[&[], &[]]), usual()).contains("no words"));
    let huge = matrix(2, &[&[(0, 1 << 31), (1, u64::MAX)]]);
    assert!(refused(&huge, usual()).contains("at most 2147483647"));
    let error = refused(&some, LdaOptions { topics: 1000, memory: 1000, ..usual() });
    assert!(error.contains("1000 topics of 2 words in 1 documents need"), "{error}");
    for share in [f64::NAN, -1.0, 0.0, 1.0, 0.1] {
        assert!(matches!(hold_out(&some, share, 1), Err(LdaError::BadShare { .. })), "{share}");
    }
}

#[test]
fn a_checkpoint_serves_its_own_run_only() {
    let matrix = four_topics();
    let words: Terms = (0..40).map(|word: u32| word.to_string()).collect();
    let names: Vec<String> = (0..200).map(|name| name.to_string()).collect();
    let names = || names.iter().map(String::as_bytes);
    let fingerprint = Fingerprint::new(&matrix, &words, names());
    let options = LdaOptions { topics: 3, ..LdaOptions::default() };
    let mut bytes = Vec::new();
    trained(&matrix, &options, 2).write_checkpoint(fingerprint, &mut bytes).unwrap();
    let resumed = |options: &LdaOptions, fingerprint, bytes: &[u8]| {
        Lda::resume(&matrix, options, fingerprint, &mut &bytes[..]).map(|lda| lda.iterations())
    };
    assert_eq!(resumed(&options, fingerprint, &bytes).unwrap(), 2);

    for (other, message) in [
        (LdaOptions { topics: 4, ..options.clone() }, "the number of topics was 3, now it is 4"),
        (LdaOptions { alpha: 0.2, ..options.clone() }, "alpha was 0.1, now it is 0.2"),
        (LdaOptions { beta: 0.5, ..options.clone() }, "beta was 0.01, now it is 0.5"),
        (LdaOptions { seed: 8, ..options.clone() }, "the seed was 1, now it is 8"),
    ] {
        let error = resumed(&other, fingerprint, &bytes).unwrap_err().to_string();
        assert!(error.ends_with(message), "{error}");
    }
    let mut other_words: Vec<&[u8]> = words.iter().collect();
    other_words[5] = b"five";
    let other_words: Terms = other_words.into_iter().collect();
    let mut more = matrix.clone();
    more.values[0] += 1;
    for other in [
        Fingerprint::new(&matrix, &other_words, names()),
        Fingerprint::new(&matrix, &words, names().skip(1)),
        Fingerprint::new(&more, &words, names()),
    ] {
        assert!(matches!(resumed(&options, other, &bytes), Err(LdaError::OtherMatrix)));
    }
    // No byte can change, be missing or be added without notice.
    for at in (0..bytes.len()).step_by(97).chain(0..72).chain(bytes.len() - 9..bytes.len()) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(resumed(&options, fingerprint, &damaged).is_err(), "byte {at}");
        assert!(resumed(&options, fingerprint, &bytes[..at]).is_err(), "{at} bytes");
    }
    bytes.push(0);
    assert!(resumed(&options, fingerprint, &bytes).is_err());
}

#[test]
fn training_stops_when_asked() {
    struct Stop;
    impl Progress for Stop {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let mut lda = Lda::new(&four_topics(), &LdaOptions::default()).unwrap();
    assert!(matches!(lda.iterate(&Stop), Err(LdaError::Interrupted(Interrupted))));
}
