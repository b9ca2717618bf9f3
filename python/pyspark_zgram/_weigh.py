"""TF-IDF over all shards, in two passes: numbers of documents first, then weights.

Weights are equal, to the last bit, to those that one machine calculates for the whole corpus with the option
`transform`: logarithms are zgram's own, and norms are added up in the order of the terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pyspark.sql import Window
from pyspark.sql import functions as F

from zgram import _zgram
from zgram._parts.asked import Asked

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

#: gensim leaves out weights that are not above.
_LEAST = 1e-12


def weighed(
    spark: SparkSession, asked: Asked, cells: DataFrame, documents: int
) -> tuple[DataFrame, list[Column]]:
    """The weights of cells, and how they are ordered."""
    scheme = asked.get("scheme", "paper")
    frequency = cells.groupBy("term").agg(F.count(F.lit(1)).alias("frequency"))
    # Many terms share a number of documents: few logarithms are needed.
    idf = _logarithms(spark, asked, frequency, documents)
    terms = frequency.join(F.broadcast(idf), "frequency").select("term", "idf")
    tf = F.lit(1.0) if asked.get("binary") else F.col("count").cast("double")
    if asked.get("sublinear"):
        counts = cells.select("count").distinct()
        cells = cells.join(F.broadcast(_table(spark, counts, "count", lambda n: n)), "count")
        tf = F.lit(1.0) if asked.get("binary") else F.col("logarithm") + F.lit(1.0)
    weighted = cells.join(terms, "term")
    if scheme == "gensim":
        weighted = weighted.where(F.abs("idf") > _LEAST)
    weight = tf if asked.get("no-idf") else tf * F.col("idf")
    weighted = weighted.withColumn("score", weight)
    norm = {"paper": "none", "gensim": "l2"}.get(scheme, asked.get("norm", "l2"))
    if norm != "none":
        weighted = _normalized(weighted, norm)
    if scheme == "gensim":
        weighted = weighted.where(F.abs("score") > _LEAST)
    by = [F.col("shard"), F.col("place"), F.col("score").desc(), F.col("term")]
    if asked.get("top") is not None:
        number = F.row_number().over(Window.partitionBy(*by[:2]).orderBy(*by[2:]))
        weighted = weighted.withColumn("number", number).where(F.col("number") <= asked.get("top"))
    return weighted, by


def _normalized(cells: DataFrame, norm: str) -> DataFrame:
    """Divides the weights of each document by their norm, added up in the order of the terms."""
    document = ["shard", "place", "document"]
    rows = cells.groupBy(*document).agg(
        F.array_sort(F.collect_list(F.struct("term", "score"))).alias("cells")
    )
    add = (
        (lambda sum, cell: sum + F.abs(cell["score"]))
        if norm == "l1"
        else (lambda sum, cell: sum + cell["score"] * cell["score"])
    )
    total = F.aggregate("cells", F.lit(0.0), add)
    rows = rows.withColumn("norm", total if norm == "l1" else F.sqrt(total))
    each = rows.select(*document, "norm", F.inline("cells"))
    score = F.when(F.col("norm") == 0.0, F.col("score")).otherwise(F.col("score") / F.col("norm"))
    return each.withColumn("score", score)


def _logarithms(
    spark: SparkSession, asked: Asked, terms: DataFrame, documents: int
) -> DataFrame:
    """The inverse document frequency of each number of documents."""
    scheme = asked.get("scheme", "paper")
    if scheme == "sklearn" and not asked.get("no-smooth"):
        made = _table(spark, terms, "frequency", lambda n: (documents + 1.0) / (n + 1.0))
    else:
        made = _table(spark, terms, "frequency", lambda n: documents / n)
    idf = F.col("logarithm")
    if scheme == "gensim":
        idf = idf / F.lit(float(np.log(2.0)))
    elif scheme == "sklearn":
        idf = idf + F.lit(1.0)
    return made.select("frequency", idf.alias("idf"))


def _table(spark: SparkSession, rows: DataFrame, column: str, of) -> DataFrame:  # type: ignore[no-untyped-def]
    """The logarithm of a function of each value that a column has."""
    values = sorted(row[0] for row in rows.select(column).distinct().collect())
    numbers = np.array([of(float(value)) for value in values], dtype=np.float64)
    pairs = list(zip(values, _zgram.logarithms(numbers).tolist(), strict=True))
    return spark.createDataFrame(pairs, f"{column} bigint, logarithm double")
