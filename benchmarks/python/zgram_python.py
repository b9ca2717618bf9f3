#!/usr/bin/env python3
"""The same with the Python package, from zgram's file."""

import sys

from answers import of_bags, of_matrix, of_frame, run

import zgram as zg

VIEW = zg.View(case="lower", sklearn=True)


def fitted(vectorizer):
    def answer(path):
        made = vectorizer()
        matrix = made.fit_transform(zg.open(path).documents)
        return (matrix, made.get_feature_names_out()), of_matrix

    return answer


def words(path):
    counted = zg.open(path).word_count(VIEW, threads=1).to_polars()
    return (counted,), of_frame


def vectors(path):
    return (zg.open(path).term_vector(VIEW, threads=1).to_polars(),), lambda frame: (f"{len(frame):,} rows", [])


def bags(path):
    bow = Bow(zg.open(path), VIEW)
    dictionary = bow.dictionary()
    return ([dictionary[number] for number in range(len(dictionary))], list(bow)), of_bags


# Libraries are loaded before the work begins, as in the rivals' scripts.
tasks = {"words": words, "vectors": vectors, "bags": bags}
if sys.argv[1] in ("counts", "tf-idf"):
    from zgram.sklearn import CountVectorizer, TfidfVectorizer

    tasks |= {"counts": fitted(CountVectorizer), "tf-idf": fitted(TfidfVectorizer)}
elif sys.argv[1] == "bags":
    import gensim.corpora  # noqa: F401
    from zgram.gensim import Bow
elif sys.argv[1] in ("words", "vectors"):
    import polars  # noqa: F401

run(zg.__version__, tasks)
