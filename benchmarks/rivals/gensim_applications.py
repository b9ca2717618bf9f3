#!/usr/bin/env python3
"""TF-IDF and word2vec with gensim."""

import gensim
from gensim.corpora import Dictionary
from gensim.matutils import corpus2csc
from gensim.models import TfidfModel, Word2Vec

from phases import documents, mark, run
from saved import save_matrix

# gensim ignores the rest of a longer sentence.
LONGEST_SENTENCE = 10_000


def tf_idf(folder, output, settings):
    dictionary = Dictionary()
    names, bags = [], []
    for name, words in documents(folder):
        names.append(name)
        bags.append(dictionary.doc2bow(words, allow_update=True))
    mark("preprocessed")
    model = TfidfModel(bags)
    matrix = corpus2csc(model[bags], num_terms=len(dictionary), num_docs=len(bags)).T.tocsr()
    terms = [dictionary[number] for number in range(len(dictionary))]
    save_matrix(output, matrix, terms, names)


def word2vec(folder, output, settings):
    # A file of sentences is gensim's fastest input: no Python runs while it trains.
    sentences = output + ".sentences"
    with open(sentences, "w", encoding="utf-8") as out:
        for _, words in documents(folder):
            for start in range(0, len(words), LONGEST_SENTENCE):
                out.write(" ".join(words[start : start + LONGEST_SENTENCE]))
                out.write("\n")
    model = Word2Vec(
        vector_size=int(settings["size"]),
        window=int(settings["window"]),
        negative=int(settings["negative"]),
        min_count=int(settings["min_count"]),
        sg=int(settings["skip_gram"]),
        workers=int(settings["threads"]),
        seed=1,
    )
    model.build_vocab(corpus_file=sentences)
    mark("preprocessed")
    model.train(
        corpus_file=sentences,
        epochs=int(settings["epochs"]),
        total_examples=model.corpus_count,
        total_words=model.corpus_total_words,
    )
    model.wv.save_word2vec_format(output, binary=True)


run(gensim.__version__, {"tf-idf": tf_idf, "word2vec": word2vec})
