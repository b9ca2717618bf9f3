"""Dask over shards."""

from pathlib import Path

import pytest
from test_spark_read import documents

import zgram as zg
import zgram.dask


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards")
    every = documents()
    for number in range(4):
        start, end = len(every) * number // 4, len(every) * (number + 1) // 4
        zg.compress(every[start:end], folder / f"part-{number}.zgram")
    zg.compress(every, folder / "all.corpus")
    return folder


def rows(frame: object) -> list[tuple[object, ...]]:
    return [tuple(row) for row in frame.compute(scheduler="synchronous").values.tolist()]  # type: ignore[attr-defined]


def test_tasks(shards: Path) -> None:
    corpus = zg.open(shards / "all.corpus")
    found = zgram.dask.read(str(shards), "word-count", lower=True, min_docs=0.3, columns=["count", "documents"])
    wanted = corpus.word_count(zg.View(case="lower"), min_docs=0.3, columns=["count", "documents"])
    assert rows(found) == list(wanted)
    vectors = zgram.dask.read(str(shards), "term-vector", top=3)
    assert vectors.npartitions == 4
    assert rows(vectors) == list(corpus.term_vector(top=3))
    assert rows(zgram.dask.read(str(shards), "sequence-count", n=2, corpus=True, top=40)) == list(
        corpus.sequence_count(2, top=40)
    )


def test_processes(shards: Path) -> None:
    corpus = zg.open(shards / "all.corpus")
    frame = zgram.dask.read(str(shards), "sequence-count", n=2, corpus=True)
    found = frame.compute(scheduler="processes", num_workers=2)
    assert list(map(tuple, found.values.tolist())) == list(corpus.sequence_count(2))


def test_what_needs_all_shards_is_refused(shards: Path) -> None:
    with pytest.raises(zg.InvalidRequest, match="needs the rows of all shards"):
        zgram.dask.read(str(shards), "inverted-index", top=2)
