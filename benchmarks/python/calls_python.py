#!/usr/bin/env python3
"""What single calls of the package cost: `calls_python.py FILE`. Prints one JSON object."""

import json
import sys
import time

import zgram as zg

#: How many of the most frequent words are counted, one after another.
WORDS = 200
#: Seconds to measure for.
ENOUGH = 1.0

corpus = zg.open(sys.argv[1])
words = [word for word, _ in corpus.word_count(top=WORDS)]


def best(work, size):
    """The least nanoseconds that one of `size` calls took."""
    least, started = float("inf"), time.perf_counter()
    while time.perf_counter() - started < ENOUGH:
        begun = time.perf_counter_ns()
        work()
        least = min(least, (time.perf_counter_ns() - begun) / size)
    return least


def one_by_one():
    count = corpus.count
    for word in words:
        count(word)


def empty():
    for word in words:
        pass


one_by_one()
many = words * 500
nanoseconds = best(one_by_one, len(words)) - best(empty, len(words))
each = best(lambda: corpus.count(many), len(many))
json.dump({"words": words, "nanoseconds": nanoseconds, "phrases_per_second": 1e9 / each}, sys.stdout)
