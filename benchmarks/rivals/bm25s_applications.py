#!/usr/bin/env python3
"""BM25 with bm25s: `bm25` indexes and asks, `bm25-index` only indexes, `bm25-stored` asks a stored index."""

import os

import bm25s

from corpus import files
from phases import mark, read, run, write_lines


def index(folder):
    texts = [read(path) for _, path in files(folder)]
    tokens = bm25s.tokenize(texts, stopwords=None, show_progress=False)
    retriever = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    retriever.index(tokens, show_progress=False)
    return retriever


def ask(retriever, names, output, settings):
    words = bm25s.tokenize([settings["words"]], stopwords=None, show_progress=False)
    best, scores = retriever.retrieve(words, k=min(int(settings["k"]), len(names)), show_progress=False)
    write_lines(output, (f"{score}\t{names[at]}" for at, score in zip(best[0], scores[0])))


def bm25(folder, output, settings):
    retriever = index(folder)
    mark("preprocessed")
    ask(retriever, [name for name, _ in files(folder)], output, settings)


def bm25_index(folder, output, settings):
    index(folder).save(output, show_progress=False)
    mark("preprocessed")
    write_lines(os.path.join(output, "names.txt"), (name for name, _ in files(folder)))


def bm25_stored(folder, output, settings):
    stored = settings["index"]
    retriever = bm25s.BM25.load(stored, mmap=True)
    with open(os.path.join(stored, "names.txt"), encoding="utf-8", errors="surrogateescape") as file:
        names = file.read().splitlines()
    mark("preprocessed")
    ask(retriever, names, output, settings)


run(bm25s.__version__, {"bm25": bm25, "bm25-index": bm25_index, "bm25-stored": bm25_stored})
