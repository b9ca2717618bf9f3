"""Questions to all shards: each part is answered separately, and Spark merges the rows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from zgram import Corpus, InvalidRequest
from zgram._parts.answers import answer, columns
from zgram._parts.asked import Asked, asked, of_values
from zgram._parts.plan import Part, listed

from ._merge import merged

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read(
    spark: SparkSession,
    path: str | os.PathLike[str] | Iterable[str],
    task: str = "word-count",
    *,
    via: Literal["path", "bytes"] = "path",
    ordered: bool = True,
    **options: Any,
) -> DataFrame:
    """The answer of one corpus to a question, from all its shards.

    Parameters
    ----------
    path
        The folder of the shards, or several paths.
    task, options
        As the program `zgram` has them: `read(spark, path, "sequence-count", n=2, lower=True, corpus=True)`.
    via
        "path": each task opens its shard, so every node must reach the path. "bytes": Spark reads the
        files, from whatever it can read, and each task gets the bytes of a shard. This needs pandas on the
        driver.
    ordered
        Whether rows are in the order that the program has.
    """
    given = of_values(task, options)
    question = asked(given)
    paths = listed(path)

    def rows(of: Asked, options: dict[str, str]) -> DataFrame:
        if via == "bytes":
            return _of_bytes(spark, paths, of)
        if via != "path":
            raise InvalidRequest(f"via is 'path' or 'bytes', not {via!r}")
        source = spark.read.format("zgram").options(**options, partial="true")
        return source.load(paths if len(paths) > 1 else paths[0])

    def count() -> int:
        """The number of documents that are asked about."""
        names: dict[str, str] = {"task": "documents", "text": "false"}
        names |= {name: given[name] for name in ("documents", "threads") if name in given}
        return rows(asked(names).as_part(), names).count()

    return merged(spark, question, rows(question.as_part(), given), count, ordered)


def _of_bytes(spark: SparkSession, paths: list[str], question: Asked) -> DataFrame:
    """The rows of all shards, whose bytes Spark reads."""
    files = spark.read.format("binaryFile").option("pathGlobFilter", "*.zgram").load(paths)

    def answers(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path, content in zip(batch.column(0), batch.column(1), strict=True):
                yield from _answer(question, path.as_py(), content.as_py())

    ddl = ", ".join(f"{name} {kind}" for name, kind in columns(question))
    return files.select("path", "content").mapInArrow(answers, ddl)


def _answer(question: Asked, path: str, content: bytes) -> Iterator[pa.RecordBatch]:
    try:
        corpus = Corpus(content)
        part = Part(path, 0, 0, len(corpus), True, ())
        yield from answer(question, corpus, part)
    except Exception as error:
        # The corpus knows no path: its messages are about bytes.
        if path not in str(error):
            error.add_note(f"in shard {path}")
        raise
