"""A corpus for PyTorch: texts for a `DataLoader`, numbers of words for embeddings.

`Matrix.to_torch` gives a matrix as a sparse tensor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._corpus import Corpus
from ._documents import Documents
from ._selecting import Selection
from ._view import View

__all__ = ["Texts", "bags"]


class Texts:
    """A map-style dataset of texts. It is pickled to workers as a path, and documents are read there.

    >>> from zgram.torch import Texts
    >>> texts = Texts(corpus.documents, transform=str.upper)
    >>> len(texts), texts[2]
    (3, 'A NOTE\\n')
    """

    def __init__(self, documents: Documents, transform: Callable[[str], Any] | None = None) -> None:
        self.documents = documents
        self.transform = transform

    def __len__(self) -> int:
        return len(self.documents)

    def __getitem__(self, at: int) -> Any:
        text = self.documents[at].text
        return text if self.transform is None else self.transform(text)


def bags(
    corpus: Corpus, view: View | None = None, documents: Selection | None = None
) -> tuple[Any, Any, list[str]]:
    """What `torch.nn.EmbeddingBag` takes: the numbers of all words, where each document begins, and the
    words by their numbers."""
    import torch

    numbers, offsets, words = _bags(corpus, view, documents)
    return torch.from_numpy(numbers), torch.from_numpy(offsets), words


def _bags(
    corpus: Corpus, view: View | None, documents: Selection | None
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], list[str]]:
    words, rows = corpus.words(view, documents).numbers()
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    offsets = np.cumsum(lengths) - lengths
    numbers = np.concatenate(rows) if rows else np.zeros(0)
    return numbers.astype(np.int64), offsets, words
