//! Reads the members of a tar archive as a stream: only the current member is held.
//!
//! Only regular files are documents. Folders are skipped silently, links and devices with a notice. A
//! hard link would need the text of an earlier member, which is no longer there.

use super::InputError;
use super::failures::{Layer, Watch, Watched};
use bstr::ByteSlice;
use std::io::{self, ErrorKind, Read};
use tar::{Entry, EntryType};

/// Calls `each` with name, size, watch and content of every regular file in the archive.
pub(super) fn read_members<E: From<InputError>>(
    stream: impl Read,
    watch: &Watch<'_>,
    mut each: impl FnMut(&[u8], u64, &Watch<'_>, &mut dyn Read) -> Result<(), E>,
) -> Result<(), E> {
    let damaged = |source| watch.error(Layer::Archive, source);
    let mut archive = tar::Archive::new(stream);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = relative(&entry.path_bytes()).to_vec();
        if !is_document(&mut entry, &name, watch).map_err(damaged)? {
            continue;
        }
        let member_watch = Watch::new(watch.path().join(name.to_path_lossy()), watch.progress());
        let size = entry.size();
        let member = WholeMember { entry, left: size };
        let mut content = Watched::new(member, &member_watch, Layer::Archive);
        let outcome = each(&name, size, &member_watch, &mut content);
        watch.settle(outcome)?;
    }
    skip_rest(archive.into_inner(), watch)?;
    Ok(())
}

/// `path` without any leading `/` or `./`.
fn relative(mut path: &[u8]) -> &[u8] {
    while let Some(rest) = path.strip_prefix(b"./").or_else(|| path.strip_prefix(b"/")) {
        path = rest;
    }
    path
}

/// Whether the member is a regular file. Reports other members with a notice, except for folders.
fn is_document(
    entry: &mut Entry<'_, impl Read>,
    name: &[u8],
    watch: &Watch<'_>,
) -> io::Result<bool> {
    let why = match entry.header().entry_type() {
        // Archives older than POSIX mark folders by the slash alone.
        EntryType::Directory | EntryType::XGlobalHeader => return Ok(false),
        EntryType::Regular | EntryType::Continuous if name.ends_with(b"/") => return Ok(false),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            if !is_pax_sparse(entry)? {
                return Ok(true);
            }
            "it is sparse in the PAX format, which is not supported; pack it without --sparse"
        }
        EntryType::Link => "it is a hard link to another member",
        EntryType::Symlink => "it is a symbolic link",
        _ => "it is not a regular file",
    };
    let (archive, name) = (watch.path().display(), name.as_bstr());
    watch.progress().notice(&format!("skipped {archive}/{name}: {why}"));
    Ok(false)
}

/// Whether the content begins with a map of holes, which the tar reader would treat as text.
fn is_pax_sparse(entry: &mut Entry<'_, impl Read>) -> io::Result<bool> {
    let Some(extensions) = entry.pax_extensions()? else { return Ok(false) };
    for extension in extensions {
        if extension?.key_bytes().starts_with(b"GNU.sparse.") {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the rest of the stream, because compressed data ends with its checksum.
fn skip_rest(mut stream: impl Read, watch: &Watch<'_>) -> Result<(), InputError> {
    let mut buffer = vec![0; 1 << 16];
    let mut ignored = false;
    loop {
        let count = stream.read(&mut buffer).map_err(|error| watch.error(Layer::Raw, error))?;
        if count == 0 {
            break;
        }
        ignored |= buffer[..count].iter().any(|&byte| byte != 0);
    }
    if ignored {
        let path = watch.path().display();
        watch.progress().notice(&format!("ignored data after the end of the archive {path}"));
    }
    Ok(())
}

/// A member that must be complete. The tar reader would treat a truncated archive as its end.
struct WholeMember<'a, R: Read> {
    entry: Entry<'a, R>,
    left: u64,
}

impl<R: Read> Read for WholeMember<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.entry.read(buf)?;
        self.left = self.left.saturating_sub(count as u64);
        if count == 0 && !buf.is_empty() && self.left > 0 {
            return Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                format!("{} bytes are missing", self.left),
            ));
        }
        Ok(count)
    }
}
