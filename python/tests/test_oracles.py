"""Whatever bytes a corpus has, answers are those of plain Python over the text."""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import plain
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import zgram as zg

WORDS = ["the", "The", "THE", "cat", "a", "x1", "42", "naïve", "Straße", "ΟΔΟΣ", "中", "文字", "ไทย", "हिन्दी", "é", "e\u0301"]
BETWEEN = [" ", " ", " ", "  ", "\n", "\r\n", "\t", ", ", ". ", "-", "_", "\x00", "\u2028", "\ufeff", "🙂", ""]


def is_known(piece: bytes) -> bool:
    """Whether Python's Unicode knows all characters: zgram's may be newer."""
    return all(unicodedata.category(one) != "Cn" for one in piece.decode("utf-8", "surrogateescape"))


piece = st.one_of(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)).map(lambda pair: "".join(pair).encode()),
    st.binary(max_size=5).filter(is_known),
    st.sampled_from([b"\xff", b"\xc3", b"\xe4\xb8", b"\xed\xa0\x80", b"caf\xe9"]),
)
# Passages that repeat become rules.
text = st.tuples(st.lists(piece, max_size=12).map(b"".join), st.sampled_from([1, 1, 2, 9])).map(
    lambda drawn: drawn[0] * drawn[1]
).filter(is_known)
texts = st.lists(text, min_size=1, max_size=5)
phrase = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
Case = Literal["keep", "lower", "fold"]
case = st.sampled_from(["keep", "lower", "fold"])
SEEN: dict[str, Callable[[str], str]] = {"keep": str, "lower": str.lower, "fold": str.casefold}

often = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[bytes]], zg.Corpus]:
    folder = tmp_path_factory.mktemp("oracles")

    def make(documents: list[bytes]) -> zg.Corpus:
        path = folder / "any.zgram"
        Path(f"{path}.journal").unlink(missing_ok=True)
        zg.compress([(f"{at}.txt", one) for at, one in enumerate(documents)], path, force=True)
        return zg.open(path)

    return make


@often
@given(documents=texts)
def test_every_byte_comes_back(make: Any, documents: list[bytes]) -> None:
    corpus = make(documents)
    assert [document.bytes for document in corpus.documents] == documents
    assert corpus.documents.sizes.tolist() == [len(document) for document in documents]


@often
@given(documents=texts, wanted=phrase, case=case)
def test_phrases_are_counted_and_found(make: Any, documents: list[bytes], wanted: str, case: Case) -> None:
    corpus, view = make(documents), zg.View(case=case)
    expected = [
        (f"{at}.txt", *place)
        for at, document in enumerate(documents)
        for place in plain.matches(document, wanted, SEEN[case])
    ]
    assert corpus.count(wanted, view=view) == len(expected)
    assert corpus.count([wanted, "nowhere"], view=view).tolist() == [len(expected), 0]
    assert [tuple(match) for match in corpus.find(wanted, view=view)] == expected
    assert [tuple(match) for match in corpus.find(wanted, view=view, limit=2)] == expected[:2]
    last = f"{len(documents) - 1}.txt"
    there = [place for place in expected if place[0] == last]
    assert corpus.count(wanted, documents=last, view=view) == len(there)
    assert [tuple(match) for match in corpus.find(wanted, documents=last, view=view)] == there
    if case == "keep":
        assert corpus.count(wanted) == len(expected)


@often
@given(documents=texts, wanted=phrase, width=st.integers(0, 4))
def test_matches_have_their_context(make: Any, documents: list[bytes], wanted: str, width: int) -> None:
    corpus = make(documents)
    expected = [
        (f"{at}.txt", place[0], *plain.context(document, *place, width))
        for at, document in enumerate(documents)
        for place in plain.matches(document, wanted)
    ]
    shown = [
        (line.document, line.offset, *(part.encode("utf-8", "surrogateescape") for part in line[2:]))
        for line in corpus.kwic(wanted, width=width, limit=None)
    ]
    assert shown == expected


@often
@given(documents=texts, case=case)
def test_words_come_in_order(make: Any, documents: list[bytes], case: Case) -> None:
    corpus, view = make(documents), zg.View(case=case)
    expected = [plain.words(document, SEEN[case]) for document in documents]
    words = corpus.words(view)
    assert list(words) == expected
    assert list(words) == expected, "words can be iterated again"
    assert list(corpus.words(view, documents=[len(documents) - 1, 0])) == [expected[-1], expected[0]]
    distinct, numbers = words.numbers()
    assert [[distinct[number] for number in document] for document in numbers] == expected


