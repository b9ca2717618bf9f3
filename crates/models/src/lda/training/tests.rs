//! The sampler against the formula, the exact posterior distribution, and a plain count.

use super::*;
use crate::random::Random;
use std::collections::HashMap;
use zgram::progress::Silent;

/// Documents have a count for every topic, or a list of topics.
const FORMS: [usize; 2] = [usize::MAX, 0];

fn options(topics: usize) -> LdaOptions {
    LdaOptions { topics, alpha: 0.3, beta: 0.05, seed: 5, threads: 1, ..LdaOptions::default() }
}

/// A matrix of random counts, in which some rows are empty.
fn random_matrix(rows: usize, width: usize, seed: u64) -> Matrix<u64> {
    let mut random = Random::new(seed, 0);
    let mut matrix = Matrix::new(width);
    for row in 0..rows {
        for column in 0..width as u32 {
            if row % 7 != 3 && random.below(3) == 0 {
                matrix.columns.push(column);
                matrix.values.push(1 + u64::from(random.below(3) * random.below(3)));
            }
        }
        matrix.row_starts.push(matrix.columns.len() as u64);
    }
    matrix
}

fn started(matrix: &Matrix<u64>, options: &LdaOptions, parts: usize, sparse_from: usize) -> Lda {
    let mut lda = Lda::empty(matrix, options, Some(parts), sparse_from).unwrap();
    lda.grid.scatter(options.topics, options.seed);
    lda.count();
    lda
}

/// The topics of all tokens.
fn topics(lda: &Lda) -> Vec<u16> {
    lda.grid.blocks.iter().flat_map(|block| &block.topics).copied().collect()
}

/// All tokens with their topics, straight from the blocks: document, word, topic.
fn tokens(lda: &Lda) -> Vec<(usize, usize, usize)> {
    let parts = lda.grid.parts();
    let mut tokens = Vec::new();
    for (number, block) in lda.grid.blocks.iter().enumerate() {
        let first = lda.grid.document_starts[number / parts];
        let words = &lda.grid.words[number % parts];
        block.for_each(|document, word, topic| {
            tokens.push((first + document, words[word] as usize, topic));
        });
    }
    tokens
}

/// The collapsed Gibbs formula for one token, by counting all others.
fn conditional(tokens: &[(usize, usize, usize)], which: usize, lda: &Lda) -> Vec<f64> {
    let LdaOptions { topics, alpha, beta, .. } = lda.options;
    let (document, word, _) = tokens[which];
    let others = || tokens.iter().enumerate().filter(|&(at, _)| at != which).map(|(_, one)| one);
    let share = |topic: usize| {
        let of_topic = || others().filter(|one| one.2 == topic);
        let in_document = of_topic().filter(|one| one.0 == document).count() as f64;
        let of_word = of_topic().filter(|one| one.1 == word).count() as f64;
        let all = of_topic().count() as f64;
        (in_document + alpha) * (of_word + beta) / (all + lda.word_count() as f64 * beta)
    };
    (0..topics).map(share).collect()
}

