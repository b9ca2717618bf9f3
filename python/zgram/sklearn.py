"""scikit-learn's vectorisers, counting compressed documents.

`CountVectorizer` and `TfidfVectorizer` are scikit-learn's own classes with one step replaced: documents
of a corpus are counted by zgram, without their text. All else (limits, vocabulary, weights) is
scikit-learn's code, so results are the same to the last bit. Only where `fit_transform` of a
`TfidfVectorizer` takes documents in another order than the corpus has them, weights can differ in the last
bit: norms are added up in another order. Texts as `str` are counted by scikit-learn.

>>> from zgram.sklearn import CountVectorizer
>>> counts = CountVectorizer().fit_transform(corpus.documents)
>>> counts.shape
(3, 6)
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
import sklearn.feature_extraction.text as _text
from scipy.sparse import csr_matrix

from ._documents import Document, Documents
from ._view import View

__all__ = ["CountVectorizer", "TfidfVectorizer"]

_DEFAULT_PATTERN = r"(?u)\b\w\w+\b"


class _CountsDocuments:
    """Replaces the step of scikit-learn's vectorisers that reads texts."""

    #: Whether it matters in which order the text meets the terms: weights are added up in that order.
    _in_order_of_text = True

    def fit(self, raw_documents: Any, y: Any = None) -> Any:
        return super().fit(_listed(raw_documents), y)  # type: ignore[misc]

    def fit_transform(self, raw_documents: Any, y: Any = None) -> Any:
        return super().fit_transform(_listed(raw_documents), y)  # type: ignore[misc]

    def transform(self, raw_documents: Any) -> Any:
        return super().transform(_listed(raw_documents))  # type: ignore[misc]

    def _count_vocab(self, raw_documents: Any, fixed_vocab: bool) -> tuple[Any, Any]:
        documents = _documents(raw_documents)
        if documents is None or not self._can_count():
            texts = raw_documents if documents is None else documents.texts
            return super()._count_vocab(texts, fixed_vocab)  # type: ignore[misc]
        vocabulary = None
        if fixed_vocab:
            known: dict[str, int] = self.vocabulary_  # type: ignore[attr-defined]
            vocabulary = sorted(known, key=known.__getitem__)
        try:
            matrix = documents.corpus.term_matrix(
                self._view(),
                documents=None if documents.is_whole else documents,
                ngram_range=self.ngram_range,  # type: ignore[attr-defined]
                vocabulary=vocabulary,
                binary=self.binary,  # type: ignore[attr-defined]
                first_places=vocabulary is None and self._in_order_of_text,
                threads=1,
                **self._limits(len(documents)),
            )
        except ValueError as error:
            if vocabulary is None:
                raise
            # None of the known words occurs: scikit-learn returns a matrix without cells.
            if "occurs" not in str(error):
                raise
            shape = (len(documents), len(vocabulary))
            return known, csr_matrix(shape, dtype=self.dtype)  # type: ignore[attr-defined]
        values = matrix.data.astype(self.dtype, copy=False)  # type: ignore[attr-defined]
        counts = csr_matrix((values, matrix.indices, matrix.indptr), shape=matrix.shape, copy=False)
        if fixed_vocab:
            return known, counts
        if matrix.places is None:
            counts.zgram_columns = None
            return dict(zip(matrix.terms, range(len(matrix.terms)), strict=True)), counts
        # scikit-learn numbers terms as it meets them, and adds up norms in that order.
        columns = np.argsort(matrix.places, kind="stable").astype(counts.indices.dtype)
        numbers = np.empty_like(columns)
        numbers[columns] = np.arange(len(columns))
        counts.indices = numbers[counts.indices]
        counts.sort_indices()
        counts.zgram_columns = columns
        return dict(zip(matrix.terms, numbers.tolist(), strict=True)), counts

    def _limits(self, documents: int) -> dict[str, Any]:
        """The fewest and the most documents of a term, if all terms within these limits are kept."""
        low, high = self.min_df, self.max_df  # type: ignore[attr-defined]
        if self.max_features is not None or self.fixed_vocabulary_:  # type: ignore[attr-defined]
            return {}
        return {
            "min_df": low if isinstance(low, Integral) else max(1, math.ceil(low * documents)),
            "max_df": high if isinstance(high, Integral) else math.floor(high * documents),
        }

    def _limit_features(
        self, X: Any, vocabulary: Any, high: Any = None, low: Any = None, limit: Any = None
    ) -> Any:
        if limit is None and hasattr(X, "zgram_columns"):
            return X  # no other terms were counted
        return super()._limit_features(X, vocabulary, high, low, limit)  # type: ignore[misc]

    def _sort_features(self, X: Any, vocabulary: dict[str, int]) -> Any:
        if not hasattr(X, "zgram_columns"):
            return super()._sort_features(X, vocabulary)  # type: ignore[misc]
        if X.zgram_columns is not None:
            X.indices = X.zgram_columns.take(X.indices)
            X.zgram_columns = None
            # scipy keeps this flag with a matrix, and would not sort the cells of a row again.
            X.has_sorted_indices = False
            # zgram lists terms in order.
            vocabulary.update(zip(list(vocabulary), range(len(vocabulary)), strict=True))
        return X

    def _can_count(self) -> bool:
        """Whether zgram knows the words that these parameters mean."""
        plain = (
            self.analyzer == "word"  # type: ignore[attr-defined]
            and self.tokenizer is None  # type: ignore[attr-defined]
            and self.preprocessor is None  # type: ignore[attr-defined]
            and self.strip_accents is None  # type: ignore[attr-defined]
            and self.token_pattern == _DEFAULT_PATTERN  # type: ignore[attr-defined]
        )
        return bool(plain and self.lowercase)  # type: ignore[attr-defined]

    def _view(self) -> View:
        stop = self.get_stop_words()  # type: ignore[attr-defined]
        return View(case="lower", sklearn=True, stop=() if stop is None else stop)


class CountVectorizer(_CountsDocuments, _text.CountVectorizer):
    """`sklearn.feature_extraction.text.CountVectorizer`, which also takes documents of a corpus."""

    _in_order_of_text = False


class TfidfVectorizer(_CountsDocuments, _text.TfidfVectorizer):
    """`sklearn.feature_extraction.text.TfidfVectorizer`, which also takes documents of a corpus."""


def _documents(raw: Any) -> Documents | None:
    """The documents that are to be counted, if they are of one corpus."""
    if isinstance(raw, Documents):
        return raw
    if isinstance(raw, list) and raw and all(isinstance(one, Document) for one in raw):
        first: Document = raw[0]
        if all(one.corpus is first.corpus for one in raw):
            return Documents(first.corpus, np.array([one.position for one in raw], dtype=np.intp))
    return None


def _listed(raw: Iterable[Any]) -> Any:
    """Documents that a cross-validation put into a list, and a whole corpus, as a selection."""
    if isinstance(raw, (Documents, str)):
        return raw
    documents = getattr(raw, "documents", None)
    if isinstance(documents, Documents):
        return documents
    return raw
