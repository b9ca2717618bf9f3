"""The distinct words of a corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from . import _zgram

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Vocabulary(Mapping[str, int]):
    """The distinct words of a corpus with their counts: a mapping, in the order of the words' bytes.

    >>> words = corpus.vocabulary
    >>> len(words), words["cat"], "fox" in words
    (7, 2, False)
    >>> dict(words.prefix("T")), words.matching("^.a").words
    ({'The': 3}, ['cat', 'ran', 'sat'])
    >>> from collections import Counter
    >>> Counter(words).most_common(1)
    [('The', 3)]
    """

    __slots__ = ("_native", "_words")

    def __init__(self, native: _zgram.NativeVocabulary) -> None:
        self._native = native
        self._words: list[str] | None = None

    @property
    def words(self) -> list[str]:
        """All words. They are made when they are first asked for."""
        if self._words is None:
            self._words = self._native.words()
        return self._words

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each word occurs."""
        return self._native.counts()

    def find(self, word: str | bytes) -> int | None:
        """The place of a word in `words` and `counts`; `None` if it does not occur."""
        return self._native.find(word)

    def prefix(self, prefix: str | bytes) -> Vocabulary:
        """The words that begin with `prefix`."""
        return Vocabulary(self._native.prefix(prefix))

    def matching(self, pattern: str) -> Vocabulary:
        """The words in which a regular expression matches, in the syntax of Rust's regex crate."""
        return Vocabulary(self._native.matching(pattern))

    def __getitem__(self, word: str) -> int:
        place = self._native.find(word) if isinstance(word, (str, bytes)) else None
        if place is None:
            raise KeyError(word)
        return self._native.count(place)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, (str, bytes)) and self._native.find(word) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<zgram.Vocabulary of {len(self):,} words>"
