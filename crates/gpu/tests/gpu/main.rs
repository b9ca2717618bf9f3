//! All tests that need a device, on both software devices. A missing device is a failure.

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
