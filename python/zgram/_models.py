"""The models of a corpus: ranking, key words, word vectors, topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, overload

from . import _progress, _zgram
from ._cooccurrence import Side
from ._documents import Documents
from ._errors import InvalidRequest
from ._matrices import Matrices, terms_asked
from ._ranking import Query, Ranker, Ranking, WordScore, explained, words_of
from ._rows import Rows
from ._selecting import Selection
from ._topics import Topics
from ._vectors import WordVectors
from ._view import View
from ._vocabulary import Vocabulary

if TYPE_CHECKING:
    from ._corpus import Corpus

Report = Callable[[str, int, int], object]
Variant = Literal["lucene", "robertson", "atire", "bm25+", "bm25l"]


class Collocate(NamedTuple):
    """A word near another."""

    word: str
    score: float
    #: How often the two words are near each other.
    cooccurrences: int
    #: How often the word occurs.
    count: int  # type: ignore[assignment]


class KeyWord(NamedTuple):
    """A word and how key it is."""

    word: str
    #: Positive for words that are more frequent than in the reference.
    score: float
    count: int  # type: ignore[assignment]
    reference_count: int
    per_million: float
    reference_per_million: float


class Models(Matrices):
    """The part of a corpus that ranks documents, compares words, and trains models."""

    @property
    def vocabulary(self) -> Vocabulary:
        """The distinct words with their counts.

        >>> len(corpus.vocabulary), corpus.vocabulary["cat"]
        (7, 2)
        """
        return Vocabulary(_zgram.vocabulary(self, self._asked(None, None)))

    def vocabulary_of(
        self,
        view: View | None = None,
        documents: Selection | None = None,
        progress: bool | Report = False,
    ) -> Vocabulary:
        """The distinct words of documents, as a view shows them.

        >>> dict(corpus.vocabulary_of(View(case="lower"), "dog.txt"))
        {'dog': 1, 'sat': 1, 'the': 1}
        """
        with _progress.following(progress) as report:
            return Vocabulary(_zgram.vocabulary(self, self._asked(view, documents), report))

    @overload
    def bm25(
        self,
        query: Query,
        k: int = 10,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 0.5,
        variant: Variant = "lucene",
        view: View | None = None,
        documents: Selection | None = None,
        explain: Literal[False] = False,
        threads: int = 0,
    ) -> Ranking: ...
    @overload
    def bm25(
        self,
        query: Query,
        k: int = 10,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 0.5,
        variant: Variant = "lucene",
        view: View | None = None,
        documents: Selection | None = None,
        explain: Literal[True],
        threads: int = 0,
    ) -> Rows[WordScore]: ...
    def bm25(
        self,
        query: Query,
        k: int = 10,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 0.5,
        variant: Variant = "lucene",
        view: View | None = None,
        documents: Selection | None = None,
        explain: bool = False,
        threads: int = 0,
    ) -> Ranking | Rows[WordScore]:
        """The `k` documents that match the words of a query best. For many queries, keep a `ranker`.

        >>> corpus.bm25("the dog", view=View(case="lower"))
        document  score
        dog.txt   0.632
        cat.txt   0.223
        2 rows
        >>> corpus.bm25("dog", explain=True)[0].contribution.__round__(3)
        0.427

        Parameters
        ----------
        query
            A text or words. The words need not follow each other; a word given twice counts twice.
        k1, b, delta
            How much each further occurrence of a word counts; how much the length of a document counts; what
            "bm25+" and "bm25l" add to each word.
        variant
            The formula, as bm25s has it.
        documents
            They are ranked as a corpus of their own.
        explain
            Report what each word adds to each score instead.
        """
        asked = self._asked(view, documents, threads)
        scoring = dict(variant=variant, k1=k1, b=b, delta=delta)
        words = words_of(query)
        native = _zgram.ranker(self, asked, scoring, words)
        positions, scores = native.rank(words, k)
        if explain:
            return explained(native, words, positions.tolist())
        return Ranking(native, positions, scores)

    def ranker(
        self,
        view: View | None = None,
        *,
        k1: float = 1.5,
        b: float = 0.75,
        delta: float = 0.5,
        variant: Variant = "lucene",
        documents: Selection | None = None,
        threads: int = 0,
        progress: bool | Report = False,
    ) -> Ranker:
        """An index of all words, which answers any number of queries in microseconds each.

        >>> ranker = corpus.ranker(View(case="lower"))
        >>> ranker.rank("cat")["document"]
        ['cat.txt']
        """
        asked = self._asked(view, documents, threads)
        scoring = dict(variant=variant, k1=k1, b=b, delta=delta)
        with _progress.following(progress) as report:
            return Ranker(cast("Corpus", self), asked, scoring, report)

    def collocates(
        self,
        word: str,
        window: int = 5,
        measure: Literal["logdice", "pmi", "t", "ll"] = "logdice",
        top: int | None = 50,
        *,
        side: Side = "both",
        boundary: Literal["document", "line"] = "document",
        min_count: int = 1,
        view: View | None = None,
        documents: Selection | None = None,
        threads: int = 0,
        progress: bool | Report = False,
    ) -> Rows[Collocate]:
        """The words near a word, the most strongly associated first. None if the word does not occur.

        >>> corpus.collocates("sat", window=1)["word"]
        ['dog', 'cat', 'The']

        Parameters
        ----------
        measure
            "logdice" compares corpora of different sizes; "pmi", pointwise mutual information, favours rare
            words; "t" and "ll", log-likelihood, favour frequent ones. `docs/applications.md` has the formulas.
        side
            Count the words on both sides of the word, or on one.
        min_count
            Leave out words that are near the word fewer times.
        """
        asked = self._asked(view, documents, threads)
        pairs = dict(window=window, side=side, boundary=boundary, min_count=min_count)
        with _progress.following(progress) as report:
            made = _zgram.collocates(self, asked, word, pairs, measure, top, report)
        return Rows(Collocate, made)

    def keyness(
        self,
        other: Corpus | Selection | None = None,
        measure: Literal["ll", "logratio"] = "ll",
        top: int | None = 100,
        *,
        min_count: int = 1,
        reverse: bool = False,
        view: View | None = None,
        documents: Selection | None = None,
        threads: int = 0,
        progress: bool | Report = False,
    ) -> Rows[KeyWord]:
        """The words that are more frequent here than in another corpus or in other documents.

        >>> corpus.keyness(documents="cat.txt", top=2)["word"]
        ['cat', 'ran']

        Parameters
        ----------
        other
            What to compare with: a corpus, or documents of it or of this one. Without it, the documents that
            are not in `documents`.
        measure
            "ll", log-likelihood, says how sure a difference is; "logratio", how large.
        min_count
            The fewest occurrences, here and there together.
        reverse
            The words that are less frequent here first.
        documents
            Compare these documents instead of the whole corpus.
        """
        asked = self._asked(view, documents, threads)
        reference: _zgram.NativeCorpus | None = None
        positions: list[int] | None = None
        if isinstance(other, Matrices):
            reference = other
        elif isinstance(other, Documents):
            reference = None if other.corpus is self else other.corpus
            positions = other.positions.tolist()
        elif other is not None:
            positions = self._positions(other)
        if other is None and documents is None:
            raise InvalidRequest("choose documents, or another corpus to compare with")
        comparison = dict(
            other=reference,
            other_documents=positions,
            measure=measure,
            min_count=min_count,
            top=top,
            reverse=reverse,
        )
        with _progress.following(progress) as report:
            return Rows(KeyWord, _zgram.keyness(self, asked, comparison, report))

    def word2vec(
        self,
        view: View | None = None,
        *,
        size: int = 100,
        window: int = 5,
        epochs: int = 5,
        negative: int = 5,
        hierarchical: bool = False,
        skip_gram: bool = False,
        min_count: int = 5,
        max_vocab: int | None = None,
        sample: float = 1e-3,
        alpha: float = 0.025,
        seed: int = 1,
        documents: Selection | None = None,
        threads: int = 0,
        progress: bool | Report = False,
    ) -> WordVectors:
        """Trains word vectors: words that occur in similar contexts get similar vectors.

        >>> vectors = corpus.word2vec(size=8, min_count=1, epochs=2, threads=1)
        >>> len(vectors), len(vectors.losses)
        (7, 2)

        The defaults are gensim's: CBOW with 5 negative samples. With `threads=1`, the same `seed` gives the
        same vectors every time.
        """
        training = dict(
            size=size,
            window=window,
            epochs=epochs,
            negative=negative,
            hierarchical=hierarchical,
            skip_gram=skip_gram,
            min_count=min_count,
            max_vocab=max_vocab,
            sample=sample,
            alpha=alpha,
            seed=seed,
        )
        asked = self._asked(view, documents, threads)
        with _progress.following(progress) as report:
            return WordVectors(**_zgram.word2vec(self, asked, training, report))

    def lda(
        self,
        topics: int = 50,
        view: View | None = None,
        *,
        iterations: int = 100,
        alpha: float = 0.1,
        beta: float = 0.01,
        seed: int = 1,
        hold_out: float | None = None,
        documents: Selection | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        min_df: float = 1,
        max_df: float = 1.0,
        min_count: int = 0,
        max_features: int | None = None,
        vocabulary: Iterable[str] | None = None,
        by: str | None = None,
        threads: int = 0,
        memory: int | None = None,
        progress: bool | Report = False,
    ) -> Topics:
        """Finds topics, by latent Dirichlet allocation.

        >>> topics = corpus.lda(2, View(case="lower"), iterations=5)
        >>> len(topics.words(0, top=3))
        3

        Parameters
        ----------
        iterations
            Passes over all words.
        alpha, beta
            Small numbers mean few topics per document and few words per topic.
        seed
            The same seed gives the same topics for any number of threads.
        hold_out
            The share of documents that are left out, to measure how well the topics predict them.

        The documents are in the order of the corpus. The parameters for terms are those of `term_matrix`.
        """
        asked = self._asked(view, documents, threads, memory)
        terms = terms_asked(
            ngram_range, min_df, max_df, min_count, max_features, vocabulary, False, by
        )
        model = dict(
            topics=topics,
            iterations=iterations,
            alpha=alpha,
            beta=beta,
            seed=seed,
            hold_out=hold_out,
            threads=threads,
            memory=memory,
        )
        with _progress.following(progress) as report:
            return Topics(_zgram.lda(self, asked, terms, model, report))
