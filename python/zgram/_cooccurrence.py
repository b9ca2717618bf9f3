"""How often words occur near each other."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ._files import replacing
from ._matrix import Matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

Side = Literal["both", "left", "right"]

#: A record of GloVe's file of co-occurrences.
_RECORD = np.dtype([("first", "<i4"), ("second", "<i4"), ("value", "<f8")])
#: Records that are written at once.
_TOGETHER = 1 << 20


class Cooccurrence(Matrix):
    """A square matrix: a word's row has the sums of the words near it. `terms` names rows and columns.

    >>> near = corpus.cooccurrence(View(case="lower"), window=2)
    >>> near.terms[:3], near.counts[:3]
    (['the', 'cat', 'sat'], array([3, 2, 2]))
    >>> near.to_scipy()[0, 1]
    np.float64(2.5)
    """

    __slots__ = ("counts", "side")

    def __init__(self, *, terms: list[str], counts: NDArray[np.int64], side: Side, **matrix: Any) -> None:
        super().__init__(terms=terms, documents=terms, **matrix)
        #: How often each word occurs.
        self.counts = counts
        #: On which side of a word its row counts.
        self.side = side

    def write_glove(self, folder: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes `vocab.txt` and `cooccurrence.bin`, ready for GloVe's programs `shuffle` and `glove`.

        >>> corpus.cooccurrence().write_glove(folder / "glove")
        >>> (folder / "glove" / "vocab.txt").read_text().splitlines()[0]
        'The 3'
        """
        os.makedirs(folder, exist_ok=True)
        # The words appear first, so that a reader who sees the pairs also has the words.
        with replacing(os.path.join(folder, "cooccurrence.bin"), force) as pairs:
            with replacing(os.path.join(folder, "vocab.txt"), force) as words:
                self._write_words(words)
                self._write_pairs(pairs)

    def _write_words(self, path: str) -> None:
        # GloVe's words end at white space.
        visible = str.maketrans(" \t\n\f\r", "_____")
        with open(path, "wb") as file:
            for word, count in zip(self.terms, self.counts.tolist(), strict=True):
                file.write(word.translate(visible).encode("utf-8", "surrogateescape"))
                file.write(f" {count}\n".encode())

    def _write_pairs(self, path: str) -> None:
        lengths = np.diff(self.indptr)
        first = np.repeat(np.arange(1, len(lengths) + 1, dtype=np.int32), lengths)
        second, values = self.indices, self.data
        if self.side != "both":
            # GloVe's first word is the left one of two, or the right one: the context.
            order = np.argsort(second, kind="stable")
            first, second, values = second[order] + 1, first[order] - 1, values[order]
        with open(path, "wb") as file:
            for start in range(0, len(values), _TOGETHER):
                part = slice(start, start + _TOGETHER)
                records = np.empty(len(values[part]), dtype=_RECORD)
                records["first"], records["value"] = first[part], values[part]
                records["second"] = second[part]
                records["second"] += 1
                records.tofile(file)

    def __repr__(self) -> str:
        return f"<zgram.Cooccurrence of {self.shape[0]:,} words, {len(self.data):,} cells>"
