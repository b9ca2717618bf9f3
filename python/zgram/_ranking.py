"""Documents ranked for queries: BM25."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _zgram
from ._documents import Document
from ._rows import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._corpus import Corpus

#: A text, or words.
Query = str | Iterable[str]


class Ranked(NamedTuple):
    """A document and its score."""

    document: str
    score: float


class WordScore(NamedTuple):
    """What a word adds to the score of a document."""

    document: str
    word: str
    #: How many documents contain the word.
    documents: int
    idf: float
    #: How often the word occurs in the document.
    count: int  # type: ignore[assignment]
    #: How many words the document has.
    length: int
    contribution: float


class Ranking(Rows[Ranked]):
    """The best documents for a query, the best first.

    >>> corpus.bm25("cat sat").columns
    {'document': ['cat.txt', 'dog.txt'], 'score': array([0.61144859, 0.20475406])}
    """

    __slots__ = ("_native", "positions", "scores")

    def __init__(
        self, native: _zgram.NativeRanker, positions: NDArray[np.int64], scores: NDArray[np.float64]
    ) -> None:
        self._row = Ranked
        self._native = native
        #: The positions of the documents in the corpus.
        self.positions = positions
        #: Their scores.
        self.scores = scores

    @property
    def columns(self) -> dict[str, Any]:
        """The columns by name."""
        names = [self._native.name(position) for position in self.positions.tolist()]
        return {"document": names, "score": self.scores}

    def __len__(self) -> int:
        return len(self.scores)


class Ranker:
    """Answers queries in microseconds, from an index in memory. Later edits do not change its answers.

    >>> ranker = corpus.ranker(View(case="lower"))
    >>> [document for document, score in ranker.rank("the dog", k=2)]
    ['dog.txt', 'cat.txt']
    >>> ranker
    <zgram.Ranker of 3 documents with 3.67 words on average>
    """

    __slots__ = ("_native", "_origin")

    def __init__(self, corpus: Corpus, asked: dict[str, Any], scoring: dict[str, Any], report: Any) -> None:
        self._native = _zgram.ranker(corpus, asked, scoring, None, report)
        self._origin = (corpus, asked, scoring)

    def rank(self, query: Query, k: int = 10) -> Ranking:
        """The `k` documents that match the words of a query best. Documents without any of them are left
        out."""
        return Ranking(self._native, *self._native.rank(words_of(query), k))

    def rank_many(self, queries: Iterable[Query], k: int = 10) -> list[Ranking]:
        """The same for many queries, on all cores.

        >>> [len(best) for best in corpus.ranker().rank_many(["cat", ["note", "dog"]])]
        [1, 2]
        """
        native = self._native
        answers = native.rank_many([words_of(query) for query in queries], k)
        return [Ranking(native, positions, scores) for positions, scores in answers]

    def explain(self, query: Query, document: Document | int) -> Rows[WordScore]:
        """What each word of a query adds to the score of a document.

        >>> corpus.ranker().explain("cat", 0)["contribution"]
        array([0.46529905])
        """
        position = document.position if isinstance(document, Document) else int(document)
        return explained(self._native, words_of(query), [position])

    @property
    def mean_length(self) -> float:
        """How many words documents have on average."""
        return self._native.mean_length

    def __len__(self) -> int:
        """How many documents are ranked."""
        return self._native.document_count

    def __repr__(self) -> str:
        return f"<zgram.Ranker of {len(self):,} documents with {self.mean_length:,.2f} words on average>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Ranker, (*self._origin, None)


def words_of(query: Query) -> list[str]:
    """The texts that a query is made of."""
    return [query] if isinstance(query, str) else list(query)


def explained(
    native: _zgram.NativeRanker, words: list[str], positions: Sequence[int]
) -> Rows[WordScore]:
    """What each word adds to the scores of documents."""
    import numpy as np

    parts = [
        (native.name(position), *part)
        for position in positions
        for part in native.explain(words, position)
    ]
    types = [None, None, np.int64, np.float64, np.int64, np.int64, np.float64]
    columns = {
        name: list(cells) if kind is None else np.array(cells, dtype=kind)
        for name, kind, cells in zip(WordScore._fields, types, _transposed(parts, len(types)), strict=True)
    }
    return Rows(WordScore, columns)


def _transposed(rows: list[tuple[Any, ...]], width: int) -> list[tuple[Any, ...]]:
    return list(zip(*rows, strict=True)) if rows else [()] * width
