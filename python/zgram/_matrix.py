"""Sparse matrices of documents and terms."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import InvalidRequest
from ._files import replacing, write_names

if TYPE_CHECKING:
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

    __slots__ = ("data", "documents", "idf", "indices", "indptr", "places", "shape", "terms")

    def __init__(
        self,
        shape: tuple[int, int],
        indptr: NDArray[Any],
        indices: NDArray[Any],
        data: NDArray[Any],
        terms: list[str],
        documents: list[str],
        places: NDArray[np.uint32] | None = None,
        idf: NDArray[np.float64] | None = None,
    ) -> None:
        self.shape = shape
        #: Where each row's cells begin, and the number of all cells.
        self.indptr = indptr
        #: The column of each cell.
        self.indices = indices
        #: The value of each cell: counts are 64-bit integers, weights 64-bit floats.
        self.data = data
        #: The names of the columns.
        self.terms = terms
        #: The names of the rows.
        self.documents = documents
        #: The columns by first occurrence in the text: the lower, the earlier. Only if asked for.
        self.places = places
        #: The inverse document frequency of each column. Only of TF-IDF.
        self.idf = idf

    def to_scipy(self) -> Any:
        """The matrix as a `scipy.sparse.csr_matrix`, which shares its arrays."""
        from scipy.sparse import csr_matrix

        return csr_matrix((self.data, self.indices, self.indptr), shape=self.shape, copy=False)

    def to_gensim(self) -> list[list[tuple[int, Any]]]:
        """The rows as gensim's bags of words: lists of pairs of column and value.

        >>> corpus.term_matrix(View(case="lower"), min_df=2).to_gensim()
        [[(0, 1), (1, 2)], [(0, 1), (1, 1)], []]
        """
        return list(self)

    def to_torch(self) -> Any:
        """The matrix as a `torch` tensor in compressed rows, which shares its arrays."""
        import torch

        arrays = [torch.from_numpy(array) for array in (self.indptr, self.indices, self.data)]
        return torch.sparse_csr_tensor(*arrays, size=self.shape)

    def sums(self) -> NDArray[Any]:
        """The sum of each column.

        >>> corpus.term_matrix(View(case="lower"), min_df=2).sums()
        array([2, 3])
        """
        if self.data.dtype.kind == "f":
            return np.bincount(self.indices, weights=self.data, minlength=self.shape[1])
        totals = np.zeros(self.shape[1], dtype=self.data.dtype)
        np.add.at(totals, self.indices, self.data)
        return totals

    def write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the matrix, and the names of its columns and rows beside it, one line each.

        The ending decides the format: `.npz` for `scipy.sparse.load_npz`, `.mtx` for Matrix Market, which
        needs scipy.

        >>> corpus.term_matrix().write(folder / "counts.npz")
        >>> (folder / "counts.npz.documents.txt").read_text().splitlines()
        ['cat.txt', 'dog.txt', 'notes/one.txt']
        """
        name = os.fspath(path)
        if not name.endswith((".npz", ".mtx")):
            raise InvalidRequest(f"{name}: matrices are written as .npz or .mtx")
        with replacing(name, force) as temporary:
            if name.endswith(".npz"):
                with open(temporary, "wb") as file:
                    np.savez(
                        file,
                        format=np.array(b"csr"),
                        shape=np.array(self.shape, dtype=np.int64),
                        indptr=self.indptr,
                        indices=self.indices,
                        data=self.data,
                    )
            else:
                from scipy.io import mmwrite

                with open(temporary, "wb") as file:
                    mmwrite(file, self.to_scipy(), symmetry="general")
        write_names(f"{name}.terms.txt", self.terms, force)
        if self.documents is not self.terms:
            write_names(f"{name}.documents.txt", self.documents, force)

    def __iter__(self) -> Iterator[list[tuple[int, Any]]]:
        for start, end in zip(self.indptr[:-1].tolist(), self.indptr[1:].tolist(), strict=True):
            yield list(zip(self.indices[start:end].tolist(), self.data[start:end].tolist(), strict=True))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        rows, columns = self.shape
        return f"<zgram.Matrix of {rows:,} documents and {columns:,} terms, {len(self.data):,} cells>"

    def _repr_html_(self) -> str:
        sums = self.sums()
        first = np.argsort(-sums, kind="stable")[:10].tolist()
        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(self.terms[at])}</td>"
            f"<td style='text-align:right'>{sums[at]:,.6g}</td></tr>"
            for at in first
        )
        return f"<table><caption>{escape(repr(self)[1:-1])}</caption><tr><th>term</th><th>sum</th></tr>{rows}</table>"

    def _in_order(self, places: NDArray[np.intp]) -> Matrix:
        """The same rows in another order."""
        starts = self.indptr.astype(np.int64)
        lengths = np.diff(starts)[places]
        indptr = np.zeros(len(places) + 1, dtype=self.indptr.dtype)
        np.cumsum(lengths, out=indptr[1:])
        cells = np.repeat(starts[:-1][places] - indptr[:-1], lengths) + np.arange(len(self.indices))
        names = [self.documents[place] for place in places.tolist()]
        indices, data = self.indices[cells], self.data[cells]
        return Matrix(self.shape, indptr, indices, data, self.terms, names, self.places, self.idf)
