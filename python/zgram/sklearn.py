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

from collections.abc import Iterable
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
                documents=documents,
                ngram_range=self.ngram_range,  # type: ignore[attr-defined]
                vocabulary=vocabulary,
                binary=self.binary,  # type: ignore[attr-defined]
                first_places=vocabulary is None and self._in_order_of_text,
                threads=1,
            )
        except ValueError as error:
            if vocabulary is None:
                raise
            # None of the known words occurs: scikit-learn returns a matrix without cells.
            if "occurs" not in str(error):
                raise
            shape = (len(documents), len(vocabulary))
            return known, csr_matrix(shape, dtype=self.dtype)  # type: ignore[attr-defined]
        counts = matrix.to_scipy()
        if counts.dtype != self.dtype:  # type: ignore[attr-defined]
            counts = counts.astype(self.dtype)  # type: ignore[attr-defined]
        if fixed_vocab:
            return known, counts
        if not self._in_order_of_text:
            return dict(zip(matrix.terms, range(len(matrix.terms)), strict=True)), counts
        # scikit-learn numbers terms as it meets them, and adds up norms in that order.
        order = np.argsort(matrix.places, kind="stable")
        numbers = np.empty(len(order), dtype=counts.indices.dtype)
        numbers[order] = np.arange(len(order))
        counts.indices = numbers[counts.indices]
        counts.sort_indices()
        return {matrix.terms[column]: at for at, column in enumerate(order.tolist())}, counts

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
