#!/usr/bin/env python3
"""LDA with tomotopy."""

import numpy
import tomotopy

from phases import documents, mark, run
from saved import save_topics


def lda(folder, output, settings):
    model = tomotopy.LDAModel(
        k=int(settings["topics"]),
        alpha=float(settings["alpha"]),
        eta=float(settings["beta"]),
        seed=1,
    )
    # zgram keeps alpha as it was given.
    model.optim_interval = 0
    names = []
    for name, words in documents(folder):
        # tomotopy takes no empty document.
        if words:
            model.add_doc(words)
            names.append(name)
    workers = int(settings["threads"])
    # What the first pass would do before it samples.
    model.train(0, workers=workers)
    mark("preprocessed")
    model.train(int(settings["iterations"]), workers=workers)
    topics = numpy.array([model.get_topic_word_dist(topic) for topic in range(model.k)])
    shares = numpy.array([document.get_topic_dist() for document in model.docs])
    save_topics(output, topics, shares, model.used_vocabs, names)


run(tomotopy.__version__, {"lda": lda})
