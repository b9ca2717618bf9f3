//! Small functions on paths.

use std::path::Path;
pub(crate) use zgram::plumbing::folder_of;

/// Whether a path means standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}
