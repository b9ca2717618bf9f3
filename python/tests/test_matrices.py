"""TF-IDF and co-occurrence equal scikit-learn's, gensim's and a naive count; matrices reach files."""

import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from gensim.corpora import Dictionary
from gensim.models import TfidfModel
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

import zgram as zg

SKLEARN = zg.View(sklearn=True)
texts = st.lists(
    st.lists(st.sampled_from(["the", "cat", "sat", "naïve", "день", "x1", "on"]), max_size=15).map(" ".join),
    min_size=1,
    max_size=6,
).filter(lambda texts: any(texts))


def corpus_of(folder: Path, documents: list[str], edited: bool = False) -> zg.Corpus:
    """A corpus of these documents, whose last words may be pending edits."""
    path = folder / "made.zgram"
    names = [f"{at:03}" for at in range(len(documents))]
    if not edited:
        zg.compress(zip(names, documents), path, force=True)
        return zg.open(path)
    halves = [document[: len(document) // 2] for document in documents]
    zg.compress(zip(names, halves), path, force=True)
    corpus = zg.open(path)
    with corpus.edit() as edit:
        for name, document, half in zip(names, documents, halves, strict=True):
            edit.append(name, document[len(half) :])
    return corpus


@settings(max_examples=60, deadline=None)
@given(
    texts,
    st.booleans(),
    st.fixed_dictionaries(
        {
            "norm": st.sampled_from(["l1", "l2", None]),
            "smooth_idf": st.booleans(),
            "sublinear_tf": st.booleans(),
            "use_idf": st.booleans(),
            "ngram_range": st.sampled_from([(1, 1), (1, 2)]),
        }
    ),
)
def test_tfidf_equals_scikit_learn(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], edited: bool, options: dict
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("t"), documents, edited)
    theirs = TfidfVectorizer(**options)
    expected = theirs.fit_transform(documents)
    made = corpus.tfidf(SKLEARN, **options)
    assert made.terms == theirs.get_feature_names_out().tolist()
    assert (made.to_scipy() != expected).nnz == 0 and made.data.dtype == np.float64
    if options["use_idf"]:
        assert made.idf.tolist() == theirs.idf_.tolist()
    later = corpus.tfidf(SKLEARN, fit_transform=False, **options)
    assert (later.to_scipy() != theirs.transform(documents)).nnz == 0


@settings(max_examples=30, deadline=None)
@given(texts, st.booleans())
def test_tfidf_equals_gensim(
    tmp_path_factory: pytest.TempPathFactory, documents: list[str], edited: bool
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("g"), documents, edited)
    split = [document.split() for document in documents]
    known = Dictionary(split)
    model = TfidfModel(dictionary=known)
    made = corpus.tfidf(scheme="gensim")
    for row, words in zip(made, split, strict=True):
        expected = {known[number]: weight for number, weight in model[known.doc2bow(words)]}
        assert {made.terms[column] for column, _ in row} == set(expected)
        for column, weight in row:
            assert weight == pytest.approx(expected[made.terms[column]], rel=1e-12)
    paper = corpus.tfidf(scheme="paper").to_scipy().toarray()
    counts = corpus.term_matrix().to_scipy().toarray()
    frequency = (counts > 0).sum(axis=0)
    np.testing.assert_allclose(paper, counts * np.log(len(documents) / frequency), rtol=1e-12, atol=0)


def test_rows_come_in_the_order_of_the_choice(corpus: zg.Corpus) -> None:
    whole = corpus.tfidf(scheme="paper", documents=[0, 2]).to_scipy().toarray()
    turned = corpus.tfidf(scheme="paper", documents=[2, 0])
    assert turned.documents == ["notes/one.txt", "cat.txt"]
    assert (turned.to_scipy().toarray() == whole[::-1]).all()
    with pytest.raises(ValueError, match="sublinear_tf goes with"):
        corpus.tfidf(scheme="paper", sublinear_tf=True)
    for wrong in ({"scheme": "x"}, {"norm": "l3"}):
        with pytest.raises(ValueError, match="one of"):
            corpus.tfidf(**wrong)


def naive_pairs(
    documents: list[list[str]], window: int, weighting: str, side: str, kept: set[str]
) -> dict[tuple[str, str], Fraction]:
    cells: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for words in documents:
        words = [word for word in words if word in kept]
        for at, word in enumerate(words):
            for distance in range(1, min(window, at) + 1):
                weight = Fraction(1, distance if weighting == "inverse" else 1)
                left = words[at - distance]
                if side in ("both", "left"):
                    cells[word, left] += weight
                if side in ("both", "right"):
                    cells[left, word] += weight
    return cells


@settings(max_examples=60, deadline=None)
@given(
    texts,
    st.booleans(),
    st.integers(1, 6),
    st.sampled_from(["inverse", "flat"]),
    st.sampled_from(["both", "left", "right"]),
    st.integers(1, 3),
)
def test_cooccurrence_equals_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory,
    documents: list[str],
    edited: bool,
    window: int,
    weighting: str,
    side: str,
    min_count: int,
) -> None:
    corpus = corpus_of(tmp_path_factory.mktemp("c"), documents, edited)
    split = [document.split() for document in documents]
    counts = Counter(word for words in split for word in words)
    kept = {word for word, count in counts.items() if count >= min_count}
    options = dict(window=window, weighting=weighting, side=side, min_count=min_count)
    if not kept:
        with pytest.raises(ValueError):
            corpus.cooccurrence(**options)
        return
    made = corpus.cooccurrence(**options)
    assert made.terms == sorted(kept, key=lambda word: (-counts[word], word.encode()))
    assert made.counts.tolist() == [counts[word] for word in made.terms]
    cells = {
        (made.terms[row], made.terms[column]): value
        for row, pairs in enumerate(made)
        for column, value in pairs
    }
    expected = naive_pairs(split, window, weighting, side, kept)
    assert cells == {pair: float(value) for pair, value in expected.items()}


