//! Parts of the library that a build can leave out.

/// A part of the library that was asked for and that this build leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this build cannot {part}; build the crate zgram with its feature `{feature}`")]
#[non_exhaustive]
pub struct MissingFeature {
    /// What the part does, as a verb: "read tar archives".
    pub part: &'static str,
    /// The Cargo feature of this crate that has it.
    pub feature: &'static str,
}

impl MissingFeature {
    #[allow(dead_code, reason = "a build with all features misses none")]
    pub(crate) const fn new(part: &'static str, feature: &'static str) -> Self {
        Self { part, feature }
    }
}
