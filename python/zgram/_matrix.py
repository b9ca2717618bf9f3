"""Sparse matrices of documents and terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Matrix:
    """A sparse matrix in compressed rows: what `scipy.sparse.csr_matrix` is made of.

    >>> matrix = corpus.term_matrix(View(case="lower"))
    >>> matrix.shape
    (3, 7)
    >>> matrix.terms[:3]
    ['a', 'cat', 'dog']
    >>> matrix.to_scipy().toarray()[0]
    array([0, 2, 0, 0, 1, 1, 2])
    """

    __slots__ = ("data", "documents", "indices", "indptr", "places", "shape", "terms")

    def __init__(
        self,
        shape: tuple[int, int],
        indptr: NDArray[Any],
        indices: NDArray[Any],
        data: NDArray[np.int64],
        terms: list[str],
        documents: list[str],
        places: NDArray[np.uint32] | None = None,
    ) -> None:
        self.shape = shape
        #: Where each row's cells begin, and the number of all cells.
        self.indptr = indptr
        #: The column of each cell.
        self.indices = indices
        #: The value of each cell.
        self.data = data
        #: The names of the columns.
        self.terms = terms
        #: The names of the rows.
        self.documents = documents
        #: The columns by first occurrence in the text: the lower, the earlier. Only if asked for.
        self.places = places

    def to_scipy(self) -> Any:
        """The matrix as a `scipy.sparse.csr_matrix`, which shares its arrays."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape, copy=False)

    def to_gensim(self) -> list[list[tuple[int, int]]]:
        """The rows as gensim's bags of words: lists of pairs of column and value."""
        return list(self)

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        for start, end in zip(self.indptr[:-1].tolist(), self.indptr[1:].tolist(), strict=True):
            yield list(zip(self.indices[start:end].tolist(), self.data[start:end].tolist(), strict=True))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<zgram.Matrix of {rows:,} documents and {columns:,} terms, {len(self.data):,} cells>"