@pytest.mark.parametrize("side", ["both", "left", "right"])
def test_glove_files_are_those_of_the_program(corpus: zg.Corpus, path: Path, tmp_path: Path, side: str) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    corpus.cooccurrence(window=3, side=side).write_glove(ours)
    run = [sys.executable, "-m", "zgram", "cooccurrence", path, "--window", "3", "--format", "glove"]
    run += [] if side == "both" else [f"--{side}"]
    subprocess.run([*run, "-o", theirs, "-q"], check=True)
    for name in ("vocab.txt", "cooccurrence.bin"):
        assert (ours / name).read_bytes() == (theirs / name).read_bytes()
    with pytest.raises(FileExistsError, match="force"):
        corpus.cooccurrence().write_glove(ours)
    corpus.cooccurrence().write_glove(ours, force=True)
    assert sorted(file.name for file in ours.iterdir()) == ["cooccurrence.bin", "vocab.txt"]


def test_matrices_are_written(corpus: zg.Corpus, path: Path, tmp_path: Path) -> None:
    counts, weights = corpus.term_matrix(), corpus.tfidf()
    for matrix in (counts, weights):
        for name, read in [("m.npz", scipy.sparse.load_npz), ("m.mtx", scipy.io.mmread)]:
            matrix.write(tmp_path / name, force=True)
            back = read(tmp_path / name).tocsr()
            assert back.shape == matrix.shape and (back != matrix.to_scipy()).nnz == 0
            assert back.data.dtype == matrix.data.dtype
    program = tmp_path / "p.npz"
    subprocess.run(
        [sys.executable, "-m", "zgram", "matrix", path, "--format", "npz", "-o", program, "-q"], check=True
    )
    for end in (".terms.txt", ".documents.txt"):
        assert Path(f"{program}{end}").read_bytes() == Path(f"{tmp_path / 'm.npz'}{end}").read_bytes()
    with pytest.raises(FileExistsError):
        counts.write(tmp_path / "m.npz")
    with pytest.raises(ValueError, match="npz"):
        counts.write(tmp_path / "m.csv")
    with pytest.raises(FileNotFoundError, match="no folder"):
        counts.write(tmp_path / "none" / "m.npz")
    assert counts.to_gensim() == list(counts)
    assert "9 cells" in counts._repr_html_() and "<td" in weights._repr_html_()


def test_indices_have_32_bits_and_are_not_copied(corpus: zg.Corpus) -> None:
    for matrix in (corpus.term_matrix(), corpus.tfidf(), corpus.cooccurrence()):
        assert matrix.indptr.dtype == matrix.indices.dtype == np.int32
        for ours, theirs in [(matrix.data, matrix.to_scipy().data), (matrix.indices, matrix.to_scipy().indices)]:
            assert np.shares_memory(ours, theirs)
