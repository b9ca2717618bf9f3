//! The words of a text that is not in the corpus, such as a query.

use super::sklearn;
use super::{Pattern, View};
use crate::error::QueryError;
use crate::token::Splitter;

/// Appends the words of texts to `words`, as the view shows them, and returns how many words they have
/// with those that the view leaves out.
pub(crate) fn words_of_texts<T: AsRef<str>>(
    texts: &[T],
    view: &View,
    words: &mut Vec<String>,
) -> Result<usize, QueryError> {
    let mut reader = view.reader()?;
    let mut all = 0;
    for text in texts {
        let mut read = |word: &[u8]| {
            all += 1;
            words.extend(reader.read(word).map(str::to_owned));
        };
        match view.pattern {
            Pattern::Words => {
                Splitter::default().finish(text.as_ref().as_bytes(), |class, bytes| {
                    if class.is_word() {
                        read(bytes);
                    }
                });
            }
            Pattern::Sklearn => sklearn::each_word(text.as_ref(), |run| read(run.as_bytes()))?,
        }
    }
    Ok(all)
}
