"""word2vec by gensim, and how well sets of word vectors agree.

    gensim_word2vec.py train FOLDER VECTORS.bin [--skip-gram] [--hierarchical] [--threads N] [--seed N] [--epochs N]
    gensim_word2vec.py agree A.bin B.bin [C.bin ...]

`train` reads the files of a folder as zgram does: words are runs of letters, digits and marks, and a
document is cut every 10,000 words, because gensim leaves out what is beyond in a sentence. It prints
CPU seconds. `agree` prints for each pair of files how many of the 10 nearest words of a frequent word
are the same, as a mean over 200 words.
"""

import argparse
import itertools
import re
import sys
import time

from corpus import files

PIECE = 10_000
FREQUENT = 200
NEAREST = 10


def sentences(folder):
    word = re.compile(r"[^\W_]+")
    for _, path in files(folder):
        with open(path, encoding="utf-8", errors="replace") as file:
            words = word.findall(file.read())
        for start in range(0, len(words), PIECE):
            yield words[start : start + PIECE]


def train(arguments):
    from gensim.models import Word2Vec

    text = list(sentences(arguments.folder))
    model = Word2Vec(
        vector_size=100,
        window=5,
        min_count=5,
        sg=int(arguments.skip_gram),
        hs=int(arguments.hierarchical),
        negative=0 if arguments.hierarchical else 5,
        epochs=arguments.epochs,
        workers=arguments.threads,
        seed=arguments.seed,
    )
    started = time.process_time()
    model.build_vocab(text)
    counted = time.process_time()
    model.train(text, total_examples=model.corpus_count, epochs=model.epochs)
    trained = time.process_time()
    words = sum(map(len, text)) * arguments.epochs
    print(f"vocabulary {len(model.wv)} words, {counted - started:.2f} s")
    print(f"training {trained - counted:.2f} s, {words / (trained - counted):.0f} words/s")
    model.wv.save_word2vec_format(arguments.output, binary=True)


def agree(arguments):
    from gensim.models import KeyedVectors

    models = {path: KeyedVectors.load_word2vec_format(path, binary=path.endswith(".bin")) for path in arguments.vectors}
    # The 200 most frequent words after those that occur everywhere, known to all.
    first = next(iter(models.values()))
    known = [word for word in first.index_to_key if all(word in model for model in models.values())]
    words = [word for word in known if len(word) > 3][:FREQUENT]
    near = {
        path: {word: {other for other, _ in model.most_similar(word, topn=NEAREST)} for word in words}
        for path, model in models.items()
    }
    for a, b in itertools.combinations(models, 2):
        shared = sum(len(near[a][word] & near[b][word]) for word in words) / len(words)
        print(f"{shared:.2f} of {NEAREST}\t{a}\t{b}")


def main():
    if sys.argv[1:] == ["--version"]:
        import gensim

        print(gensim.__version__)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.set_defaults(run=train)
    training.add_argument("folder")
    training.add_argument("output")
    training.add_argument("--skip-gram", action="store_true")
    training.add_argument("--hierarchical", action="store_true")
    training.add_argument("--threads", type=int, default=1)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--epochs", type=int, default=5)
    agreement = commands.add_parser("agree")
    agreement.set_defaults(run=agree)
    agreement.add_argument("vectors", nargs="+")
    arguments = parser.parse_args()
    arguments.run(arguments)


main()
