//! Parts that zgram's own programs and tests share. They can change in any release.

pub use crate::corpus::NameGlob;
