//! Everything that needs a device, on both software devices. A missing one is a failure.

mod access;
mod bwt;
mod counting;
mod devices;
mod failures;
mod grammars;
mod limits;
mod primitives;
mod questions;
mod store;
mod streaming;
mod texts;
mod translation;
mod work;
