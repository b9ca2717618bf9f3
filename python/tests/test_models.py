"""Ranking, key words, collocates, vocabularies, vectors and topics equal other libraries and naive counts."""

import math
import os
import pickle
import signal
import threading
from collections import Counter
from pathlib import Path

import bm25s
import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given, settings
from hypothesis import strategies as st
from test_matrices import corpus_of, texts

import zgram as zg


@settings(max_examples=60, deadline=None)
@given(
    texts,
    st.booleans(),
    st.lists(st.sampled_from(["the", "cat", "naïve", "sat", "fox"]), min_size=1, max_size=4),
    st.sampled_from(["lucene", "robertson", "atire", "bm25+", "bm25l"]),
    st.sampled_from([0.9, 1.5]),
    st.sampled_from([0.4, 0.75]),
)
def test_ranks_equal_bm25s(
    tmp_path_factory: pytest.TempPathFactory,
    documents: list[str],
    edited: bool,
    query: list[str],
    variant: str,
    k1: float,
    b: float,
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("r"), documents, edited)
    split = [document.split() for document in documents]
    theirs = bm25s.BM25(method=variant, k1=k1, b=b, dtype="float64")
    theirs.index(split, show_progress=False)
    known = [word for word in query if word in theirs.vocab_dict]
    scores = theirs.get_scores(known) if known else np.zeros(len(documents))
    expected = {
        f"{at:03}": score for at, score in enumerate(scores.tolist()) if set(query) & set(split[at])
    }
    options = dict(variant=variant, k1=k1, b=b)
    ranker = corpus.ranker(**options)
    for ranking in (
        corpus.bm25(query, k=100, **options),
        corpus.bm25(" ".join(query), k=100, **options),
        ranker.rank(query, 100),
        *ranker.rank_many([query, query], 100),
    ):
        found = dict(ranking)
        assert found.keys() == expected.keys()
        for name, score in found.items():
            assert score == pytest.approx(expected[name], rel=1e-6, abs=1e-9)
        assert ranking.scores.tolist() == sorted(ranking.scores.tolist(), reverse=True)
        assert ranking["document"] == [corpus.documents[at].name for at in ranking.positions.tolist()]
    explained = corpus.bm25(query, k=100, explain=True, **options)
    sums: Counter[str] = Counter()
    for row in explained:
        sums[row.document] += row.contribution
    assert dict(sums) == pytest.approx(dict(ranker.rank(query, 100)))


def test_rankers(corpus: zg.Corpus, path: Path) -> None:
    ranker = corpus.ranker(zg.View(case="lower"))
    assert len(ranker) == 3 and ranker.mean_length == 11 / 3
    best = ranker.rank("the dog")
    assert [name for name, _ in best] == ["dog.txt", "cat.txt"]
    assert best[0] == ("dog.txt", best.scores[0]) and best[:1]["document"] == ["dog.txt"]
    assert len(ranker.rank("the dog", k=1)) == 1 and len(ranker.rank("fox")) == 0
    again = pickle.loads(pickle.dumps(ranker))
    assert again.rank("the dog").to_dicts() == best.to_dicts()
    with corpus.edit() as edit:
        edit.remove("dog.txt")
        edit.append("cat.txt", " A dog.")
    # A ranker answers for the corpus as it was.
    assert ranker.rank("the dog").to_dicts() == best.to_dicts()
    assert corpus.bm25("dog")["document"] == ["cat.txt"]
    assert corpus.bm25("a", documents="notes/*")["document"] == ["notes/one.txt"]
    for wrong in (
        lambda: corpus.bm25("..."),
        lambda: corpus.bm25([]),
        lambda: corpus.bm25("cat", k=0),
        lambda: corpus.bm25("cat", k1=-1),
        lambda: corpus.bm25("cat", b=2),
        lambda: corpus.bm25("cat", variant="bm26"),
        lambda: corpus.bm25("\ud800"),
    ):
        with pytest.raises(ValueError):
            wrong()
    corpus.close()
    assert ranker.rank("cat")["document"] == ["cat.txt"]


def test_small_tables_reach_other_libraries(corpus: zg.Corpus, tmp_path: Path) -> None:
    import pandas
    import polars
    import pyarrow

    rows = corpus.collocates("cat", window=2)
    assert rows.to_dicts() == [row._asdict() for row in rows] and len(rows) == 3
    dicts = rows.to_dicts()
    assert rows.to_pandas().to_dict("records") == dicts
    assert rows.to_polars().to_dicts() == dicts == polars.DataFrame(rows).to_dicts()
    assert rows.to_arrow().to_pylist() == dicts == pyarrow.table(rows).to_pylist()
    assert isinstance(rows.to_pandas(), pandas.DataFrame)
    assert rows.to_numpy()["word"].tolist() == rows["word"] and rows[-1] == list(rows)[-1]
    assert "<table" in rows._repr_html_() and "word" in repr(rows)
    assert rows.write(tmp_path / "near.csv") == 3
    assert (tmp_path / "near.csv").read_text().startswith("word,score,cooccurrences,count\n")
    empty = corpus.collocates("fox")
    assert len(empty) == 0 and list(empty) == [] and empty.to_arrow().num_rows == 0
    assert empty.to_polars().schema["word"] == polars.String and "<table" in empty._repr_html_()


