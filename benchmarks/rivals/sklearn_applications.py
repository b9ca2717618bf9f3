#!/usr/bin/env python3
"""Term matrices, TF-IDF and LDA with scikit-learn."""

import numpy
import sklearn
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from corpus import files
from phases import mark, run
from saved import save_matrix, save_topics


def counted(folder, **options):
    """The counts of a folder, its terms, and the names of its documents."""
    found = files(folder)
    vectorizer = CountVectorizer(input="filename", decode_error="replace", **options)
    matrix = vectorizer.fit_transform([path for _, path in found])
    return matrix, vectorizer.get_feature_names_out(), [name for name, _ in found]


def matrix(folder, output, settings):
    counts, terms, names = counted(folder, ngram_range=(1, int(settings["n"])))
    mark("preprocessed")
    save_matrix(output, counts, terms, names)


def tf_idf(folder, output, settings):
    # Together these are a TfidfVectorizer, which has no place for a mark between them.
    counts, terms, names = counted(folder, dtype=numpy.float64)
    mark("preprocessed")
    weights = TfidfTransformer().fit_transform(counts)
    save_matrix(output, weights, terms, names)


def lda(folder, output, settings):
    counts, terms, names = counted(folder)
    mark("preprocessed")
    model = LatentDirichletAllocation(
        n_components=int(settings["topics"]),
        doc_topic_prior=float(settings["alpha"]),
        topic_word_prior=float(settings["beta"]),
        max_iter=int(settings["iterations"]),
        learning_method="online",
        random_state=1,
    )
    shares = model.fit_transform(counts)
    topics = model.components_ / model.components_.sum(axis=1)[:, None]
    save_topics(output, topics, shares, terms, names)


run(sklearn.__version__, {"matrix": matrix, "tf-idf": tf_idf, "lda": lda})
