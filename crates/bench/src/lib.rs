//! Benchmarks of zgram against the tools people use today.
//!
//! A benchmark family is one module with a `run` function that `main.rs` dispatches to: [`compress`],
//! [`access`], [`shards`], [`bzip2`] (with [`stages`]), [`applications`], [`mod@python`] and [`analytics`], whose yardstick is the
//! program in [`raw`]. The rest are the parts families share:
//!
//! 1. [`corpora`] finds the texts and makes them ready on disk.
//! 2. [`zgram`] and [`rivals`] say how each tool is called.
//! 3. [`measure`] runs one command and reports its time and peak memory.
//! 4. [`verify`] checks that what came back is what went in.
//! 5. [`report`] renders the figures of compression for people and programs, under a header by
//!    [`hardware`]; [`workspace`] records them.
//! 6. [`load`] measures what only zgram does: loading a file into a grammar in memory.
//! 7. [`tasks`] names the questions of analytics.
//! 8. [`plots`] draws charts.
//! 9. [`glove`] counts co-occurrences as GloVe's program does.
//!
//! Every tool runs as a child process, so that all pay for start-up, reading and writing.
#![forbid(unsafe_code)]

pub mod access;
pub mod analytics;
pub mod applications;
pub mod bzip2;
pub mod compress;
pub mod corpora;
pub mod glove;
pub mod hardware;
pub mod head;
pub mod load;
pub mod measure;
pub mod plots;
pub mod python;
pub mod raw;
pub mod report;
pub mod rivals;
pub mod shards;
pub mod stages;
pub mod tasks;
pub mod verify;
pub mod workspace;
pub mod zgram;