#[test]
fn a_draw_follows_the_formula() {
    const DRAWS: u32 = 20_000;
    let matrix = random_matrix(9, 12, 1);
    for (form, topics) in FORMS.into_iter().flat_map(|form| [1, 2, 7, 8, 9, 50].map(|k| (form, k)))
    {
        let mut lda = started(&matrix, &options(topics), 1, form);
        let tokens = tokens(&lda);
        for which in (0..tokens.len()).step_by(5) {
            let expected = conditional(&tokens, which, &lda);
            let sum: f64 = expected.iter().sum();
            let (document, word, old) = tokens[which];
            let mut weights = Weights::new(lda.prior, lda.totals.clone());
            let counts = lda.words[0].row_mut(word);
            weights.load(counts);
            let without = Some((old, weights.without_one(counts, old)));
            let mut drawn = vec![0u32; topics];
            let rows = &mut lda.documents[0];
            let mut draw = |unit| match rows {
                Rows::Dense(rows) => {
                    rows.load(&weights);
                    rows.weigh(document, &weights);
                    rows.draw(document, without, &weights, unit)
                }
                Rows::Sparse(rows) => {
                    rows.load(&weights);
                    rows.weigh(document, &weights);
                    rows.draw(document, without, &weights, unit)
                }
            };
            for at in 0..DRAWS {
                let draw = draw((at as f32 + 0.5) / DRAWS as f32);
                assert!((f64::from(draw.mass) / sum - 1.0).abs() < 1e-4, "{} {sum}", draw.mass);
                drawn[draw.topic] += 1;
            }
            for (topic, share) in expected.iter().enumerate() {
                let (share, drawn) = (share / sum, f64::from(drawn[topic]) / f64::from(DRAWS));
                assert!((share - drawn).abs() < 4e-4, "{topics} topics: {share} but {drawn}");
            }
        }
    }
}

/// What the topics of all tokens weigh together: the joint distribution, without its constant.
fn joint(tokens: &[(usize, usize, usize)], options: &LdaOptions, words: usize) -> f64 {
    let (mut documents, mut by_word, mut all) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut weight = 1.0;
    for &(document, word, topic) in tokens {
        let in_document: &mut f64 = documents.entry((document, topic)).or_insert(0.0);
        let of_word: &mut f64 = by_word.entry((word, topic)).or_insert(0.0);
        let all: &mut f64 = all.entry(topic).or_insert(0.0);
        weight *= (*in_document + options.alpha) * (*of_word + options.beta)
            / (*all + words as f64 * options.beta);
        (*in_document, *of_word, *all) = (*in_document + 1.0, *of_word + 1.0, *all + 1.0);
    }
    weight
}

#[test]
fn the_chain_visits_states_as_often_as_the_exact_posterior_says() {
    const PASSES: u32 = 60_000;
    let matrix = Matrix {
        row_starts: vec![0, 2, 3, 5],
        columns: vec![0, 1, 1, 0, 2],
        values: vec![2, 1, 1, 1, 1],
        width: 3,
    };
    let options = LdaOptions { alpha: 0.5, beta: 0.4, ..options(2) };
    for form in FORMS {
        let mut lda = started(&matrix, &options, 1, form);
        let mut seen: HashMap<Vec<u16>, u32> = HashMap::new();
        for _ in 0..PASSES {
            lda.iterate(&Silent).unwrap();
            *seen.entry(topics(&lda)).or_default() += 1;
        }
        let mut states = Vec::new();
        for state in 0..1u16 << 6 {
            let topics: Vec<u16> = (0..6).map(|token| state >> token & 1).collect();
            let tokens = tokens(&lda);
            let tokens: Vec<_> =
                tokens.iter().zip(&topics).map(|(one, &k)| (one.0, one.1, k.into())).collect();
            states.push((joint(&tokens, &options, 3), topics));
        }
        let sum: f64 = states.iter().map(|state| state.0).sum();
        let distance = states.iter().map(|(weight, topics)| {
            let seen = seen.get(topics).copied().unwrap_or(0);
            (weight / sum - f64::from(seen) / f64::from(PASSES)).abs() / 2.0
        });
        let distance: f64 = distance.sum();
        assert!(distance < 0.015, "{distance}");
    }
}

