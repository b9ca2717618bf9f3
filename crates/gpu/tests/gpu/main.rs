//! Everything that needs a device, on both software devices. A missing one is a failure.

mod devices;
mod primitives;
mod translation;
