"""Merges the rows of all parts, with the operators of Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from zgram import InvalidRequest
from zgram._parts.answers import columns, divisor
from zgram._parts.asked import Asked
from zgram._parts.sums import bounds, order

from ._weigh import weighed

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

#: Where a document is.
PLACE = ("shard", "place")


def merged(
    spark: SparkSession, asked: Asked, rows: DataFrame, count: Callable[[], int], ordered: bool
) -> DataFrame:
    """The final rows. `count` counts the documents."""
    if asked.is_whole:
        made, by = _summed(asked, rows, count)
    elif asked.task == "tf-idf":
        made, by = weighed(spark, asked, _kept(asked, rows, count), count())
    else:
        made, by = _ranked(asked, _kept(asked, rows, count))
    if ordered or asked.is_whole and asked.get("top") is not None:
        made = made.orderBy(*by)
    if asked.is_whole and asked.get("top") is not None:
        made = made.limit(asked.get("top"))
    return made.select(*(name for name, _ in columns(asked)))


def _summed(
    asked: Asked, rows: DataFrame, count: Callable[[], int]
) -> tuple[DataFrame, list[Column]]:
    """Rows about all documents together: the sums."""
    if asked.task == "cooccurrence":
        pairs = rows.groupBy("word", "context").agg(F.sum("units").alias("units"))
        value = F.col("units").cast("double") / F.lit(float(divisor(asked)))
        return pairs.withColumn("value", value), [F.col("word"), F.col("context")]
    if asked.get("collation") == "unicode":
        raise InvalidRequest(
            "Spark orders words by their bytes; for collation=unicode, use "
            "spark.read.format('zgram').load(path) and order its rows"
        )
    numbers = [name for name in rows.columns if name != asked.item]
    made = rows.groupBy(asked.item).agg(*(F.sum(name).alias(name) for name in numbers))
    if "per_million" in asked.numbers:
        total = rows.agg(F.sum("count").alias("total"))
        made = made.crossJoin(F.broadcast(total))
        share = F.col("count").cast("double") * F.lit(1e6) / F.col("total").cast("double")
        made = made.withColumn("per_million", share)
    made = made.where(_limits(asked, count))
    by = [_direction(name, way, asked) for name, way in order(asked)]
    return made, by


def _direction(name: str, way: str, asked: Asked) -> Column:
    is_falling = (way == "descending") != bool(asked.task == "sort" and asked.get("reverse"))
    return F.col(name).desc() if is_falling else F.col(name).asc()


def _limits(asked: Asked, count: Callable[[], int]) -> Column:
    """Whether an item with these sums is kept."""
    kept = F.col("count") >= F.lit(asked.get("min-count", 0))
    limits = [asked.get("min-docs"), asked.get("max-docs")]
    if any(limit is not None for limit in limits):
        documents = count() if any(isinstance(limit, float) for limit in limits) else 0
        least, most = bounds(asked, documents)
        if most < least and documents != 0:
            raise InvalidRequest(f"no word is in at least {least:g} and at most {most:g} documents")
        kept = kept & (F.col("documents") >= F.lit(float(least)))
        if most != float("inf"):
            kept = kept & (F.col("documents") <= F.lit(float(most)))
    return kept


def _kept(asked: Asked, rows: DataFrame, count: Callable[[], int]) -> DataFrame:
    """The rows whose items meet the limits in all documents together."""
    if not asked.has_limits:
        return rows
    sums = rows.groupBy(asked.item).agg(
        F.sum("count").alias("count"), F.count(F.lit(1)).alias("documents")
    )
    sums = sums.where(_limits(asked, count))
    features = asked.get("max-features")
    if features is not None:
        column = "documents" if asked.get("binary") else "count"
        sums = sums.orderBy(F.col(column).desc(), F.col(asked.item)).limit(features)
    return rows.join(sums.select(asked.item), asked.item, "left_semi")


def _ranked(asked: Asked, rows: DataFrame) -> tuple[DataFrame, list[Column]]:
    """Rows that name documents: at most `top` of each group, in order."""
    place = [F.col(name) for name in PLACE]
    item = F.col(asked.item) if asked.task != "documents" else None
    if asked.task in ("documents", "matrix"):
        if asked.get("binary"):
            rows = rows.withColumn("count", F.lit(1).cast("bigint"))
        return rows, place if item is None else [*place, item]
    assert item is not None
    falling = F.col("count").desc()
    if asked.task == "inverted-index":
        groups, inside = [item], place
    elif asked.task == "ranked-inverted-index":
        groups, inside = [item], [falling, *place]
    else:
        groups, inside = place, [falling, item]
    if asked.get("top") is not None:
        number = F.row_number().over(Window.partitionBy(*groups).orderBy(*inside))
        rows = rows.withColumn("number", number).where(F.col("number") <= asked.get("top"))
    return rows, [*groups, *inside]
