"""An open corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _progress, _zgram
from ._documents import Document, Documents
from ._edit import Compaction, Edit
from ._errors import InvalidRequest
from ._matches import Concordance, Line, Matches
from ._matrix import Matrix
from ._tasks import Tasks
from ._view import View
from ._words import Words

#: Documents: a selection, a document, names or glob patterns, numbers.
Selection = Documents | Document | str | int | Iterable[Any]


@dataclass(frozen=True)
class Facts:
    """Sizes of a corpus."""

    documents: int
    text_bytes: int
    compressed_bytes: int
    words: int
    tokens: int
    distinct_words: int
    rules: int
    symbols: int
    segments: int
    pending_edits: int
    level: str


class Corpus(_zgram.NativeCorpus, Tasks):
    """A compressed corpus, as it was when it was opened, pending edits included. `zgram.open` makes it.

    >>> corpus.count("cat")
    2
    >>> corpus.facts.documents
    3
    """

    def __new__(cls, source: Any) -> Corpus:
        corpus = super().__new__(cls, source)
        # For pickling a corpus without a file.
        corpus._source = source if isinstance(source, bytes) else None
        return corpus

    _source: bytes | None

    # What is there

    @property
    def path(self) -> str | None:
        """The path that it was opened from; `None` for a corpus in memory."""
        path = self.path_or_none
        return None if path is None else os.fspath(path)

    @property
    def facts(self) -> Facts:
        """Its sizes."""
        return Facts(**self.facts_dict())

    @property
    def documents(self) -> Documents:
        """All documents."""
        return Documents(self)

    def __getitem__(self, key: Any) -> Any:
        """A document by name or number, or several by glob pattern, slice, mask or list."""
        return self.documents[key]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (str, bytes)) and self.find_document(name) is not None

    def __len__(self) -> int:
        return self.document_count()

    # Phrases

    @overload
    def count(
        self, phrase: str | bytes, documents: Selection | None = None, view: View | None = None
    ) -> int: ...
    @overload
    def count(
        self, phrase: Iterable[str], documents: Selection | None = None, view: View | None = None
    ) -> NDArray[np.int64]: ...
    def count(
        self,
        phrase: str | bytes | Iterable[str],
        documents: Selection | None = None,
        view: View | None = None,
    ) -> int | NDArray[np.int64]:
        """How often a phrase occurs; for a list of phrases, an array of counts.

        A phrase is one word or several; what stands between the words does not matter. A view makes
        words equal: `View(case="fold")` ignores case.

        >>> corpus.count("the cat"), corpus.count("the cat", view=View(case="fold"))
        (0, 2)
        >>> corpus.count(["cat", "dog", "fox"])
        array([2, 1, 0])
        """
        if documents is not None:
            documents = self._positions(documents)
        return self.count_phrases(phrase, documents, view)

    def find(
        self,
        phrase: str | bytes,
        documents: Selection | None = None,
        view: View | None = None,
        limit: int | None = None,
    ) -> Matches:
        """Where a phrase occurs: documents, offsets and lengths in bytes.

        >>> corpus.find("cat").offsets
        array([ 4, 17], dtype=uint64)
        """
        places = self.find_phrase(phrase, self._positions(documents), view, limit)
        return Matches(self, *places)

    def kwic(
        self,
        phrase: str | bytes,
        width: int = 6,
        documents: Selection | None = None,
        view: View | None = None,
        limit: int | None = 100,
    ) -> Concordance:
        """Matches with `width` words on each side, one line each.

        >>> corpus.kwic("sat")
        The cat  sat  . The cat ran.
        The dog  sat  .
        """
        places = self.find_in_context(phrase, width, self._positions(documents), view, limit)
        names: dict[int, str] = {}
        lines = Concordance()
        for position, offset, before, match, after in places:
            if position not in names:
                names[position] = self.document_name(position)
            lines.append(Line(names[position], offset, before, match, after))
        return lines

    # Counts

    def term_matrix(
        self,
        view: View | None = None,
        *,
        documents: Selection | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        min_df: float = 1,
        max_df: float = 1.0,
        min_count: int = 0,
        max_features: int | None = None,
        vocabulary: Iterable[str] | None = None,
        binary: bool = False,
        by: str | None = None,
        first_places: bool = False,
        threads: int = 0,
        memory: int | None = None,
        progress: bool | Callable[[str, int, int], object] = False,
    ) -> Matrix:
        """Counts words per document, as a sparse matrix.

        >>> corpus.term_matrix(View(case="lower"), min_df=2).terms
        ['sat', 'the']

        Parameters
        ----------
        ngram_range
            The fewest and most words of a term. The words of a term are joined by a space.
        min_df, max_df
            The fewest and most documents that a column's word occurs in: a number, or a share as a float.
        by
            "folder" makes a row of each folder; a regular expression, of each value of its first group
            in the documents' names.
        first_places
            Also find out in which order the text meets the terms: `places` of the matrix.
        """
        chosen = None if documents is None else self._positions(documents)
        if chosen is not None and len(set(chosen)) != len(chosen):
            raise InvalidRequest("a document is chosen twice")
        question = dict(
            view=view,
            documents=chosen,
            min_docs=min_df,
            max_docs=max_df,
            min_count=min_count,
            max_features=max_features,
            vocabulary=None if vocabulary is None else list(vocabulary),
            binary=binary,
            by=by,
            ngrams=tuple(ngram_range),
            first_places=first_places,
            threads=threads,
            memory=memory,
        )
        if question["vocabulary"] is not None:
            question.update(min_docs=None, max_docs=None)
        with _progress.following(progress) as report:
            made = _zgram.term_matrix(self, question, report)
        matrix = Matrix(**made)
        if chosen is not None and by is None and chosen != sorted(chosen):
            matrix = _in_order(matrix, chosen)
        return matrix

    def words(self, view: View | None = None, documents: Selection | None = None) -> Words:
        """The words of each document, in order, as an iterable of lists."""
        positions = self._positions(documents)
        chosen = None if positions is None else np.array(positions, dtype=np.intp)
        return Words(Documents(self, chosen), view)

    # Edits

    def edit(self) -> Edit:
        """A block of edits: `with corpus.edit() as edit: edit.append("a.txt", "more")`."""
        return Edit(self)

    def compact(
        self, progress: bool | Callable[[str, int, int], object] = False
    ) -> Compaction:
        """Writes pending edits into the corpus file."""
        with _progress.following(progress) as report:
            return Compaction(**_zgram.compact(self, report))

    def verify(self, progress: bool | Callable[[str, int, int], object] = False) -> None:
        """Checks the whole file; raises `DamagedFile` if anything is wrong."""
        with _progress.following(progress) as report:
            self.verify_file(report)

    # The object

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.is_closed:
            return "<zgram.Corpus, closed>"
        where = self.path or "in memory"
        return f"<zgram.Corpus {where!r}, {len(self):,} documents>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is not None:
            return Corpus, (os.path.abspath(self.path),)
        if self._source is not None:
            return Corpus, (self._source,)
        raise InvalidRequest("a corpus that was opened from a file object cannot be pickled")

    def _positions(self, documents: Selection | None) -> list[int] | None:
        if documents is None:
            return None
        if isinstance(documents, Document):
            documents = documents.corpus.documents[[documents.position]]
        if not isinstance(documents, Documents):
            chosen = self.documents[documents]
            documents = chosen if isinstance(chosen, Documents) else self.documents[[chosen.position]]
        if documents.corpus is not self and documents.corpus.path != self.path:
            raise InvalidRequest("the documents are of another corpus")
        positions: list[int] = documents.positions.tolist()
        return positions


def open(source: Any) -> Corpus:
    """Opens a corpus: a path, the bytes of a file, or a file object with `seek` and `read`.

    The corpus is as it is now, pending edits included.

    >>> with zg.open(path) as corpus:
    ...     len(corpus)
    3
    """
    return Corpus(source)


def _in_order(matrix: Matrix, chosen: list[int]) -> Matrix:
    """The rows of a matrix, which are in the order of the corpus, in the order of the choice."""
    places = np.argsort(np.argsort(np.array(chosen)))
    starts = matrix.indptr.astype(np.int64)
    lengths = np.diff(starts)[places]
    indptr = np.zeros(len(chosen) + 1, dtype=matrix.indptr.dtype)
    np.cumsum(lengths, out=indptr[1:])
    cells = np.repeat(starts[:-1][places] - indptr[:-1], lengths) + np.arange(len(matrix.indices))
    names = [matrix.documents[place] for place in places.tolist()]
    return Matrix(
        matrix.shape,
        indptr,
        matrix.indices[cells],
        matrix.data[cells],
        matrix.terms,
        names,
        matrix.places,
    )
