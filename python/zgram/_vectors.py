"""Word vectors."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _zgram
from ._errors import WordNotFound
from ._files import replacing
from ._rows import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Neighbour(NamedTuple):
    """A word and its similarity: the cosine of the angle between two vectors."""

    word: str
    similarity: float


class WordVectors:
    """A vector for each of some words, the most frequent word first.

    >>> vectors = corpus.word2vec(View(case="lower"), size=4, min_count=1, threads=1)
    >>> vectors.words[0], vectors["the"].shape
    ('the', (4,))
    >>> [len(row) for row in vectors.nearest("the", k=2)]
    [2, 2]
    """

    __slots__ = ("_lengths", "_numbers", "counts", "losses", "vectors", "words")

    def __init__(
        self,
        words: list[str],
        vectors: NDArray[np.float32],
        counts: NDArray[np.int64] | None = None,
        losses: NDArray[np.float64] | None = None,
    ) -> None:
        self.words = words
        #: A row for each word.
        self.vectors = vectors
        #: How often each word occurs, if that is known.
        self.counts = counts
        #: The mean loss of a prediction in each epoch, if the vectors were trained here.
        self.losses = losses
        self._numbers: dict[str, int] | None = None
        self._lengths: NDArray[np.float32] | None = None

    def find(self, word: str) -> int | None:
        """The number of a word. Of equal words the first one counts."""
        if self._numbers is None:
            self._numbers = {word: at for at, word in reversed(list(enumerate(self.words)))}
        return self._numbers.get(word)

    def nearest(
        self, word: str | Iterable[str], minus: str | Iterable[str] = (), k: int = 10
    ) -> Rows[Neighbour]:
        """The words whose vectors point in nearly the same direction, the nearest first.

        Several words are added up after they are made equally long, and those of `minus` are subtracted, as
        in gensim's `most_similar`. The words asked for are left out.
        """
        plus = [self._number(one) for one in _words(word)]
        less = [self._number(one) for one in _words(minus)]
        if self._lengths is None:
            lengths = np.sqrt(np.einsum("ij,ij->i", self.vectors, self.vectors))
            # A vector of zeros points nowhere.
            self._lengths = np.where(lengths > 0, lengths, np.float32(1))
        signs = np.array([1] * len(plus) + [-1] * len(less), dtype=np.float32)
        asked = plus + less
        target = (signs / self._lengths[asked]) @ self.vectors[asked]
        length = np.sqrt(target @ target)
        near = self.vectors @ target / (self._lengths * (length if length > 0 else 1))
        near[asked] = -np.inf
        k = min(k, len(near) - len(set(asked)))
        best = np.argsort(-near, kind="stable")[: max(k, 0)]
        columns = {"word": [self.words[at] for at in best.tolist()], "similarity": near[best].astype(np.float64)}
        return Rows(Neighbour, columns)

    def to_gensim(self) -> Any:
        """The vectors as `gensim.models.KeyedVectors`."""
        from gensim.models import KeyedVectors

        made = KeyedVectors(self.vectors.shape[1])
        made.add_vectors(self.words, self.vectors)
        if self.counts is not None:
            made.expandos["count"] = self.counts.copy()
        return made

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the vectors in word2vec's text format if the name ends in `.txt`, else in the binary one.

        >>> vectors = corpus.word2vec(size=2, min_count=2)
        >>> vectors.save(folder / "pets.bin")
        >>> zg.WordVectors.load(folder / "pets.bin").words
        ['The', 'cat', 'sat']
        """
        is_text = os.fspath(path).endswith(".txt")
        # Neither format has a way to write white space in a word.
        visible = str.maketrans(dict.fromkeys(" \t\n\v\f\r", "␣"))
        with replacing(path, force) as temporary, open(temporary, "wb") as file:
            file.write(b"%d %d\n" % self.vectors.shape)
            for word, vector in zip(self.words, self.vectors.astype("<f4", copy=False), strict=True):
                file.write(word.translate(visible).encode("utf-8", "surrogateescape") + b" ")
                numbers = " ".join(map(str, vector)).encode() if is_text else vector.tobytes()
                file.write(numbers + b"\n")

    @staticmethod
    def load(path: str | os.PathLike[str]) -> WordVectors:
        """Reads vectors of any program in either of word2vec's formats."""
        return WordVectors(**_zgram.read_vectors(path))

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.vectors[self._number(word)]
        return vector

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"<zgram.WordVectors of {len(self):,} words, {self.vectors.shape[1]} numbers each>"

    def __reduce__(self) -> tuple[Any, ...]:
        return WordVectors, (self.words, self.vectors, self.counts, self.losses)

    def _number(self, word: str) -> int:
        number = self.find(word)
        if number is None:
            raise WordNotFound(f"no vector of {word!r}")
        return number


def _words(words: str | Iterable[str]) -> list[str]:
    return [words] if isinstance(words, str) else list(words)
