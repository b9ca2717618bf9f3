#!/usr/bin/env python3
"""Writes golden.json: matrices of scikit-learn and gensim, for crates/core/tests/golden_matrix.rs.

    python make.py        (needs numpy, scikit-learn, gensim)

The documents are paragraphs of a sample, and some that are odd. Weights are the bits of 64-bit floats. Made
with scikit-learn 1.9.1, gensim 4.4.0 and numpy 2.4.6 on a processor with AVX-512: elsewhere numpy's
logarithms may differ in the last bit.
"""

import json
import pathlib

import numpy as np
from gensim.models import TfidfModel
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

HERE = pathlib.Path(__file__).parent
BOOK = HERE.parents[2] / "samples/books/carroll-alice.txt"
ODD = [
    "",
    "the and of to",
    "snake_case _leading trailing_ a_b_c __ _",
    "中文 words 中文字 and ひらがなカタカナ mixed中文mixed 中_a",
    "don't stop; isn't it? e-mail: a@b.co x1 2x 3 33 333",
    "STRASSE Straße straße ΟΔΟΣ İstanbul naïve na\u0308ive",
    "to be or not to be to be or not to be",
    "x",
]
STOP = ["the", "and", "of", "to", "it", "she", "was", "in", "her"]
CASES = {
    "words": (CountVectorizer, {}),
    "words_limits": (CountVectorizer, dict(min_df=2, max_df=0.3)),
    "words_binary_stop": (CountVectorizer, dict(binary=True, stop_words=STOP)),
    "one_or_two": (CountVectorizer, dict(ngram_range=(1, 2))),
    "one_or_two_stop": (CountVectorizer, dict(ngram_range=(1, 2), stop_words=STOP, min_df=2)),
    "two_or_three_stop": (CountVectorizer, dict(ngram_range=(2, 3), stop_words=STOP)),
    "vocabulary": (
        CountVectorizer,
        dict(ngram_range=(1, 3), vocabulary=["white rabbit", "alice", "absent", "to be or", "rabbit"]),
    ),
    "tfidf": (TfidfVectorizer, {}),
    "tfidf_transform": (TfidfVectorizer, dict(transform=True)),
    "tfidf_sublinear": (TfidfVectorizer, dict(sublinear_tf=True)),
    "tfidf_l1": (TfidfVectorizer, dict(norm="l1")),
    "tfidf_plain": (TfidfVectorizer, dict(norm=None, smooth_idf=False)),
    "tfidf_no_idf": (TfidfVectorizer, dict(use_idf=False)),
    "tfidf_two_stop": (TfidfVectorizer, dict(ngram_range=(1, 2), stop_words=STOP, min_df=2)),
}


def bits(values):
    return np.asarray(values, dtype=np.float64).view(np.uint64).tolist()


def documents():
    text = BOOK.read_text(encoding="utf-8").replace("\r\n", "\n")
    paragraphs = [" ".join(p.split()) for p in text.split("\n\n")]
    return [p for p in paragraphs if len(p) > 200][:12] + ODD


def case(texts, vectorizer, options):
    options = dict(options)
    transform = options.pop("transform", False)
    vectorizer = vectorizer(**options)
    # fit_transform sums the norms of rows in the order in which it met the terms, and not of columns.
    if transform:
        matrix = vectorizer.fit(texts).transform(texts).tocsr()
    else:
        matrix = vectorizer.fit_transform(texts).tocsr()
    matrix.sort_indices()
    is_counts = matrix.dtype.kind == "i"
    ngrams = list(options.get("ngram_range", (1, 1)))
    return {
        "options": {k: v for k, v in options.items() if k not in ("ngram_range", "stop_words")},
        "transform": transform,
        "ngrams": ngrams,
        "stop": options.get("stop_words") or [],
        "terms": vectorizer.get_feature_names_out().tolist(),
        "row_starts": matrix.indptr.tolist(),
        "columns": matrix.indices.tolist(),
        "values": matrix.data.tolist() if is_counts else bits(matrix.data),
    }


def gensim_case(texts):
    # A word of every document, which gensim leaves out.
    texts = [f"{text} everywhere" for text in texts]
    counts = CountVectorizer(min_df=2).fit(texts)
    matrix = counts.transform(texts).tocsr()
    matrix.sort_indices()
    rows = [
        [(int(c), int(v)) for c, v in zip(matrix.indices[a:b], matrix.data[a:b])]
        for a, b in zip(matrix.indptr, matrix.indptr[1:])
    ]
    model = TfidfModel(rows)
    weights = [model[row] for row in rows]
    return {
        "options": {"min_df": 2},
        "ngrams": [1, 1],
        "stop": [],
        "terms": counts.get_feature_names_out().tolist(),
        "row_starts": np.cumsum([0] + [len(row) for row in weights]).tolist(),
        "columns": [c for row in weights for c, _ in row],
        "values": bits([w for row in weights for _, w in row]),
    }


def main():
    texts = documents()
    cases = {name: case(texts, *of) for name, of in CASES.items()}
    cases["gensim"] = gensim_case(texts)
    lines = [f"{json.dumps(name)}: {json.dumps(of, ensure_ascii=False, separators=(',', ':'))}" for name, of in cases.items()]
    documents_line = json.dumps(texts, ensure_ascii=False)
    body = ",\n".join([f'"documents": {documents_line}', *lines])
    (HERE / "golden.json").write_text("{\n" + body + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
