"""What goes to PyTorch, as far as numpy tells."""

import pickle

import numpy as np

import zgram as zg
from zgram.torch import Texts, _bags


def test_texts(corpus: zg.Corpus) -> None:
    texts = pickle.loads(pickle.dumps(Texts(corpus.documents[1:], str.split)))
    assert [texts[at] for at in range(len(texts))] == [["The", "dog", "sat."], ["a", "note"]]


def test_bags(corpus: zg.Corpus) -> None:
    numbers, offsets, words = _bags(corpus, zg.View(case="lower"), None)
    parts = np.split(numbers, offsets[1:])
    assert numbers.dtype == offsets.dtype == np.int64
    assert [[words[number] for number in part] for part in parts] == list(
        corpus.words(zg.View(case="lower"))
    )
    empty = _bags(corpus, zg.View(match="xyz"), None)
    assert len(empty[0]) == 0 and empty[1].tolist() == [0, 0, 0]
