#!/usr/bin/env python3
"""Word counts of plain files with DuckDB."""

from answers import of_frame, paths, read, run

import duckdb
import polars  # noqa: F401
import pyarrow

WORDS = r"""
    SELECT word, count(*) AS count
    FROM (SELECT unnest(regexp_extract_all(lower(text), '[\p{L}\p{N}_]{2,}')) AS word FROM texts)
    GROUP BY word
"""


def words(folder):
    # read_text refuses what is not UTF-8.
    texts = pyarrow.table({"text": [read(path) for _, path in paths(folder)]})  # noqa: F841
    connection = duckdb.connect(config={"threads": 1})
    connection.register("texts", texts)
    return (connection.sql(WORDS).pl(),), of_frame


run(duckdb.__version__, {"words": words})
