#!/usr/bin/env python3
"""Whether zgram's answer is its rival's: `compare.py KIND OURS THEIRS FOLDER`.

OURS and THEIRS are paths without their endings, FOLDER has the texts. Prints in a few words how far they agree. Fails if they do not.
"""

import os
import sys

import numpy
import scipy.sparse

from corpus import files

# Weights are sums of few terms: they may differ in the last bits.
CLOSE = 1e-12
# GloVe adds many weights in the order in which it meets them.
CLOSE_SUM = 1e-9
# bm25s counts in 32 bits.
CLOSE_SCORE = 1e-5
# A sample of words whose neighbours are compared, and how many neighbours.
WORDS, NEIGHBOURS = 200, 10


def lines(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        return file.read().split("\n")[:-1]


def differ(message):
    sys.exit(f"the answers differ: {message}")


def order(ours, theirs, what):
    """Where each name of ours is in theirs."""
    where = {name: at for at, name in enumerate(theirs)}
    if len(ours) != len(theirs) or any(name not in where for name in ours):
        unknown = [name for name in ours if name not in where][:3]
        unmet = list(set(theirs) - set(ours))[:3]
        differ(f"{len(ours)} {what} and {len(theirs)}; only ours {unknown}, only theirs {unmet}")
    return numpy.array([where[name] for name in ours])


def matrices(ours, theirs):
    """Both matrices, with rows and columns in our order."""
    ours, theirs = ours + ".npz", theirs + ".npz"
    mine, other = (scipy.sparse.load_npz(path).tocsr() for path in (ours, theirs))
    rows = order(lines(ours + ".documents.txt"), lines(theirs + ".documents.txt"), "documents")
    columns = order(lines(ours + ".terms.txt"), lines(theirs + ".terms.txt"), "terms")
    if mine.shape != other.shape:
        differ(f"shapes {mine.shape} and {other.shape}")
    # From their number of a column to ours.
    renumbered = numpy.empty(len(columns), dtype=numpy.int64)
    renumbered[columns] = numpy.arange(len(columns))
    other = other[rows]
    other = scipy.sparse.csr_matrix((other.data, renumbered[other.indices], other.indptr), shape=mine.shape)
    for matrix in (mine, other):
        matrix.sort_indices()
    return mine, other


def counts(ours, theirs, _):
    mine, other = matrices(ours, theirs)
    if not (
        numpy.array_equal(mine.indptr, other.indptr)
        and numpy.array_equal(mine.indices, other.indices)
        and numpy.array_equal(mine.data, other.data)
    ):
        differ(f"{mine.nnz} cells and {other.nnz}, of which {(mine != other).nnz} are not equal")
    return f"all {mine.nnz:,} cells equal"


def weights(ours, theirs, _):
    mine, other = matrices(ours, theirs)
    for matrix in (mine, other):
        # A word of all documents may weigh nothing; whether it has a cell is a matter of taste.
        matrix.data[abs(matrix.data) < CLOSE] = 0
        matrix.eliminate_zeros()
    if not (numpy.array_equal(mine.indptr, other.indptr) and numpy.array_equal(mine.indices, other.indices)):
        differ(f"{mine.nnz} cells and {other.nnz}, in different places")
    unequal = numpy.count_nonzero(mine.data != other.data)
    largest = (abs(mine.data - other.data) / abs(other.data)).max(initial=0)
    if largest > CLOSE:
        differ(f"{unequal} cells, by up to {largest:.1e} of the value")
    if unequal == 0:
        return f"all {mine.nnz:,} cells equal to the last bit"
    return f"{mine.nnz - unequal:,} of {mine.nnz:,} cells equal to the last bit, the rest within {largest:.0e}"


def ranking(path):
    rows = [line.split("\t") for line in lines(path)]
    return [(float(score), name) for score, name in rows]


def scores(ours, theirs, _):
    mine, other = ranking(ours + ".tsv"), ranking(theirs + ".tsv")
    # bm25s fills up with documents of score 0.
    other = [(score, name) for score, name in other if score > 0]
    if len(mine) != len(other):
        differ(f"{len(mine)} documents and {len(other)}")
    largest = max((abs(a - b) / b for (a, _), (b, _) in zip(mine, other)), default=0)
    if largest > CLOSE_SCORE:
        differ(f"scores by up to {largest:.1e} of the value: {mine}, {other}")
    # Documents that tie with the last one may be others.
    last = mine[-1][0] * (1 + CLOSE_SCORE) if mine else 0
    surely = [{name for score, name in rows if score > last} for rows in (mine, other)]
    if surely[0] != surely[1]:
        differ(f"documents: {mine}, {other}")
    return f"{len(mine)} documents, scores within {largest:.0e}"


def vectors(path):
    """Words and their vectors of length 1, from a file in word2vec's binary format."""
    with open(path, "rb") as file:
        count, size = map(int, file.readline().split())
        words, rows = [], numpy.empty((count, size), dtype=numpy.float32)
        for at in range(count):
            word = bytearray()
            while (byte := file.read(1)) not in (b" ", b""):
                # Some writers end each vector with a line end.
                if byte != b"\n":
                    word += byte
            words.append(bytes(word))
            rows[at] = numpy.frombuffer(file.read(4 * size), dtype=numpy.float32)
    if not numpy.isfinite(rows).all():
        differ(f"{path} has a value that is not finite")
    return words, rows / numpy.maximum(numpy.linalg.norm(rows, axis=1), 1e-30)[:, None]


def neighbours(ours, theirs, _):
    (words, mine), (other_words, other) = vectors(ours + ".bin"), vectors(theirs + ".bin")
    other = other[order(words, other_words, "words")]
    if mine.shape != other.shape:
        differ(f"shapes {mine.shape} and {other.shape}")
    # Both write the most frequent words first.
    sample = numpy.arange(min(WORDS, len(words)))
    near = min(NEIGHBOURS, len(words) - 1)
    nearest = []
    for rows in (mine, other):
        likeness = rows[sample] @ rows.T
        likeness[sample, sample] = -2
        nearest.append(numpy.argpartition(-likeness, near - 1, axis=1)[:, :near])
    shared = numpy.mean([len(set(a) & set(b)) for a, b in zip(*nearest)])
    return f"the same {len(words):,} words; {shared:.1f} of {near} nearest neighbours shared"


def perplexity(topics, shares, terms, names, folder):
    """How well a model predicts the words of the corpus it was made of."""
    from sklearn.feature_extraction.text import CountVectorizer

    if abs(topics.sum(axis=1) - 1).max() > 1e-3 or abs(shares.sum(axis=1) - 1).max() > 1e-3:
        differ("shares of words or topics do not add up to 1")
    paths = dict(files(folder))
    vectorizer = CountVectorizer(input="filename", decode_error="replace", vocabulary=terms)
    counts = vectorizer.transform([paths[name] for name in names])
    total = 0.0
    for row, share in enumerate(shares):
        cells = slice(counts.indptr[row], counts.indptr[row + 1])
        total += counts.data[cells] @ numpy.log(share @ topics[:, counts.indices[cells]])
    return numpy.exp(-total / counts.sum())


def table(path, first, second, weight):
    """Names and a matrix of weights, from rows of them; what is not listed shares what is left."""
    rows = [line.split("\t") for line in lines(path)]
    names = [list(dict.fromkeys(row[at] for row in rows)) for at in (first, second)]
    where = [{name: at for at, name in enumerate(found)} for found in names]
    matrix = numpy.zeros((len(names[0]), len(names[1])))
    at = [[where[number][row[place]] for row in rows] for number, place in enumerate((first, second))]
    matrix[at[0], at[1]] = [float(row[weight]) for row in rows]
    unlisted = (matrix == 0).sum(axis=1)
    left = numpy.maximum(1 - matrix.sum(axis=1), 0) / numpy.maximum(unlisted, 1)
    return numpy.where(matrix == 0, numpy.maximum(left, 1e-12)[:, None], matrix), names


def topics(ours, theirs, folder):
    found, (mine_order, terms) = table(os.path.join(ours, "topics.tsv"), 0, 1, 2)
    shares, (names, other_order) = table(os.path.join(ours, "documents.tsv"), 0, 1, 2)
    shares = shares[:, order(mine_order, other_order, "topics")]
    mine = perplexity(found, shares, terms, names, folder)
    stored = numpy.load(theirs + ".npz")
    names = [lines(f"{theirs}.npz.{axis}.txt") for axis in ("terms", "documents")]
    order(terms, names[0], "words")
    other = perplexity(stored["topics"], stored["documents"], *names, folder)
    return f"perplexity {other:,.0f}, zgram's {mine:,.0f}"


def cells(folder, number):
    """Keys and values of all cells in GloVe's format, in order; `number` has the number of each word in keys."""
    record = numpy.dtype([("row", "<i4"), ("column", "<i4"), ("value", "<f8")])
    found = numpy.fromfile(os.path.join(folder, "cooccurrence.bin"), dtype=record)
    keys = number[found["row"]] << 32 | number[found["column"]]
    values = found["value"]
    # Both programs usually write in order; there are too many cells to sort them for nothing.
    if not (keys[:-1] < keys[1:]).all():
        at = numpy.argsort(keys)
        keys, values = keys[at], values[at]
    return keys, values


def cooccurrences(ours, theirs, _):
    words, other_words = (
        [line.split(" ") for line in lines(os.path.join(folder, "vocab.txt"))] for folder in (ours, theirs)
    )
    where = order([word for word, _ in words], [word for word, _ in other_words], "words")
    if any(words[at][1] != other_words[other][1] for at, other in enumerate(where)):
        differ("counts of words")
    # Words of one count may be in another order; GloVe's numbers begin with 1.
    number = numpy.arange(len(words) + 1)
    other_number = numpy.zeros(len(words) + 1, dtype=numpy.int64)
    other_number[where + 1] = number[1:]
    keys, values = cells(ours, number)
    other_keys, other_values = cells(theirs, other_number)
    if not numpy.array_equal(keys, other_keys):
        differ(f"{len(values)} cells and {len(other_values)}, not all in the same places")
    largest = (abs(values - other_values) / abs(other_values)).max(initial=0)
    if largest > CLOSE_SUM:
        differ(f"values by up to {largest:.1e}")
    return f"the same {len(values):,} cells, values within {largest:.0e}"


KINDS = {
    "counts": counts,
    "weights": weights,
    "scores": scores,
    "neighbours": neighbours,
    "topics": topics,
    "cooccurrences": cooccurrences,
}

if __name__ == "__main__":
    kind, *paths = sys.argv[1:]
    print(KINDS[kind](*paths))
