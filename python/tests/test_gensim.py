"""The dictionary and the bags of words equal gensim's own."""

from pathlib import Path

import pytest
import tomotopy
from gensim.corpora import Dictionary
from gensim.models import LdaModel, Word2Vec
from hypothesis import given, settings
from hypothesis import strategies as st
from test_matrices import corpus_of, texts

import zgram as zg
from zgram.gensim import Bow, Sentences, build_vocab, dictionary
from zgram.tomotopy import add_documents

TEXTS = ["the cat sat on the mat", "a dog ran", "", "the end of the dog"]


def assert_equal(ours: Dictionary, theirs: Dictionary) -> None:
    for name in ("token2id", "dfs", "cfs", "num_docs", "num_pos", "num_nnz"):
        assert getattr(ours, name) == getattr(theirs, name), name


@settings(max_examples=60, deadline=None)
@given(texts, st.booleans())
def test_equal_to_gensim(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], edited: bool
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("g"), documents, edited)
    split = [text.split() for text in documents]
    theirs = Dictionary(split)
    bow = Bow(corpus)
    assert_equal(bow.dictionary(), theirs)
    assert_equal(dictionary(corpus), theirs)
    expected = [theirs.doc2bow(words) for words in split]
    assert list(bow) == expected == list(bow) and len(bow) == len(documents)
    assert bow.id2word == dict(theirs)
    assert list(Sentences(corpus)) == [words for words in split if words]
    assert list(Sentences(corpus, max_words=2)) == [
        words[at : at + 2] for words in split for at in range(0, len(words), 2)
    ]
    turned = range(len(documents) - 1, -1, -1)
    assert_equal(dictionary(corpus, documents=turned), Dictionary(split[::-1]))
    lowered = [text.lower().split() for text in documents]
    assert_equal(dictionary(corpus, zg.View(case="lower")), Dictionary(lowered))
    models = [Word2Vec(vector_size=5, min_count=1, seed=1, workers=1) for _ in range(2)]
    build_vocab(models[0], corpus)
    models[1].build_vocab(split)
    counts = [
        {word: model.wv.get_vecattr(word, "count") for word in model.wv.key_to_index} for model in models
    ]
    assert counts[0] == counts[1] and models[0].corpus_count == models[1].corpus_count


def test_models_train(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, TEXTS)
    model = Word2Vec(vector_size=5, min_count=1, seed=1, workers=1)
    build_vocab(model, corpus)
    model.train(Sentences(corpus), total_examples=model.corpus_count, epochs=1)
    bow = Bow(corpus)
    topics = LdaModel(bow, num_topics=2, id2word=bow.dictionary(), passes=2, random_state=1)
    assert len(topics.show_topics()) == 2
    ours, theirs = (tomotopy.LDAModel(k=2, seed=1) for _ in range(2))
    assert add_documents(ours, corpus) == 3
    for text in TEXTS:
        if text:
            theirs.add_doc(text.split())
    for model in (ours, theirs):
        model.train(5, workers=1)
    assert ours.num_words == theirs.num_words == sum(len(text.split()) for text in TEXTS)
    assert list(ours.vocabs) == list(theirs.vocabs) and ours.perplexity == theirs.perplexity


def test_words_that_are_not_unicode(tmp_path: Path) -> None:
    path = tmp_path / "b.zgram"
    documents = [b"\xa0x \xe9t\xe9 \xc3\xa9t\xc3\xa9 zoo", "été naïve 中文".encode()]
    zg.compress(enumerate_names(documents), path)
    corpus = zg.open(path)
    split = [list(words) for words in corpus.words()]
    assert_equal(dictionary(corpus), Dictionary(split))
    assert sum(map(len, split)) >= 7


def test_documents_without_words(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, ["", "..."])
    assert list(Bow(corpus)) == [[], []] and len(dictionary(corpus)) == 0


def enumerate_names(texts: list[bytes]) -> list[tuple[str, bytes]]:
    return [(f"{at}.txt", text) for at, text in enumerate(texts)]
