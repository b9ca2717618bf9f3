"""Topics of documents."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from . import _zgram
from ._errors import OutOfRange
from ._rows import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Words that describe a topic.
_WORDS = 8


class WordWeight(NamedTuple):
    """A word and its probability in a topic."""

    word: str
    weight: float


class Topics:
    """A topic model: a topic is a distribution of words, and a document a mixture of topics.

    >>> topics = corpus.lda(2, View(case="lower", stop="english"), iterations=20)
    >>> topics.topic_words.shape, topics.document_topics.shape
    ((2, 4), (3, 2))
    >>> float(topics.document_topics.sum(axis=1).round(9).min())
    1.0
    >>> len(topics.perplexities)
    20
    """

    def __init__(self, native: _zgram.NativeTopics) -> None:
        self._native = native

    def __len__(self) -> int:
        """How many topics there are."""
        return len(self.sizes)

    @cached_property
    def terms(self) -> list[str]:
        """The words: the columns of `topic_words`."""
        return self._native.words()

    @cached_property
    def documents(self) -> list[str]:
        """The names of the documents: the rows of `document_topics`."""
        return self._native.documents()

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many occurrences of words each topic has."""
        return self._native.sizes()

    @cached_property
    def topic_words(self) -> NDArray[np.float64]:
        """The probability of each word in each topic. Rows are topics."""
        return self._native.topic_words()

    @cached_property
    def document_topics(self) -> NDArray[np.float64]:
        """The probability of each topic in each document. Rows are documents."""
        return self._native.document_topics()

    @cached_property
    def perplexities(self) -> NDArray[np.float64]:
        """The perplexity of each pass: the lower, the better."""
        return self._native.perplexities()

    @property
    def perplexity(self) -> float:
        """The perplexity of the last pass."""
        return float(self.perplexities[-1]) if len(self.perplexities) else float("nan")

    @property
    def held_out_perplexity(self) -> float | None:
        """The perplexity of the documents held out, if there were any with enough words."""
        return self._native.held_out_perplexity()

    def words(self, topic: int, top: int = 10) -> Rows[WordWeight]:
        """The most probable words of a topic."""
        if not 0 <= topic < len(self):
            raise OutOfRange(f"there is no topic {topic} among {len(self)}")
        numbers, weights = self._native.words_of(topic)
        names = [self.terms[number] for number in numbers[:top].tolist()]
        return Rows(WordWeight, {"word": names, "weight": weights[:top]})

    def _described(self) -> list[tuple[int, float, str]]:
        shares = self.sizes / max(1, int(self.sizes.sum()))
        described = enumerate(shares.tolist())
        return [(at, share, " ".join(self.words(at, _WORDS)["word"])) for at, share in described]

    def __repr__(self) -> str:
        return "\n".join(f"{at:>3} {share:6.1%}  {words}" for at, share, words in self._described())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{at}</td><td style='text-align:right;background:linear-gradient(90deg,#4c78a855 "
            f"{round(100 * share)}%,transparent {round(100 * share)}%)'>{share:.1%}</td>"
            f"<td style='text-align:left'>{escape(words)}</td></tr>"
            for at, share, words in self._described()
        )
        return f"<table><tr><th>topic</th><th>share</th><th>words</th></tr>{rows}</table>"