@settings(max_examples=40, deadline=None)
@given(texts, st.booleans(), st.integers(1, 4), st.sampled_from(["both", "left", "right"]))
def test_collocates_equal_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], edited: bool, window: int, side: str
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("k"), documents, edited)
    split = [document.split() for document in documents]
    counts = Counter(word for words in split for word in words)
    near: Counter[str] = Counter()
    for words in split:
        for at, word in enumerate(words):
            if word == "cat":
                left = words[max(0, at - window) : at] if side != "right" else []
                right = words[at + 1 : at + 1 + window] if side != "left" else []
                near.update(left + right)
    found = corpus.collocates("cat", window=window, side=side, top=None)
    assert {row.word: row.cooccurrences for row in found} == dict(near)
    for row in found:
        assert row.count == counts[row.word]
        dice = 14 + math.log2(2 * near[row.word] / (counts["cat"] + counts[row.word]))
        assert row.score == pytest.approx(dice)


@settings(max_examples=40, deadline=None)
@given(texts, texts, st.booleans())
def test_keyness_equals_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory, here: list[str], there: list[str], edited: bool
) -> None:
    a = corpus_of(tmp_path_factory.mktemp("a"), here, edited)
    b = corpus_of(tmp_path_factory.mktemp("b"), there, edited)
    both = corpus_of(tmp_path_factory.mktemp("both"), here + there, edited)
    counts = [Counter(" ".join(documents).split()) for documents in (here, there)]
    sizes = [counted.total() for counted in counts]

    def likelihood(word: str) -> float:
        found = [counted[word] for counted in counts]
        expected = [size * sum(found) / sum(sizes) for size in sizes]
        parts = (n * math.log(n / e) for n, e in zip(found, expected) if n)
        score = 2 * sum(parts)
        return score if found[0] / sizes[0] >= found[1] / sizes[1] else -score

    first = np.arange(len(here))
    for rows in (
        a.keyness(b, top=None),
        a.keyness(b.documents, top=None),
        both.keyness(documents=first, top=None),
        both.keyness(both.documents[len(here) :], documents=first, top=None),
        both.keyness(list(range(len(here), len(both))), documents=first, top=None),
    ):
        assert {row.word for row in rows} == set(counts[0]) | set(counts[1])
        for row in rows:
            assert (row.count, row.reference_count) == (counts[0][row.word], counts[1][row.word])
            assert row.score == pytest.approx(likelihood(row.word), abs=1e-9)
            assert row.per_million == pytest.approx(1e6 * row.count / sizes[0])
    turned = a.keyness(b, top=2, reverse=True)
    assert len(turned) <= 2 and turned["score"].tolist() == sorted(turned["score"].tolist())


def test_keyness_needs_a_reference(corpus: zg.Corpus) -> None:
    with pytest.raises(ValueError, match="compare"):
        corpus.keyness()
    with pytest.raises(KeyError):
        corpus.keyness(documents="fox.txt")


@settings(max_examples=40, deadline=None)
@given(texts, st.booleans())
def test_vocabularies_equal_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], edited: bool
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("v"), documents, edited)
    counts = Counter(" ".join(documents).split())
    words = corpus.vocabulary
    assert dict(words) == counts and words.words == sorted(counts, key=str.encode)
    assert words.counts.tolist() == [counts[word] for word in words.words]
    for word in ["cat", "ca", "", "zebra", "день"]:
        assert (word in words) == (word in counts)
        place = words.find(word)
        assert place is None if word not in counts else words.words[place] == word
    for prefix in ["", "s", "sa", "x", "zz", "д"]:
        assert dict(words.prefix(prefix)) == {w: n for w, n in counts.items() if w.startswith(prefix)}
    assert dict(words.matching("^.a")) == {w: n for w, n in counts.items() if w[1:2] == "a"}
    with pytest.raises(ValueError):
        words.matching("(")
    with pytest.raises(KeyError):
        words["zebra"]
    some = corpus.vocabulary_of(zg.View(case="lower"), [0])
    assert dict(some) == Counter(documents[0].lower().split())


def test_a_vocabulary_follows_edits(corpus: zg.Corpus) -> None:
    before = corpus.vocabulary
    with corpus.edit() as edit:
        edit.append("dog.txt", "zebra")
        edit.remove("cat.txt")
    assert "zebra" not in before and corpus.vocabulary["zebra"] == 1
    assert "cat" in before and "cat" not in corpus.vocabulary


