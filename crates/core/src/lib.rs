//! Text analytics directly on compressed text.
pub mod grammar;
pub mod input;
pub mod progress;
pub mod token;
pub mod format;
