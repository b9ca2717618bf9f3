//! Permissions, times, owner and links of files.

use std::fs::{self, File, Metadata};

#[cfg(unix)]
pub(super) fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
pub(super) fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Copies permissions, times and owner to the new file, as far as the system allows. Failing to, for
/// example to set another owner, is not an error.
pub(super) fn keep_attributes(of: &Metadata, file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let _ = fchown(file, Some(of.uid()), Some(of.gid()));
        // Without the set-user-ID bit: a copy must not gain rights.
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
