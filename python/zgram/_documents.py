"""The documents of a corpus, and single documents."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ._errors import DocumentNotFound, InvalidRequest, OutOfRange

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._corpus import Corpus

_WILDCARDS = frozenset("*?[{")


class Document:
    """One document. Its text is read when it is asked for; only the part that is asked for is expanded.

    Offsets count bytes. `document[100:164]` reads 64 bytes.

    >>> document = corpus["cat.txt"]
    >>> document.text
    'The cat sat. The cat ran.\\n'
    >>> document[4:7]
    b'cat'
    """

    __slots__ = ("corpus", "position")

    corpus: Corpus
    position: int

    def __init__(self, corpus: Corpus, position: int) -> None:
        self.corpus = corpus
        self.position = position

    @property
    def name(self) -> str:
        """Its name. Bytes that are not UTF-8 are lone surrogates, as in Python's file names."""
        return self.corpus.document_name(self.position)

    @property
    def bytes(self) -> bytes:
        """Its text as bytes."""
        return self[:]

    @property
    def text(self) -> str:
        """Its text. Bytes that are not UTF-8 are replaced; `bytes` has them."""
        return self.bytes.decode("utf-8", "replace")

    def __len__(self) -> int:
        return int(self.corpus.document_size(self.position))

    def __getitem__(self, part: slice) -> builtins.bytes:
        if not isinstance(part, slice):
            raise TypeError("read a part of a document with a slice, such as document[0:100]")
        start, stop, step = part.indices(len(self))
        if step != 1:
            raise InvalidRequest("a part of a document has no step")
        if stop <= start:
            return b""
        return self.corpus.read_document(self.position, start, stop - start)

    def lines(self, first: int, last: int | None = None) -> str:
        """The lines from `first` to `last`, counted from 1, with their line ends."""
        if first < 1 or last is not None and last < first:
            raise InvalidRequest("lines are counted from 1, and the last is not before the first")
        read = self.corpus.read_lines(self.position, first, first if last is None else last)
        return read.decode("utf-8", "replace")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<zgram.Document {self.name!r}, {len(self):,} bytes>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (self.corpus, self.position)


class Documents(Sequence[Document]):
    """A selection of documents, in order.

    `documents[3]` and `documents["a.txt"]` are documents. A slice, a glob pattern, a list of names and
    patterns, an array of positions or a mask is a smaller selection.

    >>> corpus.documents.names
    ['cat.txt', 'dog.txt', 'notes/one.txt']
    >>> corpus.documents["notes/*"].names
    ['notes/one.txt']
    >>> len(corpus.documents[:2]), len(corpus.documents[["cat.txt", "notes/*"]])
    (2, 2)
    """

    __slots__ = ("corpus", "positions")

    corpus: Corpus
    #: The positions of the documents in the corpus.
    positions: NDArray[np.intp]

    def __init__(self, corpus: Corpus, positions: NDArray[np.intp] | None = None) -> None:
        self.corpus = corpus
        if positions is None:
            positions = np.arange(corpus.document_count(), dtype=np.intp)
        self.positions = positions

    @property
    def shape(self) -> tuple[int]:
        """The number of documents, as scikit-learn asks for it."""
        return (len(self.positions),)

    @property
    def names(self) -> list[str]:
        """The names of the documents."""
        if self.is_whole:
            return self.corpus.document_names()
        return [self.corpus.document_name(int(at)) for at in self.positions]

    @property
    def sizes(self) -> NDArray[np.uint64]:
        """Their sizes in bytes."""
        return self.corpus.document_sizes()[self.positions]

    @property
    def texts(self) -> Iterator[str]:
        """Their texts, one after another."""
        return (document.text for document in self)

    @property
    def is_whole(self) -> bool:
        """Whether these are all documents of the corpus, in order."""
        count = self.corpus.document_count()
        return len(self.positions) == count and bool((self.positions == np.arange(count)).all())

    def __len__(self) -> int:
        return len(self.positions)

    @overload
    def __getitem__(self, key: int) -> Document: ...
    @overload
    def __getitem__(self, key: slice) -> Documents: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]  # as scikit-learn takes rows
        if isinstance(key, (str, bytes)):
            return self._by_name(key)
        if isinstance(key, (int, np.integer)):
            try:
                return Document(self.corpus, int(self.positions[key]))
            except IndexError:
                count = len(self)
                raise OutOfRange(f"there is no document {key} among {count}") from None
        if isinstance(key, slice):
            return Documents(self.corpus, self.positions[key])
        keys = np.asarray(key)
        if keys.dtype.kind == "U" and keys.ndim == 1:
            found = [self._by_name(str(name)) for name in keys]
            return Documents(self.corpus, np.concatenate([_positions(one) for one in found]))
        if keys.size == 0:
            return Documents(self.corpus, self.positions[:0])
        if keys.ndim != 1 or keys.dtype.kind not in "iub":
            raise InvalidRequest("choose documents by numbers, names, a slice or a mask")
        try:
            return Documents(self.corpus, self.positions[keys])
        except IndexError as error:
            raise OutOfRange(str(error)) from None

    def _by_name(self, name: str | bytes) -> Document | Documents:
        namesakes = self.corpus.find_namesakes(name)
        positions = [at for at in namesakes if self.is_whole or at in self.positions]
        shown = name if isinstance(name, str) else name.decode("utf-8", "replace")
        if len(positions) > 1:
            numbers = ", ".join(map(str, positions))
            raise InvalidRequest(
                f"{len(positions)} documents have the name {shown}; choose one by number: {numbers}"
            )
        if positions:
            return Document(self.corpus, positions[0])
        if isinstance(name, str) and not _WILDCARDS.isdisjoint(name):
            found = self.corpus.glob_documents(name).astype(np.intp)
            if not self.is_whole:
                found = self.positions[np.isin(self.positions, found)]
            if len(found):
                return Documents(self.corpus, found)
        raise DocumentNotFound(f"no document {shown}")

    def __iter__(self) -> Iterator[Document]:
        return (Document(self.corpus, int(at)) for at in self.positions)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, Document):
            return name.corpus is self.corpus and name.position in self.positions
        if not isinstance(name, (str, bytes)):
            return False
        position = self.corpus.find_document(name)
        return position is not None and position in self.positions

    def __repr__(self) -> str:
        shown = [repr(document.name) for document in self[:3]]
        more = ", ..." if len(self) > 3 else ""
        return f"<{len(self):,} zgram.Documents: {', '.join(shown)}{more}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Documents, (self.corpus, self.positions)


def _positions(chosen: Document | Documents) -> NDArray[np.intp]:
    if isinstance(chosen, Documents):
        return chosen.positions
    return np.array([chosen.position], dtype=np.intp)
