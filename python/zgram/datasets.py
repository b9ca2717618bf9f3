"""Hugging Face datasets, into a corpus and from one.

A corpus keeps all columns of a dataset. Rows come back with the values that JSON can express: dates come
back as texts, and integers that are labels as integers, unless `features` says what they were.

>>> from datasets import Dataset
>>> from zgram.datasets import from_dataset, to_dataset
>>> day = Dataset.from_dict({"text": ["one day", "one night"], "label": [0, 1]})
>>> from_dataset(day, folder / "day.zgram").documents
2
>>> to_dataset(zg.open(folder / "day.zgram"))[1]
{'text': 'one night', 'label': 1}
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from typing import Any

from . import _zgram
from ._compress import Summary, compress
from ._corpus import Corpus
from ._json_lines import read_rows
from ._selecting import Selection

__all__ = ["from_dataset", "to_dataset", "to_iterable"]

#: Rows that are turned into a table at once.
_TOGETHER = 10_000


def from_dataset(
    dataset: Any, output: str | os.PathLike[str], *, text: str = "text", **options: Any
) -> Summary:
    """Compresses a dataset, with all its columns; `text` is the one with the texts. The options are those of
    `zgram.compress`."""
    return compress(dataset, output, text=text, **options)


def to_dataset(corpus: Corpus, documents: Selection | None = None, features: Any = None) -> Any:
    """A `datasets.Dataset`: the rows that were compressed, or else the columns `name` and `text`.

    `features` are the types of the columns, as a dataset has them.
    """
    import pyarrow
    from datasets import Dataset

    rows = _rows(corpus)
    tables = []
    while part := list(islice(rows, _TOGETHER)):
        names = dict.fromkeys(name for row in part for name in row)
        columns = {name: [row.get(name) for row in part] for name in names}
        tables.append(pyarrow.table({name: pyarrow.array(column) for name, column in columns.items()}))
    if tables:
        table = pyarrow.concat_tables(tables, promote_options="permissive")
    else:
        table = pyarrow.table({"name": pyarrow.array([], "string"), "text": pyarrow.array([], "string")})
    made = Dataset(table)
    if features is not None:
        made = made.cast(features)
    positions = corpus._positions(documents)
    return made if positions is None else made.select(positions)


def to_iterable(corpus: Corpus, documents: Selection | None = None) -> Any:
    """A `datasets.IterableDataset` with the same rows, which reads them when they are asked for.

    >>> from zgram.datasets import to_iterable
    >>> [row["name"] for row in to_iterable(corpus)]
    ['cat.txt', 'dog.txt', 'notes/one.txt']
    """
    from datasets import IterableDataset

    if documents is not None:
        return to_dataset(corpus, documents).to_iterable_dataset()
    return IterableDataset.from_generator(_rows, gen_kwargs={"corpus": corpus})


def _rows(corpus: Corpus) -> Iterator[dict[str, Any]]:
    if _zgram.is_json_lines(corpus):
        yield from read_rows(corpus)
        return
    for document in corpus.documents:
        yield {"name": _unicode(document.name), "text": document.text}


def _unicode(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
