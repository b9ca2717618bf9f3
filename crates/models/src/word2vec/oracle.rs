//! word2vec in the plainest way: one number at a time, in double precision, with the exact logistic
//! function. It draws the same random numbers as the learner.

use super::draw::{NegativeWords, Subsample};
use super::huffman::HuffmanCodes;
use super::learner::{Learner, Loss, Output, Plan};
use super::logistic::Logistic;
use super::matrix::{Matrix, Rows};
use crate::random::Random;
use fearless_simd::Level;

/// Both layers.
#[derive(Clone)]
struct Model {
    input: Vec<Vec<f64>>,
    output: Vec<Vec<f64>>,
}

/// The rows to ask and the right answers.
fn questions(plan: &Plan, word: u32, drawn: &[u32]) -> Vec<(usize, bool)> {
    match &plan.output {
        Output::Hierarchical(codes) => {
            let path = codes.path(word as usize);
            path.iter().map(|step| (step.node as usize, !step.bit)).collect()
        }
        Output::Negative { .. } => {
            let others = drawn.iter().filter(|&&other| other != word);
            [(word as usize, true)]
                .into_iter()
                .chain(others.map(|&o| (o as usize, false)))
                .collect()
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The loss of one question.
fn loss_of(x: f64, answer: bool) -> f64 {
    if answer { (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}

/// The loss of a prediction.
fn loss(output: &[Vec<f64>], hidden: &[f64], questions: &[(usize, bool)]) -> f64 {
    questions.iter().map(|&(row, answer)| loss_of(dot(hidden, &output[row]), answer)).sum()
}

/// One prediction: changes rows of the output layer, returns the hidden layer's change and the loss.
fn predict(
    output: &mut [Vec<f64>],
    hidden: &[f64],
    questions: &[(usize, bool)],
    rate: f64,
) -> (Vec<f64>, f64) {
    let mut change = vec![0.0; hidden.len()];
    let mut sum = 0.0;
    for &(row, answer) in questions {
        let row = &mut output[row];
        let x = dot(hidden, row);
        sum += loss_of(x, answer);
        let gain = rate * (f64::from(u8::from(answer)) - 1.0 / (1.0 + (-x).exp()));
        for at in 0..hidden.len() {
            change[at] += gain * row[at];
            row[at] += gain * hidden[at];
        }
    }
    (change, sum)
}

/// A piece of text, as [`Learner::piece`].
fn piece(model: &mut Model, plan: &Plan, words: &[u32], rate: f64, random: &mut Random) -> Loss {
    let mut kept = Vec::new();
    plan.subsample.keep(words, random, &mut kept);
    let draw = |random: &mut Random| -> Vec<u32> {
        match &plan.output {
            Output::Hierarchical(_) => Vec::new(),
            Output::Negative { words, samples } => {
                (0..*samples).map(|_| words.draw(random)).collect()
            }
        }
    };
    let mut next = draw(random);
    let mut total = Loss::default();
    for at in 0..kept.len() {
        let width = (plan.window - random.below(plan.window)) as usize;
        let context: Vec<usize> = (0..kept.len())
            .filter(|&other| other != at && other.abs_diff(at) <= width)
            .map(|other| kept[other] as usize)
            .collect();
        let groups: Vec<Vec<usize>> = match plan.skip_gram {
            true => context.iter().map(|&word| vec![word]).collect(),
            false if context.is_empty() => Vec::new(),
            false => vec![context],
        };
        for group in groups {
            let drawn = std::mem::replace(&mut next, draw(random));
            let mut hidden = vec![0.0; model.input[0].len()];
            for &word in &group {
                for (sum, x) in hidden.iter_mut().zip(&model.input[word]) {
                    *sum += x / group.len() as f64;
                }
            }
            let questions = questions(plan, kept[at], &drawn);
            let (change, sum) = predict(&mut model.output, &hidden, &questions, rate);
            for &word in &group {
                for (x, change) in model.input[word].iter_mut().zip(&change) {
                    *x += change;
                }
            }
            total += Loss { sum, predictions: 1 };
        }
    }
    total
}

const COUNTS: [u64; 12] = [400, 90, 60, 40, 30, 20, 10, 9, 8, 7, 6, 5];

fn plan(skip_gram: bool, hierarchical: bool, window: u32, sample: f64) -> Plan {
    Plan {
        skip_gram,
        window,
        output: match hierarchical {
            true => Output::Hierarchical(HuffmanCodes::new(&COUNTS)),
            false => Output::Negative { words: NegativeWords::new(&COUNTS), samples: 3 },
        },
        subsample: Subsample::new(&COUNTS, COUNTS.iter().sum(), sample),
        logistic: Logistic::new(),
        level: Level::new(),
    }
}

fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    let numbers: Vec<f64> = matrix.numbers().map(f64::from).collect();
    numbers.chunks(matrix.size()).map(<[f64]>::to_vec).collect()
}

fn assert_close(found: &Matrix, expected: &[Vec<f64>], what: &str) {
    for (found, expected) in rows(found).iter().zip(expected) {
        for (found, expected) in found.iter().zip(expected) {
            let error = (found - expected).abs() / expected.abs().max(0.1);
            assert!(error < 2e-4, "{what}: {found} instead of {expected}");
        }
    }
}

fn learn<R: Rows>(mut learner: Learner<'_, R>, words: &[u32]) -> Loss {
    let mut random = Random::new(3, 0);
    let mut loss = learner.piece(&words[..words.len() / 2], 0.1, &mut random);
    loss += learner.piece(&words[words.len() / 2..], 0.05, &mut random);
    loss
}

#[test]
fn layers_change_as_the_oracle_says() {
    let mut random = Random::new(5, 0);
    let words: Vec<u32> = (0..300).map(|_| random.below(12)).collect();
    for (case, size) in (0..16).zip([1, 7, 8, 10, 33].into_iter().cycle()) {
        let (skip_gram, hierarchical, shared) = (case & 1 > 0, case & 2 > 0, case & 4 > 0);
        let (window, sample) = if case & 8 > 0 { (4, 0.0) } else { (1, 0.05) };
        let plan = plan(skip_gram, hierarchical, window, sample);
        let mut input = Matrix::zeros(12, size).unwrap();
        let mut output = Matrix::zeros(12, size).unwrap();
        input.randomize(1);
        output.randomize(2);
        let mut model = Model { input: rows(&input), output: rows(&output) };
        let found = if shared {
            let layers = (input.shared(), output.shared());
            let found = learn(Learner::new(&plan, layers.0.rows(), layers.1.rows()), &words);
            input.take(layers.0);
            output.take(layers.1);
            found
        } else {
            learn(Learner::new(&plan, input.alone(), output.alone()), &words)
        };
        let mut random = Random::new(3, 0);
        let mut expected = piece(&mut model, &plan, &words[..150], 0.1, &mut random);
        expected += piece(&mut model, &plan, &words[150..], 0.05, &mut random);
        let what = format!("case {case}, size {size}");
        assert_eq!(found.predictions, expected.predictions, "{what}");
        assert!((found.sum / expected.sum - 1.0).abs() < 1e-4, "{what}: {found:?} {expected:?}");
        assert_close(&input, &model.input, &what);
        assert_close(&output, &model.output, &what);
    }
}

/// What a step changes is the derivative of its loss, measured by small changes.
#[test]
fn steps_follow_the_gradient() {
    let mut random = Random::new(9, 0);
    let mut numbers = |n: usize| (0..n).map(|_| f64::from(random.unit()) - 0.5).collect::<Vec<_>>();
    let output: Vec<Vec<f64>> = (0..12).map(|_| numbers(6)).collect();
    let hidden = numbers(6);
    for hierarchical in [false, true] {
        let plan = plan(false, hierarchical, 1, 0.0);
        // Each row once: asking a row twice in one step takes the second gradient at a new place.
        let questions = questions(&plan, 4, &[1, 7, 4, 0]);
        let mut changed = output.clone();
        let (change, _) = predict(&mut changed, &hidden, &questions, 1.0);
        let step = 1e-5;
        for at in 0..6 {
            let slope = |by: f64| {
                let mut hidden = hidden.clone();
                hidden[at] += by;
                loss(&output, &hidden, &questions)
            };
            let gradient = (slope(step) - slope(-step)) / (2.0 * step);
            assert!((change[at] + gradient).abs() < 1e-6);
            for row in 0..12 {
                let slope = |by: f64| {
                    let mut output = output.clone();
                    output[row][at] += by;
                    loss(&output, &hidden, &questions)
                };
                let gradient = (slope(step) - slope(-step)) / (2.0 * step);
                assert!((changed[row][at] - output[row][at] + gradient).abs() < 1e-6);
            }
        }
    }
}
