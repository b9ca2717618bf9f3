"""Edits."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from . import _zgram

if TYPE_CHECKING:
    from ._corpus import Corpus

Text = str | bytes


@dataclass(frozen=True)
class Compaction:
    """What compacting did."""

    edits: int
    bytes_before: int
    bytes_after: int


class Edit:
    """A block of edits: all are made when the block ends, or none if it raises.

    Offsets count bytes in the text after the edits before. When the block has ended, the edits are on disk.

    >>> with corpus.edit() as edit:
    ...     edit.append("dog.txt", "The dog ran.\\n")
    ...     edit.add("notes/two.txt", "another note")
    >>> corpus.count("dog ran")
    1
    """

    __slots__ = ("_corpus", "_native")

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._native: _zgram.NativeTransaction | None = None

    def __enter__(self) -> Edit:
        self._native = _zgram.begin_edits(self._corpus)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        native, self._native = self._native, None
        if native is not None:
            native.finish(kind is None)

    @property
    def _open(self) -> _zgram.NativeTransaction:
        if self._native is None:
            from ._errors import InvalidRequest

            raise InvalidRequest("edits are made inside `with corpus.edit() as edit:`")
        return self._native

    def insert(self, name: str, offset: int, text: Text) -> None:
        """Inserts text before the byte at `offset`."""
        self._open.insert(name, offset, text)

    def append(self, name: str, text: Text) -> None:
        """Adds text at the end of a document."""
        self._open.append(name, text)

    def delete(self, name: str, offset: int, length: int) -> None:
        """Deletes `length` bytes."""
        self._open.delete(name, offset, length)

    def replace(self, name: str, offset: int, length: int, text: Text) -> None:
        """Puts text in place of `length` bytes."""
        self._open.replace(name, offset, length, text)

    def add(self, name: str, text: Text) -> None:
        """Adds a document."""
        self._open.add(name, text)

    def remove(self, name: str) -> None:
        """Removes a document."""
        self._open.remove(name)

    def rename(self, name: str, new: str) -> None:
        """Gives a document another name."""
        self._open.rename(name, new)
