"""Hugging Face datasets, from a corpus and into one.

`zgram.compress(dataset, "file.zgram")` keeps all columns of a dataset; `to_dataset` gives them back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ._corpus import Corpus, Selection

__all__ = ["to_dataset", "to_iterable"]


def _rows(corpus: Corpus, documents: Selection | None) -> Iterator[dict[str, Any]]:
    chosen = corpus.documents
    positions = corpus._positions(documents)
    if positions is not None:
        chosen = chosen[positions]
    for document in chosen:
        yield {"name": document.name, "text": document.text}


def to_dataset(corpus: Corpus, documents: Selection | None = None) -> Any:
    """A `datasets.Dataset` with the columns `name` and `text`."""
    from datasets import Dataset

    return Dataset.from_list(list(_rows(corpus, documents)))


def to_iterable(corpus: Corpus, documents: Selection | None = None) -> Any:
    """A `datasets.IterableDataset`, which reads a document when it is asked for."""
    from datasets import IterableDataset

    return IterableDataset.from_generator(_rows, gen_kwargs={"corpus": corpus, "documents": documents})
