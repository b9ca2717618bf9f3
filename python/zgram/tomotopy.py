"""A corpus for tomotopy's topic models.

>>> import tomotopy
>>> from zgram.tomotopy import add_documents
>>> model = tomotopy.LDAModel(k=2, seed=1)
>>> add_documents(model, corpus, View(case="lower"))
3
>>> model.train(10, workers=1)
>>> model.num_words
11
"""

from __future__ import annotations

from typing import Any

from ._corpus import Corpus
from ._selecting import Selection
from ._view import View

__all__ = ["add_documents"]


def add_documents(
    model: Any, corpus: Corpus, view: View | None = None, documents: Selection | None = None
) -> int:
    """Adds documents to a model, and returns how many. tomotopy leaves out those without words."""
    added = 0
    for words in corpus.words(view, documents):
        if words:
            model.add_doc(words)
            added += 1
    return added
