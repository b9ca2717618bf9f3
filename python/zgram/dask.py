"""Corpora in shards for Dask: a task for each part of a shard.

It needs `dask[dataframe]` and pyarrow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import dask.dataframe as dd
import pyarrow as pa
from dask.delayed import delayed

from ._errors import InvalidRequest
from ._parts.answers import answer, schema
from ._parts.asked import Asked, asked, of_values
from ._parts.plan import Part, listed, open_part, parts
from ._parts.sums import summed


def read(path: str | os.PathLike[str] | Iterable[str], task: str = "word-count", **options: Any) -> Any:
    """The answer of one corpus to a question, from all its shards, as a Dask data frame.

    Tasks and options are those of the program: `read("shards", "sequence-count", n=2, corpus=True)`. Rows
    that name documents stay in a partition for each part. Rows that count all documents together are added up
    in one task.

    >>> import zgram.dask
    >>> zgram.dask.read(path, "word-count", top=2).compute().values.tolist()
    [['The', 3], ['cat', 2]]
    """
    question = asked(of_values(task, options))
    found = parts(listed(path))
    if question.is_of_parts:
        frames = [delayed(_frame)(question, part) for part in found]
    elif question.is_whole:
        rows = [delayed(_rows)(question.as_part(), part) for part in found]
        names = asked(of_values("documents", {"documents": list(question.documents or ["*"]), "text": False}))
        counts = [delayed(_count)(names, part) for part in found]
        frames = [delayed(_sum)(question, rows, counts)]
    else:
        raise InvalidRequest(
            f"this question of {task} needs the rows of all shards (its limits, its top, or its weights); "
            "pyspark_zgram.read answers it"
        )
    meta = schema(question).empty_table().to_pandas()
    return dd.from_delayed(frames, meta=meta, verify_meta=False)


def _rows(question: Asked, part: Part) -> pa.Table:
    return pa.Table.from_batches(answer(question, open_part(part), part), schema(question))


def _frame(question: Asked, part: Part) -> Any:
    return _rows(question, part).to_pandas()


def _count(question: Asked, part: Part) -> int:
    return len(_rows(question, part))


def _sum(question: Asked, rows: list[pa.Table], counts: list[int]) -> Any:
    batches = (batch for table in rows for batch in table.to_batches())
    return summed(question, batches, sum(counts)).to_pandas()
