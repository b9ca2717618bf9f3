#!/usr/bin/env python3
"""Word counts, term vectors and sequences with scikit-learn's CountVectorizer."""

import sklearn
from sklearn.feature_extraction.text import CountVectorizer

from corpus import files, run


def answer(task, folder, output, threads):
    found = files(folder)
    n = 3 if task == "sequence-count" else 1
    # Words as near to ours as it can: case kept, words of one letter too.
    vectorizer = CountVectorizer(input="filename", decode_error="replace", lowercase=False,
                                 token_pattern=r"(?u)\w+", ngram_range=(n, n))
    matrix = vectorizer.fit_transform([path for _, path in found])
    terms = vectorizer.get_feature_names_out()
    with open(output, "w") as out:
        if task == "word-count":
            counts = matrix.sum(axis=0).A1
            for at in counts.argsort()[::-1]:
                out.write(f"{terms[at]}\t{counts[at]}\n")
        elif task in ("term-vector", "sequence-count"):
            for (name, _), start, end in zip(found, matrix.indptr, matrix.indptr[1:]):
                counts = matrix.data[start:end]
                for at in counts.argsort()[::-1]:
                    out.write(f"{terms[matrix.indices[start + at]]}\t{counts[at]}\t{name}\n")
        else:
            raise SystemExit(f"scikit-learn does not answer {task}")


run(sklearn.__version__, answer)
