"""Topic models: zgram against tomotopy, by tokens per second and by held-out perplexity.

    lda_tomotopy.py MATRIX TOPICS ITERATIONS WORKERS [ZGRAM_FOLDER]

MATRIX is what `zgram matrix --format ldac -o MATRIX` writes, with its two lists beside it. ZGRAM_FOLDER is
what `zgram lda --hold-out SHARE` with the same words and 50 topics, alpha 0.1 and beta 0.01 writes. Then
tomotopy is trained on the same documents, and both models predict the documents that were held out, by the
same estimate: that of zgram, as crates/models/src/lda/held_out.rs describes it. Without a folder, tomotopy
is trained on all documents.

Times are CPU seconds of training alone.
"""

import math
import resource
import sys

import numpy as np
import tomotopy as tp

ALPHA, BETA = 0.1, 0.01


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def read_matrix(path):
    rows = []
    for line in lines(path):
        cells = [cell.split(":") for cell in line.split()[1:]]
        rows.append([(int(column), int(count)) for column, count in cells])
    return rows


def read_zgram(folder, topics, columns):
    """The probability of each word in each topic: what is not listed shares what is left."""
    weights = np.zeros((topics, len(columns)))
    for line in lines(folder + "/topics.tsv"):
        topic, word, weight = line.split("\t")
        weights[int(topic), columns[word]] = float(weight)
    rest = 1 - weights.sum(axis=1)
    for topic in range(topics):
        missing = weights[topic] == 0
        if missing.any():
            weights[topic, missing] = rest[topic] / missing.sum()
    return weights


def read_tomotopy(model, topics, columns):
    """The same for tomotopy, whose vocabulary has only the words of its documents."""
    weights = np.full((topics, len(columns)), BETA)
    counts = model.get_count_by_topics()
    words = list(model.used_vocabs)
    for topic in range(topics):
        sum_ = counts[topic] + len(words) * BETA
        tokens = np.asarray(model.get_topic_word_dist(topic, normalize=True)) * sum_ - BETA
        for word, count in zip(words, tokens):
            weights[topic, columns[word]] += max(0.0, round(float(count)))
        weights[topic] /= weights[topic].sum()
    return weights


def perplexity(weights, rows, steps=50):
    """Document completion: topics estimated from every other token, the others predicted."""
    log, tokens = 0.0, 0
    for row in rows:
        before, first, second = 0, [], []
        for _, count in row:
            seen = -(-(before + count) // 2) - -(-before // 2)
            first.append(seen)
            second.append(count - seen)
            before += count
        phi = weights[:, [column for column, _ in row]]
        first, second = np.array(first, float), np.array(second, float)
        if not second.any():
            continue
        mixture = np.full(len(weights), 1 / len(weights))
        for _ in range(steps):
            mixture = ALPHA + mixture * (phi @ (first / (mixture @ phi)))
            mixture /= mixture.sum()
        log += float(second @ np.log(mixture @ phi))
        tokens += int(second.sum())
    return math.exp(-log / tokens)


def main():
    matrix, topics, iterations, workers, *folder = sys.argv[1:]
    topics, iterations, workers = int(topics), int(iterations), int(workers)
    rows, terms = read_matrix(matrix), lines(matrix + ".terms.txt")
    columns = {term: column for column, term in enumerate(terms)}
    training = set(range(len(rows)))
    if folder:
        names = {line.split("\t")[0] for line in lines(folder[0] + "/documents.tsv")}
        documents = lines(matrix + ".documents.txt")
        training = {number for number, name in enumerate(documents) if name in names}
    model = tp.LDAModel(k=topics, alpha=ALPHA, eta=BETA, tw=tp.TermWeight.ONE, seed=1)
    model.optim_interval = 0
    for number in sorted(training):
        words = [terms[column] for column, count in rows[number] for _ in range(count)]
        if words:
            model.add_doc(words)
    model.train(0, workers=workers)
    before = cpu()
    model.train(iterations, workers=workers)
    spent = cpu() - before
    speed = model.num_words * iterations / spent / 1e6
    print(f"tomotopy {tp.__version__} {tp.isa}: {model.num_words} tokens, {spent:.2f} CPU s, {speed:.1f} M tokens/s")
    if folder:
        held_out = [row for number, row in enumerate(rows) if number not in training and row]
        ours = perplexity(read_zgram(folder[0], topics, columns), held_out)
        theirs = perplexity(read_tomotopy(model, topics, columns), held_out)
        print(f"held-out perplexity of {len(held_out)} documents: zgram {ours:.2f}, tomotopy {theirs:.2f}, ratio {ours / theirs:.4f}")


if __name__ == "__main__":
    main()
