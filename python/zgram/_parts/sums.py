"""Adds up rows of parts, in Arrow: what one process does for a whole corpus."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .answers import divisor, schema
from .asked import Asked

#: Rows are added up once there are so many.
_MANY = 1 << 21


def summed(asked: Asked, batches: Iterable[pa.RecordBatch], documents: int) -> pa.Table:
    """The answer to a question about all documents together, from the rows of all parts.

    `documents` is the number of documents, for limits that are shares.
    """
    keys = ["word", "context"] if asked.task == "cooccurrence" else [asked.item]
    part = schema(asked.as_part())
    numbers = [name for name in part.names if name not in keys]
    waiting: list[pa.RecordBatch] = []
    rows = 0
    total = part.empty_table()
    for batch in batches:
        waiting.append(batch)
        rows += len(batch)
        if rows > max(_MANY, len(total)):
            total, waiting, rows = _add(total, waiting, keys, numbers), [], 0
    total = _add(total, waiting, keys, numbers)
    if asked.task == "cooccurrence":
        values = pc.divide(total["units"].cast(pa.float64()), float(divisor(asked)))
        table = pa.table([total["word"], total["context"], values], schema=schema(asked))
        return table.sort_by([("word", "ascending"), ("context", "ascending")])
    return _refined(asked, total, documents)


def _add(
    total: pa.Table, waiting: list[pa.RecordBatch], keys: list[str], numbers: list[str]
) -> pa.Table:
    table = pa.concat_tables([total, pa.Table.from_batches(waiting, total.schema)])
    made = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in numbers])
    return made.rename_columns([name.removesuffix("_sum") for name in made.column_names]).select(
        total.column_names
    )


def _refined(asked: Asked, total: pa.Table, documents: int) -> pa.Table:
    """What limits and `top` leave, in order."""
    all_words = pc.sum(total["count"]).as_py() or 0
    least, most = bounds(asked, documents)
    kept = pc.greater_equal(total["count"], asked.get("min-count", 0))
    if "documents" in total.column_names:
        in_documents = total["documents"].cast(pa.float64())
        kept = pc.and_(kept, pc.and_(pc.greater_equal(in_documents, least), pc.less_equal(in_documents, most)))
    total = total.filter(kept)
    if "per_million" in asked.numbers:
        shares = total["count"].to_numpy() * 1e6 / max(1, all_words)
        total = total.append_column("per_million", pa.array(shares, pa.float64()))
    total = total.sort_by(order(asked))
    if asked.task == "sort" and asked.get("reverse"):
        total = total.take(np.arange(len(total))[::-1])
    total = total.slice(0, asked.get("top"))
    return total.select([asked.item, *asked.numbers]).cast(schema(asked))


def order(asked: Asked) -> list[tuple[str, str]]:
    """Columns that rows about all documents are ordered by."""
    if asked.task == "sort" and asked.get("by", "word") == "word":
        return [(asked.item, "ascending")]
    return [("count", "descending"), (asked.item, "ascending")]


def bounds(asked: Asked, documents: int) -> tuple[float, float]:
    """The fewest and most documents of a word that is kept."""

    def number(limit: float | None, default: float) -> float:
        if limit is None:
            return default
        return limit * documents if isinstance(limit, float) else limit

    return number(asked.get("min-docs"), 1), number(asked.get("max-docs"), float("inf"))
