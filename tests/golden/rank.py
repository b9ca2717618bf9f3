#!/usr/bin/env python3
"""Writes rank.tsv: the scores that bm25s gives to small documents, for crates/core/tests/rank.rs.

Lines are `d<TAB>text` for a document and `q<TAB>method<TAB>k1<TAB>b<TAB>delta<TAB>words<TAB>scores`
for a query: the score of each document, in order. Needs bm25s 0.3.16 and numpy."""

import pathlib

import bm25s

WORDS = "whale ship sea captain white storm harpoon deck mast line boat oil".split()


def documents():
    """Texts of 0 to 40 words; a linear generator, so that every machine writes the same."""
    state = 12345
    for _ in range(40):
        state = (state * 1103515245 + 12345) % 2**31
        length = (state >> 8) % 41
        words = []
        for _ in range(length):
            state = (state * 1103515245 + 12345) % 2**31
            a = (state >> 8) % len(WORDS)
            state = (state * 1103515245 + 12345) % 2**31
            words.append(WORDS[min(a, (state >> 8) % len(WORDS))])
        yield words


def main():
    texts = list(documents())
    lines = [f"d\t{' '.join(words)}" for words in texts]
    queries = ["whale", "white whale", "oil boat line", "ship ship mast", "storm nothing sea"]
    for method in ["lucene", "robertson", "atire", "bm25+", "bm25l"]:
        for k1, b, delta in [(1.5, 0.75, 0.5), (0.9, 0.4, 1.0), (2.0, 0.0, 0.25)]:
            model = bm25s.BM25(method=method, k1=k1, b=b, delta=delta, dtype="float64")
            model.index(texts, show_progress=False)
            for query in queries:
                known = [word for word in query.split() if word in model.vocab_dict]
                scores = " ".join(f"{score:.9f}" for score in model.get_scores(known))
                lines.append(f"q\t{method}\t{k1}\t{b}\t{delta}\t{query}\t{scores}")
    path = pathlib.Path(__file__).with_suffix(".tsv")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