@often
@given(documents=texts, case=case)
def test_a_matrix_counts_the_words(make: Any, documents: list[bytes], case: Case) -> None:
    corpus = make(documents)
    expected = [plain.counts([document], SEEN[case]) for document in documents]
    terms = sorted(set().union(*expected), key=str.encode)
    if not terms:
        with pytest.raises(ValueError):
            corpus.term_matrix(zg.View(case=case))
        return
    matrix = corpus.term_matrix(zg.View(case=case))
    assert matrix.terms == terms
    dense = np.array([[count[term] for term in terms] for count in expected])
    assert (matrix.to_scipy().toarray() == dense).all()


@often
@given(
    documents=texts,
    part=st.slices(60),
    first=st.integers(1, 6),
    more=st.integers(0, 4),
)
def test_parts_and_lines(make: Any, documents: list[bytes], part: slice, first: int, more: int) -> None:
    corpus = make(documents)
    part = slice(part.start, part.stop)
    for document, whole in zip(corpus.documents, documents, strict=True):
        assert document[part] == whole[part]
        expected = plain.lines(whole, first, first + more)
        assert document.lines(first, first + more) == expected.decode("utf-8", "replace")


edit = st.one_of(
    st.tuples(st.just("append"), st.integers(0, 4), text),
    st.tuples(st.just("insert"), st.integers(0, 4), st.integers(0, 80), text),
    st.tuples(st.just("delete"), st.integers(0, 4), st.integers(0, 80), st.integers(0, 20)),
    st.tuples(st.just("replace"), st.integers(0, 4), st.integers(0, 80), st.integers(0, 20), text),
    st.tuples(st.just("add"), text),
    st.tuples(st.just("remove"), st.integers(0, 4)),
    st.tuples(st.just("rename"), st.integers(0, 4)),
)


def apply(model: dict[str, bytes], change: tuple[Any, ...], new: str) -> tuple[Any, ...] | None:
    """Makes an edit in the model, and returns it as a call; `None` if there is no document for it."""
    verb, *rest = change
    if verb == "add":
        model[new] = rest[0]
        return verb, new, rest[0]
    if not model:
        return None
    name = list(model)[rest.pop(0) % len(model)]
    whole = model[name]
    if verb == "append":
        model[name] = whole + rest[0]
    elif verb == "remove":
        del model[name]
    elif verb == "rename":
        del model[name]
        model[new] = whole
        rest = [new]
    else:
        rest[0] = min(rest[0], len(whole))
        if verb != "insert":
            rest[1] = min(rest[1], len(whole) - rest[0])
        end = rest[0] if verb == "insert" else rest[0] + rest[1]
        put = b"" if verb == "delete" else rest[-1]
        model[name] = whole[: rest[0]] + put + whole[end:]
    return verb, name, *rest


@often
@given(documents=texts, blocks=st.lists(st.lists(edit, max_size=4), max_size=3), wanted=phrase)
def test_edits_are_those_of_a_model(
    make: Any, documents: list[bytes], blocks: list[list[tuple[Any, ...]]], wanted: str
) -> None:
    corpus = make(documents)
    model = {f"{at}.txt": one for at, one in enumerate(documents)}
    for number, block in enumerate(blocks):
        with corpus.edit() as edits:
            for at, change in enumerate(block):
                call = apply(model, change, f"new {number} {at}")
                if call is not None:
                    getattr(edits, call[0])(*call[1:])
        kept = dict(model)
        with pytest.raises(RuntimeError), corpus.edit() as edits:
            edits.add("never", "never")
            raise RuntimeError
        check(corpus, kept, wanted)
    corpus.compact()
    check(corpus, model, wanted)
    check(zg.open(corpus.path), model, wanted)


def check(corpus: zg.Corpus, model: dict[str, bytes], wanted: str) -> None:
    assert {document.name: document.bytes for document in corpus.documents} == model
    assert corpus.count(wanted) == sum(len(plain.matches(whole, wanted)) for whole in model.values())
    places = {(name, *place) for name, whole in model.items() for place in plain.matches(whole, wanted)}
    assert {tuple(match) for match in corpus.find(wanted)} == places
    words = dict(zip(corpus.documents.names, corpus.words(), strict=True))
    assert words == {name: plain.words(whole) for name, whole in model.items()}
