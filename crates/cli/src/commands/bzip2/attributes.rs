//! What a file has beside its bytes.

use std::fs::{self, File, Metadata};

#[cfg(unix)]
pub(super) fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
pub(super) fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives the new file what can be kept of the old one's: permissions, times, owner. What cannot be
/// kept, such as an owner by somebody else, is no reason to fail.
pub(super) fn keep_attributes(of: &Metadata, file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let _ = fchown(file, Some(of.uid()), Some(of.gid()));
        // A file that runs as its owner must not come to be by a detour.
        let _ = file.set_permissions(fs::Permissions::from_mode(of.mode() & 0o777));
    }
    #[cfg(not(unix))]
    let _ = file.set_permissions(of.permissions());
    let mut times = fs::FileTimes::new();
    if let Ok(modified) = of.modified() {
        times = times.set_modified(modified);
    }
    if let Ok(accessed) = of.accessed() {
        times = times.set_accessed(accessed);
    }
    let _ = file.set_times(times);
}
