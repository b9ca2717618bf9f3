//! Text analytics directly on compressed text.
pub mod grammar;
pub mod progress;
pub mod token;
pub mod format;
