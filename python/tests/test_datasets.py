"""Tables of all kinds become corpora, and come back row by row."""

import datetime
from pathlib import Path

import pytest
from datasets import ClassLabel, Dataset, DatasetDict, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st

import zgram as zg
from zgram.datasets import from_dataset, to_dataset, to_iterable

text = st.text(max_size=20).filter(lambda text: text.encode("utf-8", "ignore").decode() == text)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(-(2**53), 2**53),
            "text": text,
            "score": st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
            "tags": st.lists(text, max_size=3),
            "meta": st.fixed_dictionaries({"lang": text, "ok": st.booleans()}),
        }
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(rows)
def test_datasets_come_back_row_by_row(tmp_path_factory: pytest.TempPathFactory, given: list[dict]) -> None:
    dataset = Dataset.from_list(given)
    path = tmp_path_factory.mktemp("d") / "d.zgram"
    assert from_dataset(dataset, path).documents == len(given)
    corpus = zg.open(path)
    assert [document.text for document in corpus.documents] == dataset["text"][:]
    back = to_dataset(corpus, features=dataset.features)
    assert back.features == dataset.features and back.to_list() == dataset.to_list()
    assert list(to_iterable(corpus)) == dataset.to_list()
    picked = to_dataset(corpus, [len(given) - 1, 0][: len(given)], features=dataset.features)
    assert picked.to_list() == [dataset[-1], dataset[0]][: len(given)]


def test_features_come_back(tmp_path: Path) -> None:
    features = Features({"text": Value("string"), "label": ClassLabel(names=["ham", "spam"])})
    dataset = Dataset.from_list([{"text": "buy", "label": 1}, {"text": "hello", "label": 0}], features)
    zg.compress(dataset.with_format("numpy"), tmp_path / "l.zgram")
    back = to_dataset(zg.open(tmp_path / "l.zgram"), features=features)
    assert back.features == features and back.to_list() == dataset.to_list()
    with pytest.raises(ValueError, match="dataset\\['train'\\]"):
        zg.compress(DatasetDict(train=dataset), tmp_path / "parts.zgram")
    streamed = tmp_path / "s.zgram"
    zg.compress(dataset.to_iterable_dataset(), streamed)
    assert list(to_iterable(zg.open(streamed))) == dataset.to_list()


def test_rows_follow_edits(tmp_path: Path) -> None:
    path = tmp_path / "e.zgram"
    zg.compress([{"text": "one day", "n": 1}, {"text": "two days", "n": 2}], path)
    corpus = zg.open(path)
    with corpus.edit() as edit:
        edit.append("rows.jsonl:2", " later")
    assert to_dataset(corpus).to_list() == [{"text": "one day", "n": 1}, {"text": "two days later", "n": 2}]


def test_documents_become_rows(corpus: zg.Corpus) -> None:
    expected = [{"name": document.name, "text": document.text} for document in corpus.documents]
    assert to_dataset(corpus).to_list() == list(to_iterable(corpus)) == expected
    assert list(to_iterable(corpus, "notes/*")) == to_dataset(corpus, "notes/*").to_list() == expected[2:]


def test_tables_of_all_libraries(tmp_path: Path) -> None:
    import numpy
    import pandas
    import polars
    import pyarrow

    rows = [
        {"text": "one day", "n": 1, "when": datetime.date(2026, 1, 2), "x": 0.5},
        {"text": "zwei Täge", "n": None, "when": None, "x": None},
    ]
    expected = [{**rows[0], "when": "2026-01-02"}, rows[1]]
    table = pyarrow.Table.from_pylist(rows)
    for number, source in enumerate(
        [
            rows,
            iter(rows),
            table,
            table.to_reader(),
            polars.DataFrame(rows),
            polars.LazyFrame(rows),
            Dataset.from_list(rows),
            pandas.DataFrame(rows),
        ]
    ):
        path = tmp_path / f"{number}.zgram"
        assert zg.compress(source, path).documents == 2
        assert to_dataset(zg.open(path)).to_list() == expected
    zg.compress(table, tmp_path / "named.zgram", name="when")
    assert zg.open(tmp_path / "named.zgram").documents.names[0] == "2026-01-02"


def test_rows_that_cannot_be_stored(tmp_path: Path) -> None:
    out = tmp_path / "wrong.zgram"
    for source, words in [
        ([{"text": "a"}, {"body": "b"}], "row 2 has no column 'text'"),
        ([{"text": None}], "row 1 is no text"),
        ([{"text": "a", "x": b"\xff"}], "row 1 cannot be stored"),
        ([{"text": "\ud800"}], "row 1 has a text that is not Unicode"),
    ]:
        with pytest.raises(ValueError, match=words) as raised:
            zg.compress(source, out)
        assert isinstance(raised.value, zg.Error)
        assert list(tmp_path.iterdir()) == []


def test_json_lines_are_restored(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b'{"text": "a b",  "x": [1, 2]}\n\n{"x": null, "text":"c"}\n')
    zg.compress(source, tmp_path / "j.zgram", jsonl="text")
    corpus = zg.open(tmp_path / "j.zgram")
    assert corpus.decompress(tmp_path / "back") == 1
    assert (tmp_path / "back" / "in.jsonl").read_bytes() == source.read_bytes()
    assert list(to_iterable(corpus)) == [{"text": "a b", "x": [1, 2]}, {"x": None, "text": "c"}]
    with pytest.raises(FileExistsError):
        corpus.decompress(tmp_path / "back")
