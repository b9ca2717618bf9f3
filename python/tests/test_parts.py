"""Answers of parts, added up in Arrow: what Dask and the format `zgram` of Spark give for a whole corpus."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_suite import CASES, text

import zgram as zg
from zgram._parts.answers import answer
from zgram._parts.asked import Asked, asked, of_values
from zgram._parts.plan import open_part, parts
from zgram._parts.sums import summed


def in_shards(case: dict[str, Any], folder: Path) -> Path:
    """The documents of a case in two or three shards, cut at random places, which the case's name decides."""
    folder.mkdir()
    chance = random.Random(case["name"])
    every = [(one["name"], text(one)) for one in case["documents"]]
    count = chance.choice((2, 3))
    cuts = sorted(chance.randint(0, len(every)) for _ in range(count - 1))
    for number, (start, end) in enumerate(zip([0, *cuts], [*cuts, len(every)], strict=True)):
        zg.compress(every[start:end], folder / f"part-{number}.zgram")
    return folder


def options(question: dict[str, Any]) -> dict[str, Any]:
    """The question of a case as options."""
    named = dict(question)
    named |= named.pop("view", {})
    if "stop-language" in named:
        named["stop"] = named.pop("stop-language")
    if "normalize" in named:
        named["normalize"] = named["normalize"].lower()
    return named


def answered(question: Asked, folder: Path, documents: int) -> list[list[Any]]:
    of_part = question.as_part() if question.is_whole else question
    batches = (batch for part in parts([str(folder)]) for batch in answer(of_part, open_part(part), part))
    if question.is_whole:
        return [list(row.values()) for row in summed(question, batches, documents).to_pylist()]
    return [list(row.values()) for batch in batches for row in batch.to_pylist()]


def test_suite(tmp_path: Path) -> None:
    """The shared suite, each case in shards. Folders may be in several shards, so their cases are left to one file;
    what needs a shuffle, to Spark."""
    whole, of_parts = 0, 0
    for number, parameter in enumerate(CASES):
        case: dict[str, Any] = parameter.values[0]  # type: ignore[assignment]
        named = options(case["question"])
        if "units" in named:
            continue
        question = asked(of_values(named.pop("task"), named))
        if not question.is_whole and not question.is_of_parts:
            continue
        folder = in_shards(case, tmp_path / str(number))
        found = answered(question, folder, len(case["documents"]))
        if question.task in ("inverted-index", "ranked-inverted-index"):
            # Each part has its rows in order.
            assert sorted(found) == sorted(case["rows"]), case["name"]
        else:
            assert found == case["rows"], case["name"]
        whole, of_parts = whole + question.is_whole, of_parts + (not question.is_whole)
    assert whole > 50 and of_parts > 40


WORDS = st.lists(st.sampled_from("the cat sat on a Mat dog \u00e4 \U0001d7d9 \u4f60 . ,".split()), max_size=30)


@settings(max_examples=40, deadline=None)
@given(st.lists(WORDS, max_size=8), st.lists(st.integers(0, 8), max_size=3), st.data())
def test_any_partition_gives_the_same_rows(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[str]], cuts: list[int], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("any")
    every = [(f"{number}.txt", " ".join(words)) for number, words in enumerate(texts)]
    ends = [*sorted(min(cut, len(every)) for cut in cuts), len(every)]
    for number, (start, end) in enumerate(zip([0, *ends], ends)):
        zg.compress(every[start:end], folder / f"part-{number}.zgram")
    zg.compress(every, folder / "all")
    corpus = zg.open(folder / "all")
    columns = ["count", "documents", "per_million"]
    least = data.draw(st.integers(0, 3))
    question = asked(of_values("word-count", {"lower": True, "columns": columns, "min_count": least}))
    wanted = corpus.word_count(zg.View(case="lower"), columns=columns, min_count=least)
    assert [tuple(row) for row in answered(question, folder, len(every))] == list(wanted)
    question = asked(of_values("sequence-count", {"n": 2, "corpus": True, "top": 5}))
    assert [tuple(row) for row in answered(question, folder, len(every))] == list(corpus.sequence_count(2, top=5))
    question = asked(of_values("term-vector", {"top": 3}))
    assert [tuple(row) for row in answered(question, folder, len(every))] == list(corpus.term_vector(top=3))


def test_segments_are_parts(tmp_path: Path) -> None:
    every = [(f"{number:04}", f"document {number} " * 2000) for number in range(80)]
    zg.compress(every, tmp_path / "one.zgram", memory=4 << 20)
    corpus = zg.open(tmp_path / "one.zgram")
    found = parts([str(tmp_path)])
    assert len(found) == corpus.facts.segments > 1
    assert [part.first for part in found] == corpus.segment_starts()
    assert [part.stop for part in found] == [*corpus.segment_starts()[1:], 80]
    with corpus.edit() as edit:
        edit.append("0003", " more")
    assert len(parts([str(tmp_path)])) == 1


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        (["a.zgram", "b-1.zgram", "x-of-3.zgram", "1-of-2.zgram"], None),
        (["a-1-of-2.zgram", "a-2-of-2.zgram"], None),
        (["a-02-of-02.zgram"], "a-01-of-02.zgram"),
        (["a-00-of-02.zgram"], "a-01-of-02.zgram"),
        (["a-0-of-2.zgram", "a-1-of-2.zgram"], None),
        (["a-1-of-1.zgram", "b-3-of-3.zgram"], "b-1-of-3.zgram"),
        (["a-1-of-999999999.zgram"], "a-2-of-999999999.zgram"),
    ],
)
def test_names_with_numbers_tell_what_is_missing(names: list[str], missing: str | None) -> None:
    from zgram._parts.plan import first_missing

    assert first_missing(names) == missing


def test_logarithms_are_those_of_weights() -> None:
    import numpy as np

    from zgram import _zgram

    numbers = np.array([1.0, 2.0, 10.0, 1e-3])
    assert np.allclose(_zgram.logarithms(numbers), np.log(numbers), rtol=1e-15)
