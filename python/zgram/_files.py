"""Files that appear when they are complete."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from ._errors import AlreadyExists, NotFound

Path = str | os.PathLike[str]


@contextmanager
def replacing(path: Path, force: bool) -> Iterator[str]:
    """A temporary path beside `path`, which becomes `path` when the block ends and vanishes if it raises."""
    path = os.fspath(path)
    if not force and os.path.exists(path):
        raise AlreadyExists(f"{path} exists; force=True replaces it")
    folder, name = os.path.split(os.path.abspath(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    except FileNotFoundError as error:
        raise NotFound(error.errno, f"cannot write {path}: there is no folder {folder}", path) from None
    os.close(handle)
    try:
        yield temporary
        # mkstemp lets only the owner read.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_names(path: Path, names: list[str], force: bool) -> None:
    """Writes one name a line, as the program does."""
    escaped = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"}
    table = str.maketrans(escaped)
    with replacing(path, force) as temporary:
        with open(temporary, "wb") as file:
            for name in names:
                file.write(name.translate(table).encode("utf-8", "surrogateescape") + b"\n")
