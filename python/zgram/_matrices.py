"""The matrices of a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from . import _progress, _zgram
from ._cooccurrence import Cooccurrence, Side
from ._errors import InvalidRequest
from ._matrix import Matrix
from ._selecting import Selecting, Selection, places_of
from ._view import View

Report = Callable[[str, int, int], object]


class Matrices(Selecting):
    """The part of a corpus that counts words in documents and words near words."""

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
        progress: bool | Report = False,
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
        min_count, max_features
            The fewest occurrences of a column's word; the most columns, those of the most frequent words.
        vocabulary
            The columns, in this order, instead of those that the limits choose.
        binary
            Cells are 1 wherever the word occurs.
        by
            "folder" makes a row of each folder; a regular expression, of each value of its first group
            in the documents' names.
        first_places
            Also find out in which order the text meets the terms: `places` of the matrix.
        """
        asked = self._asked(view, documents, threads, memory)
        terms = terms_asked(
            ngram_range, min_df, max_df, min_count, max_features, vocabulary, binary, by
        )
        with _progress.following(progress) as report:
            made = _zgram.term_matrix(self, asked, terms, first_places, report)
        return _in_order(Matrix(**made), asked, by)

    def tfidf(
        self,
        view: View | None = None,
        *,
        scheme: Literal["sklearn", "gensim", "paper"] = "sklearn",
        norm: Literal["l1", "l2"] | None = "l2",
        smooth_idf: bool = True,
        sublinear_tf: bool = False,
        use_idf: bool = True,
        fit_transform: bool = True,
        documents: Selection | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        min_df: float = 1,
        max_df: float = 1.0,
        min_count: int = 0,
        max_features: int | None = None,
        vocabulary: Iterable[str] | None = None,
        binary: bool = False,
        by: str | None = None,
        threads: int = 0,
        memory: int | None = None,
        progress: bool | Report = False,
    ) -> Matrix:
        """Weighs words per document: high where a word occurs often, and in few other documents.

        >>> weights = corpus.tfidf(View(sklearn=True))
        >>> weights.terms, weights.idf.round(3)
        (['cat', 'dog', 'note', 'ran', 'sat', 'the'], array([1.693, 1.693, 1.693, 1.693, 1.288, 1.288]))
        >>> weights.to_scipy()[0, 0].round(3)
        np.float64(0.712)

        Parameters
        ----------
        scheme
            With *D* documents, *DF* of which contain the word, and its count *TF* in the document:
            "sklearn", TF · (ln((1 + D) / (1 + DF)) + 1), rows divided by their norm;
            "gensim", TF · log2(D / DF), rows divided by their Euclidean norm, weights of 0 left out;
            "paper", TF · ln(D / DF), as in the paper on analytics on compressed text.
        norm, smooth_idf, sublinear_tf, use_idf
            As in scikit-learn's `TfidfTransformer`; only for its scheme.
        fit_transform
            Whether norms are added up in the order of scikit-learn's `fit_transform` or in that of
            `transform`. Only the last bits differ.

        The other parameters are those of `term_matrix`.
        """
        weights: dict[str, Any] = dict(
            norm=norm, smooth_idf=smooth_idf, sublinear_tf=sublinear_tf, use_idf=use_idf
        )
        usual = dict(norm="l2", smooth_idf=True, sublinear_tf=False, use_idf=True)
        if scheme != "sklearn" and weights != usual:
            changed = next(name for name in usual if weights[name] != usual[name])
            raise InvalidRequest(f"{changed} goes with scheme='sklearn'")
        weights.update(scheme=scheme, fit_transform=fit_transform)
        asked = self._asked(view, documents, threads, memory)
        terms = terms_asked(
            ngram_range, min_df, max_df, min_count, max_features, vocabulary, binary, by
        )
        with _progress.following(progress) as report:
            made = _zgram.tfidf(self, asked, terms, weights, report)
        return _in_order(Matrix(**made), asked, by)

    def cooccurrence(
        self,
        view: View | None = None,
        *,
        window: int = 15,
        weighting: Literal["inverse", "flat"] = "inverse",
        side: Side = "both",
        boundary: Literal["document", "line"] = "document",
        min_count: int = 1,
        max_vocab: int | None = None,
        upper_triangle: bool = False,
        documents: Selection | None = None,
        threads: int = 0,
        memory: int | None = None,
        progress: bool | Report = False,
    ) -> Cooccurrence:
        """Counts how often words occur near each other: a square matrix, as GloVe's `cooccur` makes it.

        >>> near = corpus.cooccurrence(window=1, weighting="flat")
        >>> cat, sat = near.terms.index("cat"), near.terms.index("sat")
        >>> near.to_scipy()[cat, sat]
        np.float64(1.0)

        Parameters
        ----------
        window
            Pairs of words at most this far apart are counted.
        weighting
            A pair adds one divided by the distance, or one.
        side
            A row counts the words on both sides of its word, so the matrix is symmetric; or those to its left
            or right.
        boundary
            What no pair crosses: the end of a document or of a line.
        min_count, max_vocab
            The fewest occurrences of a word; the most words, the most frequent ones. Others vanish before
            distances are counted.
        upper_triangle
            Leave out the mirrored half of a symmetric matrix.
        """
        asked = self._asked(view, documents, threads, memory)
        pairs = dict(window=window, side=side, boundary=boundary, min_count=min_count)
        cells = dict(weighting=weighting, max_vocab=max_vocab, upper_triangle=upper_triangle)
        with _progress.following(progress) as report:
            made = _zgram.cooccurrence(self, asked, pairs, cells, report)
        return Cooccurrence(side=side, **made)


def terms_asked(
    ngram_range: tuple[int, int] = (1, 1),
    min_df: float = 1,
    max_df: float = 1.0,
    min_count: int = 0,
    max_features: int | None = None,
    vocabulary: Iterable[str] | None = None,
    binary: bool = False,
    by: str | None = None,
) -> dict[str, Any]:
    """Which columns a matrix has, as the native part takes it."""
    terms = None if vocabulary is None else list(vocabulary)
    return dict(
        ngrams=tuple(ngram_range),
        # A vocabulary takes the place of these limits.
        min_docs=min_df if terms is None else None,
        max_docs=max_df if terms is None else None,
        min_count=min_count,
        max_features=max_features,
        vocabulary=terms,
        binary=binary,
        by=by,
    )


def _in_order(matrix: Matrix, asked: dict[str, Any], by: str | None) -> Matrix:
    """The matrix with its rows in the order of the documents that were chosen."""
    places = places_of(asked["documents"]) if by is None else None
    return matrix if places is None else matrix._in_order(places)
