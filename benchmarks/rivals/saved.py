"""Answers of rivals in files, as `compare.py` reads them; terms and documents are named as zgram names them."""

import numpy
import scipy.sparse

from phases import write_lines


def save_matrix(output, matrix, terms, names):
    # Not compressed: zgram does not either, and it would take longer than counting.
    scipy.sparse.save_npz(output, matrix, compressed=False)
    save_names(output, terms, names)


def save_topics(output, topics, shares, terms, names):
    """What LDA found: shares of words in topics, and of topics in documents."""
    numpy.savez(output, topics=topics, documents=shares)
    save_names(output, terms, names)


def save_names(output, terms, names):
    write_lines(output + ".terms.txt", terms)
    write_lines(output + ".documents.txt", names)
