#!/usr/bin/env python3
"""The six tasks as data frames, with Polars."""

import os
import sys

# Polars makes its threads when it is imported.
os.environ["POLARS_MAX_THREADS"] = sys.argv[4] if len(sys.argv) > 4 else "1"

import polars as pl  # noqa: E402

from corpus import files, run  # noqa: E402

ALONE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}"
WORD = rf"[[\p{{L}}\p{{N}}\p{{M}}]&&[{ALONE}]]|[[\p{{L}}\p{{N}}\p{{M}}]--[{ALONE}]]+"


def read(path):
    with open(path, "rb") as file:
        return file.read().decode(errors="replace")


def answer(task, folder, output, threads):
    names, texts = zip(*((name, read(path)) for name, path in files(folder)))
    terms = (
        pl.LazyFrame({"document": names, "term": texts})
        .with_columns(pl.col("term").str.extract_all(WORD))
        .explode("term")
        .drop_nulls()
    )
    if "sequence" in task or "ranked" in task:
        following = [pl.col("term").shift(-by).over("document") for by in (1, 2)]
        terms = terms.with_columns(pl.concat_str(["term", *following], separator=" ")).drop_nulls()
    keys = ["term"] if task in ("word-count", "sort") else ["term", "document"]
    counts = terms.group_by(keys).len("n")
    order = {
        "word-count": (["n", "term"], [True, False]),
        "sort": (["term"], [False]),
        "inverted-index": (["term"], [False]),
        "term-vector": (["document", "n"], [False, True]),
        "sequence-count": (["document", "n"], [False, True]),
        "ranked-inverted-index": (["term", "n"], [False, True]),
    }
    by, falling = order[task]
    columns = ["term", "n", *keys[1:]]
    rows = counts.sort(by, descending=falling).select(columns).collect()
    rows.write_csv(output, separator="\t", include_header=False, quote_style="never")


run(pl.__version__, answer)