#[test]
fn counts_are_those_of_the_tokens_after_every_pass_for_any_threads() {
    let matrix = random_matrix(40, 30, 2);
    for (form, parts) in FORMS.into_iter().flat_map(|form| [1, 2, 5, 64].map(|parts| (form, parts)))
    {
        let mut all = Vec::new();
        for threads in [1, 2, 8] {
            let options = LdaOptions { threads, ..options(9) };
            let mut lda = started(&matrix, &options, parts, form);
            for _ in 0..4 {
                assert!(lda.iterate(&Silent).unwrap().is_finite());
                assert!(lda.is_consistent(&matrix));
            }
            all.push((topics(&lda), lda));
        }
        assert!(all.iter().all(|one| one.0 == all[0].0), "{parts} parts");
        let lda = &all[0].1;
        let mut again = vec![0; matrix.columns.len()];
        for (document, word, _) in tokens(lda) {
            let row =
                matrix.row_starts[document] as usize..matrix.row_starts[document + 1] as usize;
            let at = matrix.columns[row.clone()].binary_search(&(word as u32)).unwrap();
            again[row.start + at] += 1;
        }
        assert_eq!(again, matrix.values);
    }
}

#[test]
fn a_changed_topic_makes_a_model_inconsistent() {
    let matrix = random_matrix(9, 9, 3);
    let mut lda = started(&matrix, &options(3), 2, usize::MAX);
    assert!(lda.is_consistent(&matrix));
    let topic = &mut lda.grid.blocks[0].topics[0];
    *topic = (*topic + 1) % 3;
    assert!(!lda.is_consistent(&matrix));
}

/// With one topic nothing is random: the perplexity follows from the counts.
#[test]
fn perplexity_is_that_of_each_token_given_all_others() {
    let matrix = random_matrix(15, 6, 4);
    for form in FORMS {
        let mut lda = started(&matrix, &options(1), 2, form);
        let tokens = tokens(&lda);
        let logs = tokens.iter().map(|&(_, word, _)| {
            let same = tokens.iter().filter(|other| other.1 == word).count() as f64;
            ((same - 1.0 + 0.05) / (tokens.len() as f64 - 1.0 + 6.0 * 0.05)).ln()
        });
        let expected = (-logs.sum::<f64>() / tokens.len() as f64).exp();
        let perplexity = lda.iterate(&Silent).unwrap();
        assert!((perplexity / expected - 1.0).abs() < 1e-5, "{perplexity} {expected}");
    }
}

/// Tokens that outweigh all else are taken out before the draw, where a difference would be inexact.
#[test]
fn tiny_parameters_keep_the_counts_right() {
    let matrix = random_matrix(20, 40, 6);
    for form in FORMS {
        let options = LdaOptions { alpha: 1e-6, beta: 1e-6, ..options(20) };
        let mut lda = started(&matrix, &options, 1, form);
        for _ in 0..20 {
            assert!(lda.iterate(&Silent).unwrap().is_finite());
            assert!(lda.is_consistent(&matrix));
        }
    }
}

#[test]
fn a_resumed_run_ends_as_one_that_never_stopped() {
    let matrix = random_matrix(60, 50, 7);
    let words = (0..50).map(|word: u32| word.to_string()).collect();
    let fingerprint = crate::lda::Fingerprint::new(&matrix, &words, []);
    // From 1,024 topics on, documents have lists.
    for topics_asked in [5, 1100] {
        let options = options(topics_asked);
        let mut whole = Lda::new(&matrix, &options).unwrap();
        let mut checkpoint = Vec::new();
        for pass in 0..6 {
            if pass == 3 {
                whole.write_checkpoint(fingerprint, &mut checkpoint).unwrap();
            }
            whole.iterate(&Silent).unwrap();
        }
        let options = LdaOptions { threads: 2, ..options };
        let mut resumed =
            Lda::resume(&matrix, &options, fingerprint, &mut &checkpoint[..]).unwrap();
        assert_eq!(resumed.iterations(), 3);
        for _ in 0..3 {
            resumed.iterate(&Silent).unwrap();
        }
        assert_eq!(topics(&resumed), topics(&whole));
        let state = |lda: &Lda| {
            let mut bytes = Vec::new();
            lda.write_checkpoint(fingerprint, &mut bytes).unwrap();
            bytes
        };
        assert_eq!(state(&resumed), state(&whole));
    }
}
