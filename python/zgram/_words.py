"""Documents as lists of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _zgram

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._documents import Documents
    from ._view import View

#: Documents whose words are held in memory at once.
_TOGETHER = 1024


class Words:
    """The words of each document, in order. It can be iterated again and again, as gensim wants it.

    >>> list(corpus.words(View(case="lower"), "cat.txt"))
    [['the', 'cat', 'sat', 'the', 'cat', 'ran']]
    """

    __slots__ = ("documents", "view")

    def __init__(self, documents: Documents, view: View | None) -> None:
        self.documents = documents
        self.view = view

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[list[str]]:
        for words, numbers in self._parts():
            for document in numbers:
                yield [words[number] for number in document.tolist()]

    def numbers(self) -> tuple[list[str], list[NDArray[np.uint32]]]:
        """All distinct words, and for each document an array of indexes in that list."""
        parts = list(self._parts(len(self.documents)))
        return parts[0] if parts else ([], [])

    def _parts(self, together: int = _TOGETHER) -> Iterator[tuple[list[str], list[Any]]]:
        positions = self.documents.positions
        for start in range(0, len(positions), max(1, together)):
            part = positions[start : start + together]
            # The library answers in the order of the corpus, each document once.
            distinct, places = np.unique(part, return_inverse=True)
            words, numbers = _zgram.words_in_order(
                self.documents.corpus, distinct.tolist(), self.view
            )
            yield words, [numbers[place] for place in places.tolist()]
