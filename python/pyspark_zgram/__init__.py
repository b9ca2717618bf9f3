"""Corpora in shards as a data source of Apache Spark.

Spark finds the format once the package is installed:

    spark.read.format("zgram").option("task", "word-count").load("shards/")

`read` is for questions whose answer needs the rows of all shards: Spark adds them up. `write` makes shards of equal size.

| file | what it does |
|---|---|
| `_source` | the format `zgram`: schema, partitions, rows, filters |
| `_writer`, `_write` | data frames become shards |
| `_read`, `_merge`, `_weigh` | questions to all shards, merged by Spark |
| `_carried` | what travels to workers that lack the package |
"""

from ._read import read
from ._source import DefaultSource
from ._write import write

__all__ = ["DefaultSource", "read", "write"]
