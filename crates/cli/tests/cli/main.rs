//! Whole commands, as a user or a script runs them.

mod access;
mod analytics;
mod bzip2;
mod choosing;
mod damage;
mod editing;
mod formats;
mod help;
mod interrupting;
mod names;
mod refusals;
mod round_trips;
mod support;
