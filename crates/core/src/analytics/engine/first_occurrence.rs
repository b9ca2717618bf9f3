//! The order in which words and sequences occur first, over all chosen documents.

use super::Setting;
use crate::analytics::sequences::{Key, Packing};
use crate::analytics::words::NO_WORD;
use crate::corpus::Cursor;
use crate::error::QueryError;
use std::ops::ControlFlow;

/// The place of each word among all words by their first occurrence, by rank; `u32::MAX` for words that
/// do not occur.
pub(crate) fn places_of_words(setting: &Setting<'_>) -> Result<Vec<u32>, QueryError> {
    let ranks = setting.plan.words.ranks();
    let mut places = vec![u32::MAX; setting.plan.words.len()];
    let mut next = 0;
    let (mut cursor, mut symbols) = (Cursor::default(), Vec::new());
    for scope in &setting.plan.segments {
        let Some(segment) = setting.load(scope, false)? else { continue };
        let documents = segment.documents();
        let grammar = documents.grammar();
        // A rule that was read once has nothing new.
        let mut is_read = vec![false; grammar.rule_count()];
        for &document in &scope.documents {
            documents.gather(document, &mut cursor, &mut symbols)?;
            let mut pending = vec![symbols.iter()];
            while let Some(body) = pending.last_mut() {
                let Some(&symbol) = body.next() else {
                    pending.pop();
                    continue;
                };
                if let Some(rule) = grammar.as_rule(symbol) {
                    if !std::mem::replace(&mut is_read[rule], true) {
                        pending.push(grammar.rule(rule).iter());
                    }
                    continue;
                }
                let rank = ranks[symbol as usize];
                if rank != NO_WORD && places[rank as usize] == u32::MAX {
                    places[rank as usize] = next;
                    next += 1;
                }
            }
        }
        cursor = Cursor::default();
    }
    Ok(places)
}

/// Passes the sequences of every document to `sink`, in the order of the text, each with the number of
/// its document. Sequences have the words of `packing`, which gives their length.
pub(crate) fn for_each_sequence<K: Key>(
    setting: &Setting<'_>,
    packing: &Packing,
    mut sink: impl FnMut(u32, &K),
) -> Result<(), QueryError> {
    let ranks = setting.plan.words.ranks_with_breaks(packing);
    let (mut cursor, mut symbols) = (Cursor::default(), Vec::new());
    // The last words of the piece before, if it is of the same document.
    let mut before: Option<(u32, usize, K, usize)> = None;
    for scope in &setting.plan.segments {
        let Some(segment) = setting.load(scope, false)? else { continue };
        let documents = segment.documents();
        for &document in &scope.documents {
            setting.plan.options.progress.check()?;
            let number = scope.corpus_number(document);
            let known = before.take().filter(|(of, segment, ..)| {
                *of == number && setting.plan.follows(*segment, scope.segment)
            });
            let (mut key, mut unbroken) =
                known.map_or((K::empty(packing), 0), |(_, _, key, unbroken)| (key, unbroken));
            documents.gather(document, &mut cursor, &mut symbols)?;
            let _ = documents.grammar().expand(&symbols, |token| {
                let word = ranks[token as usize];
                if word != NO_WORD {
                    key = key.roll(word, packing);
                    unbroken = packing.unbroken(unbroken, word);
                    if unbroken >= packing.n {
                        sink(number, &key);
                    }
                }
                ControlFlow::<()>::Continue(())
            });
            before = Some((number, scope.segment, key, unbroken));
        }
        cursor = Cursor::default();
    }
    Ok(())
}
