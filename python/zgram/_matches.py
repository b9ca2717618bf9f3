"""Where phrases occur."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._corpus import Corpus


class Match(NamedTuple):
    """One place where a phrase occurs."""

    document: str
    offset: int
    length: int


class Matches:
    """The places where a phrase occurs, in order: arrays, and an iterable of places.

    >>> list(corpus.find("cat sat"))
    [Match(document='cat.txt', offset=4, length=7)]
    """

    __slots__ = ("corpus", "lengths", "offsets", "positions")

    def __init__(
        self,
        corpus: Corpus,
        positions: NDArray[np.uintp],
        offsets: NDArray[np.uint64],
        lengths: NDArray[np.uint64],
    ) -> None:
        self.corpus = corpus
        #: The positions of the documents in the corpus.
        self.positions = positions
        #: The offsets of the matches in their documents, in bytes.
        self.offsets = offsets
        #: The lengths of the matches, in bytes.
        self.lengths = lengths

    def __len__(self) -> int:
        return len(self.offsets)

    def __iter__(self) -> Iterator[Match]:
        names: dict[int, str] = {}
        for position, offset, length in zip(
            self.positions.tolist(), self.offsets.tolist(), self.lengths.tolist(), strict=True
        ):
            if position not in names:
                names[position] = self.corpus.document_name(position)
            yield Match(names[position], offset, length)

    def to_table(self) -> Table:
        """The matches as a table of documents, offsets and lengths.

        >>> corpus.find("cat").to_table()
        document  offset  length
        cat.txt        4       3
        cat.txt       17       3
        2 rows
        """
        names = self.corpus.document_names()
        columns = {
            "document": [names[position] for position in self.positions.tolist()],
            "offset": self.offsets.astype("int64"),
            "length": self.lengths.astype("int64"),
        }
        return Table("columns_table", (columns,))

    def __repr__(self) -> str:
        count = len(set(self.positions.tolist()))
        return f"<{len(self):,} zgram.Matches in {count:,} documents>"


class Line(NamedTuple):
    """A match with the words around it."""

    document: str
    offset: int
    before: str
    match: str
    after: str


class Concordance(list[Line]):
    """Matches with the words around them, one line each."""

    def to_table(self) -> Table:
        """The lines as a table.

        >>> corpus.kwic("dog", width=1).to_table().columns
        ['document', 'offset', 'before', 'match', 'after']
        """
        columns = {
            "document": [line.document for line in self],
            "offset": np.array([line.offset for line in self], dtype=np.int64),
            "before": [line.before for line in self],
            "match": [line.match for line in self],
            "after": [line.after for line in self],
        }
        return Table("columns_table", (columns,))

    def __repr__(self) -> str:
        lines = [(_flat(line.before), _flat(line.match), _flat(line.after)) for line in self]
        width = max((len(before) for before, _, _ in lines), default=0)
        return "\n".join(f"{before:>{width}}  {match}  {after}" for before, match, after in lines)

    def _repr_html_(self) -> str:
        right = "text-align:right;white-space:pre"
        rows = [
            f"<tr><td>{escape(line.document)}</td><td style='{right}'>{escape(_flat(line.before))}</td>"
            f"<td><b>{escape(_flat(line.match))}</b></td>"
            f"<td style='text-align:left'>{escape(_flat(line.after))}</td></tr>"
            for line in self
        ]
        return f"<table>{''.join(rows)}</table>"


def _flat(text: str) -> str:
    return " ".join(text.split())
