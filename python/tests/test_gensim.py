"""The dictionary and the bags of words equal gensim's own."""

from pathlib import Path

from gensim.corpora import Dictionary
from gensim.models import Word2Vec

import zgram as zg
from zgram.gensim import Bow, Sentences, build_vocab

TEXTS = ["the cat sat on the mat", "a dog ran", "", "the end of the dog"]


def test_equal_to_gensim(tmp_path: Path) -> None:
    path = tmp_path / "g.zgram"
    zg.compress(enumerate_names(TEXTS), path)
    corpus = zg.open(path)
    split = [text.split() for text in TEXTS]
    theirs = Dictionary(split)
    bow = Bow(corpus)
    ours = bow.dictionary()
    assert ours.token2id == theirs.token2id
    for name in ("dfs", "cfs", "num_docs", "num_pos", "num_nnz"):
        assert getattr(ours, name) == getattr(theirs, name), name
    expected = [theirs.doc2bow(words) for words in split]
    assert list(bow) == expected == list(bow)
    assert list(Sentences(corpus)) == [words for words in split if words]
    model = Word2Vec(vector_size=5, min_count=1, seed=1, workers=1)
    build_vocab(model, corpus)
    assert {word: model.wv.get_vecattr(word, "count") for word in model.wv.key_to_index} == {
        theirs[number]: count for number, count in theirs.cfs.items()
    }
    model.train(Sentences(corpus), total_examples=len(corpus), epochs=1)


def enumerate_names(texts: list[str]) -> list[tuple[str, str]]:
    return [(f"{at}.txt", text) for at, text in enumerate(texts)]
