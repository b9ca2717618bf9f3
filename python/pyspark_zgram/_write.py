"""Shards of about equal size, whatever the partitions of a data frame are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

from pyspark.sql import functions as F

from zgram import AlreadyExists, InvalidRequest
from zgram._parts.plan import local

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: The most text of a shard: it fits one segment, and the memory of a task.
MOST = 256_000_000


def write(
    frame: DataFrame,
    path: str,
    *,
    name: str = "name",
    text: str = "text",
    workers: int | None = None,
    mode: Literal["error", "overwrite", "append"] = "error",
    **options: Any,
) -> int:
    """Writes a data frame as shards, and returns how many.

    Documents are ordered by their names, which must differ, and divided by the rule of the TADOC paper: with `S`
    bytes of text and `W` workers, a shard has about `S / 2W`, so that all workers have about as much to do, and
    at most 256 MB. No document is divided. The same data frame always gives the same files.

    Parameters
    ----------
    name, text
        The columns of names and texts.
    workers
        The number of tasks that will run at once; by default, as many as run here.
    options
        `level`, `index`, `threads` and `memory`, as for `zgram.compress`.
    """
    if mode == "error" and os.path.exists(local(path)):
        raise AlreadyExists(17, f"{path} exists; mode='overwrite' replaces it")
    for column in (name, text):
        if column not in frame.columns:
            raise InvalidRequest(f"there is no column {column!r} among {', '.join(frame.columns)}")
    if workers is None:
        workers = frame.sparkSession.sparkContext.defaultParallelism
    if workers < 1:
        raise InvalidRequest("workers is at least 1")
    sizes = frame.select(F.col(name).cast("string").alias("name"), F.octet_length(text).alias("size"))
    total = sizes.agg(F.sum("size")).collect()[0][0] or 0
    cuts = _cuts(sizes, min(MOST, max(1, -(-total // (2 * workers)))))
    number = F.lit(0)
    if cuts:
        known = F.array(*map(F.lit, cuts))
        number = F.size(F.filter(known, lambda cut: cut <= F.col(name).cast("string")))
    placed = frame.repartitionById(len(cuts) + 1, number).sortWithinPartitions(F.col(name).cast("string"))
    given = {key.replace("_", "-"): str(value) for key, value in options.items()}
    writer = placed.write.format("zgram").options(**given, name=name, text=text)
    # A partition is a shard, however large its documents are.
    writer = writer.option("shard-bytes", str(1 << 62))
    writer.mode("append" if mode == "append" else "overwrite").save(path)
    return len(cuts) + 1


def _cuts(sizes: DataFrame, most: int) -> list[str]:
    """The names that shards begin with, but for the first. Only names and sizes come to the driver, in order."""
    cuts: list[str] = []
    size = 0
    for row in sizes.orderBy("name").toLocalIterator():
        here = row["size"] or 0
        # A document goes where the sizes of both shards differ less from what they should be.
        if size > 0 and size + here - most > most - size:
            cuts.append(row["name"])
            size = 0
        size += here
    return cuts
