"""The shards of a path, and the parts that can be answered by themselves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from .._corpus import Corpus
from .._errors import InvalidRequest, NotFound

_NUMBERED = re.compile(r"(.*)-(\d{1,9})-of-(\d{1,9})\.zgram", re.ASCII | re.DOTALL)


@dataclass(frozen=True)
class Part:
    """Documents of one shard that follow each other: those of a segment, or of some."""

    #: The path of the shard.
    path: str
    #: The number of the shard.
    shard: int
    #: Positions in the shard: the first document, and the one after the last.
    first: int
    stop: int
    #: Whether these are all documents of the shard.
    is_shard: bool
    #: Sizes and times of the file and its journal, to notice when it is replaced or edited.
    state: tuple[int, ...]


def shards(paths: Iterable[str]) -> list[str]:
    """The files of a corpus in shards: files as they are given, those of folders in the order of their names."""
    found: list[str] = []
    for given in paths:
        path = local(given)
        if not os.path.isdir(path):
            found.append(path)
            continue
        names = sorted(os.listdir(path), key=os.fsencode)
        inside = [
            name
            for name in names
            if name.endswith(".zgram") and name[0] not in "._" and not os.path.isdir(os.path.join(path, name))
        ]
        if not inside:
            raise NotFound(2, f"{path}: the folder has no .zgram files")
        if (missing := first_missing(inside)) is not None:
            raise NotFound(2, f"{path}: {missing} is missing")
        found.extend(os.path.join(path, name) for name in inside)
    if not found:
        raise InvalidRequest("a path is missing: give the folder of the shards to load()")
    return found


def first_missing(names: Iterable[str]) -> str | None:
    """The first shard that is missing, where names say how many there are, as in `logs-2-of-8.zgram`.

    Shards are numbered from 1, or from 0 if there is such a one.
    """
    sets: dict[tuple[str, str], list[str]] = {}
    for name in names:
        if found := _NUMBERED.fullmatch(name):
            sets.setdefault((found[1], found[3]), []).append(found[2])
    for (prefix, count), numbers in sets.items():
        there = set(map(int, numbers))
        first = min(1, *there)
        for number in range(first, first + int(count)):
            if number not in there:
                return f"{prefix}-{number:0{len(numbers[0])}}-of-{count}.zgram"
    return None


def listed(path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """One path, or several, as texts."""
    if isinstance(path, (str, os.PathLike)):
        return [os.fspath(path)]
    return [os.fspath(one) for one in path]


def local(path: str) -> str:
    """A path of the file system, also where it is given as `file:` URL."""
    parts = urlsplit(path)
    if parts.scheme == "file":
        return unquote(parts.path)
    if "://" in path:
        message = (
            f"{path}: shards are read from paths that all workers can open; for object stores, "
            "pyspark_zgram.read(..., via='bytes') lets Spark read the files"
        )
        raise InvalidRequest(message)
    return path


def parts(paths: Iterable[str]) -> list[Part]:
    """The parts of all shards, in order."""
    return [part for shard, path in enumerate(shards(paths)) for part in parts_of(path, shard)]


def parts_of(path: str, shard: int) -> list[Part]:
    """The parts of a shard: one for each segment. Segments that share a document are one part."""
    state = _state(path)
    corpus = opened(path, state)
    count = len(corpus)
    starts = corpus.segment_starts()
    ends = [*starts[1:], count]
    return [
        Part(path, shard, first, stop, stop - first == count, state)
        for first, stop in zip(starts, ends, strict=True)
    ]


def open_part(part: Part) -> Corpus:
    """The shard of a part, as it was when the parts were made."""
    if _state(part.path) != part.state:
        message = f"{part.path} was replaced or edited while the query ran; run the query again"
        raise InvalidRequest(message)
    return opened(part.path, part.state)


@lru_cache(maxsize=4)
def opened(path: str, state: tuple[int, ...]) -> Corpus:
    """An open corpus. Tasks that follow each other in a process often ask the same shard."""
    return Corpus(path)


def _state(path: str) -> tuple[int, ...]:
    """Sizes and times of the file and of its journal."""
    state: list[int] = []
    for file in (path, f"{path}.journal"):
        try:
            status = os.stat(file)
        except OSError:
            # There may be no journal. If there is no file, opening it says so.
            continue
        state += [status.st_size, status.st_mtime_ns]
    return tuple(state)
