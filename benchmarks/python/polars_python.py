#!/usr/bin/env python3
"""Word counts of plain files with Polars."""

from answers import of_frame, paths, read, run

import polars as pl

WORD = r"[\p{L}\p{N}_]{2,}"


def words(folder):
    texts = pl.Series("word", [read(path) for _, path in paths(folder)], dtype=pl.String)
    found = texts.to_frame().lazy().select(pl.col("word").str.to_lowercase().str.extract_all(WORD))
    counted = found.explode("word").drop_nulls().group_by("word").len("count").collect()
    return (counted,), of_frame


run(pl.__version__, {"words": words})
