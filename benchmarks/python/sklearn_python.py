#!/usr/bin/env python3
"""scikit-learn's vectorisers on plain files."""

from answers import of_matrix, paths, run

import sklearn
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer


def fitted(vectorizer):
    def answer(folder):
        made = vectorizer(input="filename", decode_error="replace")
        matrix = made.fit_transform([path for _, path in paths(folder)])
        return (matrix, made.get_feature_names_out()), of_matrix

    return answer


run(sklearn.__version__, {"counts": fitted(CountVectorizer), "tf-idf": fitted(TfidfVectorizer)})