def test_word_vectors(tmp_path: Path) -> None:
    documents = [f"king rules land{at % 3} queen rules land{at % 3} dog eats bone cat eats fish" for at in range(60)]
    corpus = corpus_of(tmp_path, documents)
    options = dict(size=12, min_count=1, epochs=3, threads=1, seed=7)
    vectors = corpus.word2vec(**options)
    again = corpus.word2vec(**options)
    assert vectors.words == again.words and (vectors.vectors == again.vectors).all()
    assert vectors.vectors.shape == (len(vectors), 12) and vectors.vectors.dtype == np.float32
    counts = Counter(" ".join(documents).split())
    assert dict(zip(vectors.words, vectors.counts.tolist())) == counts
    assert len(vectors.losses) == 3 and vectors.losses[-1] < vectors.losses[0]
    theirs = vectors.to_gensim()
    assert theirs.get_vecattr("king", "count") == 60
    for plus, minus in [(["king"], []), (["king", "dog"], ["queen"])]:
        near = vectors.nearest(plus, minus, k=5)
        expected = theirs.most_similar(positive=plus, negative=minus, topn=5)
        assert near["word"] == [word for word, _ in expected]
        np.testing.assert_allclose(near["similarity"], [score for _, score in expected], rtol=1e-4)
    assert not set(near["word"]) & {"king", "dog", "queen"}
    for name in ("v.bin", "v.txt"):
        vectors.save(tmp_path / name)
        read = zg.WordVectors.load(tmp_path / name)
        assert read.words == vectors.words and (read.vectors == vectors.vectors).all()
        loaded = KeyedVectors.load_word2vec_format(str(tmp_path / name), binary=name == "v.bin")
        assert loaded.index_to_key == vectors.words and (loaded.vectors == vectors.vectors).all()
    assert "king" in vectors and (vectors["king"] == vectors.vectors[vectors.find("king")]).all()
    with pytest.raises(KeyError, match="zebra"):
        vectors.nearest("zebra")
    with pytest.raises(FileExistsError):
        vectors.save(tmp_path / "v.bin")
    with pytest.raises(FileNotFoundError):
        zg.WordVectors.load(tmp_path / "none.bin")
    (tmp_path / "wrong.bin").write_bytes(b"no vectors")
    with pytest.raises(ValueError, match="wrong.bin"):
        zg.WordVectors.load(tmp_path / "wrong.bin")
    for wrong in ({"size": 0}, {"window": 0}, {"min_count": 1000}, {"alpha": 2.0}):
        with pytest.raises(ValueError):
            corpus.word2vec(**{**options, **wrong})


def test_topics(tmp_path: Path) -> None:
    documents = ["sun moon star sky " * 10, "sky star sun " * 9, "bread milk egg " * 10, "egg bread " * 12, ""]
    corpus = corpus_of(tmp_path, documents)
    topics = corpus.lda(2, iterations=50, seed=3)
    assert topics.topic_words.shape == (2, 7) and topics.document_topics.shape == (5, 2)
    np.testing.assert_allclose(topics.topic_words.sum(axis=1), 1)
    np.testing.assert_allclose(topics.document_topics.sum(axis=1), 1)
    best = topics.document_topics.argmax(axis=1)
    assert best[0] == best[1] != best[2] == best[3]
    assert set(topics.words(int(best[2]), 3)["word"]) == {"bread", "egg", "milk"}
    assert topics.sizes.sum() == sum(len(document.split()) for document in documents)
    assert len(topics.perplexities) == 50 and topics.perplexity == topics.perplexities[-1]
    again = corpus.lda(2, iterations=50, seed=3, threads=1)
    assert (again.topic_words == topics.topic_words).all()
    assert topics.held_out_perplexity is None
    assert corpus.lda(2, iterations=5, hold_out=0.5).held_out_perplexity > 1
    assert "bread" in repr(topics) and "<table>" in topics._repr_html_()
    with pytest.raises(IndexError):
        topics.words(2)
    for wrong in ({"topics": 0}, {"alpha": -1.0}, {"hold_out": 1.0}, {"memory": 10}):
        with pytest.raises(ValueError):
            corpus.lda(**{"topics": 2, **wrong})


def test_ctrl_c_stops_training(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path, [f"{word} and " * 2000 for word in ("one", "two", "three")])
    for train in (
        lambda: corpus.word2vec(epochs=10_000_000, min_count=1),
        lambda: corpus.lda(20, iterations=10_000_000),
    ):
        threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            train()


def test_progress_of_training_is_reported(corpus: zg.Corpus) -> None:
    for train in (
        lambda report: corpus.word2vec(epochs=3, min_count=1, progress=report),
        lambda report: corpus.lda(2, iterations=3, progress=report),
    ):
        seen: list[tuple[str, int, int]] = []
        train(lambda *news: seen.append(news))
        assert ("training", 33, 33) in seen


def test_models_work_in_a_forked_process(corpus: zg.Corpus) -> None:
    ranker = corpus.ranker()
    expected = str(ranker.rank_many(["cat", "sat"])), str(corpus.cooccurrence().data.tolist())
    child = os.fork()
    if child == 0:
        again = str(ranker.rank_many(["cat", "sat"])), str(corpus.cooccurrence().data.tolist())
        os._exit(0 if again == expected else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
