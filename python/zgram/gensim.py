"""A corpus for gensim: a dictionary, bags of words, sentences.

>>> from zgram.gensim import Bow
>>> bow = Bow(corpus, View(case="lower"))
>>> next(iter(bow))
[(0, 2), (1, 1), (2, 1), (3, 2)]
>>> bow.dictionary()[0]
'cat'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ._corpus import Corpus, Selection
from ._view import View
from ._words import Words

__all__ = ["Bow", "Sentences", "build_vocab"]


class Bow:
    """Documents as bags of words: an iterable of lists of (id, count), as gensim's models take it.

    Words have the ids that `gensim.corpora.Dictionary` gives them: in the order of the documents, and the
    new words of a document in the order of their characters.
    """

    def __init__(
        self, corpus: Corpus, view: View | None = None, documents: Selection | None = None
    ) -> None:
        self._matrix = corpus.term_matrix(view, documents=documents)
        rows = np.repeat(np.arange(len(self._matrix)), np.diff(self._matrix.indptr))
        first = np.full(self._matrix.shape[1], len(self._matrix))
        np.minimum.at(first, self._matrix.indices, rows)
        # Columns are in the order of characters already, so a stable sort keeps it.
        self._columns = np.argsort(first, kind="stable")
        self._ids = np.empty_like(self._columns)
        self._ids[self._columns] = np.arange(len(self._columns))

    @property
    def id2word(self) -> dict[int, str]:
        """The words by their ids."""
        return {at: self._matrix.terms[column] for at, column in enumerate(self._columns.tolist())}

    def dictionary(self) -> Any:
        """A `gensim.corpora.Dictionary` of these documents, equal to the one that gensim makes."""
        from gensim.corpora import Dictionary

        matrix = self._matrix
        made = Dictionary()
        made.token2id = {word: number for number, word in self.id2word.items()}
        documents = np.bincount(matrix.indices, minlength=matrix.shape[1])[self._columns]
        totals = np.zeros(matrix.shape[1], dtype=np.int64)
        np.add.at(totals, matrix.indices, matrix.data)
        made.dfs = dict(enumerate(documents.tolist()))
        made.cfs = dict(enumerate(totals[self._columns].tolist()))
        made.num_docs = len(matrix)
        made.num_pos = int(matrix.data.sum())
        made.num_nnz = len(matrix.data)
        return made

    def __len__(self) -> int:
        return len(self._matrix)

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        matrix = self._matrix
        ids = self._ids[matrix.indices]
        for start, end in zip(matrix.indptr[:-1].tolist(), matrix.indptr[1:].tolist(), strict=True):
            order = np.argsort(ids[start:end])
            here, counts = ids[start:end][order], matrix.data[start:end][order]
            yield list(zip(here.tolist(), counts.tolist(), strict=True))


class Sentences:
    """Documents as lists of words, cut where gensim would cut them, for `Word2Vec(sentences=...)`."""

    def __init__(
        self,
        corpus: Corpus,
        view: View | None = None,
        documents: Selection | None = None,
        max_words: int = 10_000,
    ) -> None:
        self._words: Words = corpus.words(view, documents)
        self._max_words = max_words

    def __iter__(self) -> Iterator[list[str]]:
        for words in self._words:
            for start in range(0, len(words), self._max_words):
                yield words[start : start + self._max_words]


def build_vocab(
    model: Any, corpus: Corpus, view: View | None = None, documents: Selection | None = None
) -> None:
    """Gives a gensim model its vocabulary from stored counts, without a pass over the text."""
    matrix = corpus.term_matrix(view, documents=documents)
    totals = np.zeros(matrix.shape[1], dtype=np.int64)
    np.add.at(totals, matrix.indices, matrix.data)
    counts = dict(zip(matrix.terms, totals.tolist(), strict=True))
    model.build_vocab_from_freq(counts, corpus_count=len(matrix))
