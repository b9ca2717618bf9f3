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
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ._corpus import Corpus
from ._matrix import Matrix
from ._selecting import Selection
from ._view import View
from ._words import Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Bow", "Sentences", "build_vocab", "dictionary"]

#: Documents whose cells are turned into Python's numbers at once.
_TOGETHER = 256


class Bow:
    """Documents as bags of words: an iterable of lists of (id, count), as gensim's models take it.

    Words have the ids that `gensim.corpora.Dictionary` gives them: in the order of the documents, and the
    new words of a document in the order of their characters.
    """

    def __init__(
        self, corpus: Corpus, view: View | None = None, documents: Selection | None = None
    ) -> None:
        from scipy.sparse import csr_matrix

        try:
            matrix = corpus.term_matrix(view, documents=documents)
        except ValueError:
            # Documents without words are no error here.
            if corpus.vocabulary_of(view, documents):
                raise
            matrix = _without_words(corpus, documents)
        rows = np.repeat(np.arange(len(matrix), dtype=np.int32), np.diff(matrix.indptr))
        first = np.empty(matrix.shape[1], dtype=np.int32)
        # The last row that is written stays: the first one of the corpus.
        first[matrix.indices[::-1]] = rows[::-1]
        columns = np.lexsort((_alphabetical(matrix.terms), first))
        ids = np.empty(len(columns), dtype=matrix.indices.dtype)
        ids[columns] = np.arange(len(columns))
        cells = csr_matrix((matrix.data, ids[matrix.indices], matrix.indptr), shape=matrix.shape)
        # By columns and back: the cells of a row are in order then, faster than by sorting.
        self._cells = cells.tocsc().tocsr()
        self._words = [matrix.terms[column] for column in columns.tolist()]

    @cached_property
    def id2word(self) -> dict[int, str]:
        """The words by their ids."""
        return dict(enumerate(self._words))

    def dictionary(self) -> Any:
        """A `gensim.corpora.Dictionary` of these documents, equal to the one that gensim makes."""
        from gensim.corpora import Dictionary

        cells, words = self._cells, len(self._words)
        totals = np.zeros(words, dtype=np.int64)
        np.add.at(totals, cells.indices, cells.data)
        made = Dictionary()
        made.token2id = dict(zip(self._words, range(words), strict=True))
        made.dfs = dict(enumerate(np.bincount(cells.indices, minlength=words).tolist()))
        made.cfs = dict(enumerate(totals.tolist()))
        made.num_docs = len(self)
        made.num_pos = int(totals.sum())
        made.num_nnz = int(cells.nnz)
        return made

    def __len__(self) -> int:
        return int(self._cells.shape[0])

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        cells = self._cells
        for start in range(0, len(self), _TOGETHER):
            bounds = cells.indptr[start : start + _TOGETHER + 1].tolist()
            part = slice(bounds[0], bounds[-1])
            pairs = list(zip(cells.indices[part].tolist(), cells.data[part].tolist(), strict=True))
            for begin, end in zip(bounds, bounds[1:], strict=False):
                yield pairs[begin - bounds[0] : end - bounds[0]]


def dictionary(
    corpus: Corpus, view: View | None = None, documents: Selection | None = None
) -> Any:
    """A `gensim.corpora.Dictionary` of documents, equal to the one that gensim makes.

    >>> from zgram.gensim import dictionary
    >>> dictionary(corpus).num_docs
    3
    """
    return Bow(corpus, view, documents).dictionary()


class Sentences:
    """Documents as lists of words, cut where gensim would cut them, for `Word2Vec(sentences=...)`.

    >>> from zgram.gensim import Sentences
    >>> list(Sentences(corpus, View(case="lower")))[1]
    ['the', 'dog', 'sat']
    """

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
    """Gives a gensim model its vocabulary from stored counts, without a pass over the text.

    >>> from gensim.models import Word2Vec
    >>> from zgram.gensim import build_vocab
    >>> model = Word2Vec(vector_size=4, min_count=2)
    >>> build_vocab(model, corpus)
    >>> model.wv.index_to_key[0]
    'The'
    """
    vocabulary = corpus.vocabulary_of(view, documents)
    counts = dict(zip(vocabulary.words, vocabulary.counts.tolist(), strict=True))
    chosen = corpus._positions(documents)
    model.build_vocab_from_freq(counts, corpus_count=len(corpus if chosen is None else chosen))


def _alphabetical(terms: list[str]) -> NDArray[np.intp]:
    """The place of each term in the order of characters. Terms come in the order of their bytes, which is the
    same unless some are not UTF-8."""
    places = np.arange(len(terms))
    try:
        "".join(terms).encode()
    except UnicodeEncodeError:
        places[sorted(range(len(terms)), key=terms.__getitem__)] = np.arange(len(terms))
    return places


def _without_words(corpus: Corpus, documents: Selection | None) -> Matrix:
    chosen = corpus._positions(documents)
    rows = len(corpus if chosen is None else chosen)
    none = np.zeros(0, dtype=np.int32)
    return Matrix((rows, 0), np.zeros(rows + 1, dtype=np.int32), none, none.astype(np.int64), [], [])
