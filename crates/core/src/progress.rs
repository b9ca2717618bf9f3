//! Progress of long work. The library reports through a trait; only a program draws.

/// A stage of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Reading documents and turning them into tokens; counts bytes of text.
    Reading,
    /// Finding the rules; counts bytes of text.
    Building,
    /// Encoding and writing segments; counts bytes of text.
    Writing,
    /// Expanding documents; counts bytes of text.
    Expanding,
    /// Checking sections; counts bytes of the file.
    Verifying,
    /// Traversing grammars; counts bytes of the text that they expand to.
    Traversing,
    /// Training a model; counts words.
    Training,
}

/// Receives reports from long work, possibly from several threads.
pub trait Progress: Sync {
    /// `amount` more of `stage` is done.
    fn advance(&self, stage: Stage, amount: u64) {
        let _ = (stage, amount);
    }

    /// `stage` will take about `total` altogether.
    fn expect(&self, stage: Stage, total: u64) {
        let _ = (stage, total);
    }

    /// Reports something that does not stop the work, such as a skipped symbolic link.
    fn notice(&self, message: &str) {
        let _ = message;
    }

    /// Whether the work should stop as soon as it can. Called often.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Fails with [`Interrupted`] when the work should stop; for use with `?`.
    ///
    /// # Errors
    /// When [`is_cancelled`](Self::is_cancelled) returns true.
    fn check(&self) -> Result<(), Interrupted> {
        if self.is_cancelled() { Err(Interrupted) } else { Ok(()) }
    }
}

/// Reports nothing and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

/// The work was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;
