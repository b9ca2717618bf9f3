"""Opening, reading, choosing documents, phrases."""

import io
import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zgram as zg

TEXTS = {
    "cat.txt": "The cat sat. The cat ran.\n",
    "dog.txt": "The dog sat.\n",
    "notes/one.txt": "a note\n",
}


def make(tmp_path: Path, documents: object) -> zg.Corpus:
    path = tmp_path / "made.zgram"
    zg.compress(documents, path, force=True)
    return zg.open(path)


def test_a_corpus_opens_from_a_path_bytes_and_a_file(path: Path) -> None:
    with open(path, "rb") as file:
        for source in (path, str(path), path.read_bytes(), file, io.BytesIO(path.read_bytes())):
            corpus = zg.open(source)
            assert corpus.documents.names == list(TEXTS)
            assert corpus.count("cat") == 2
            assert corpus["dog.txt"].text == TEXTS["dog.txt"]


def test_sources_of_all_kinds_give_the_same_documents(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    for name, text in TEXTS.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    sources = [folder, str(folder), TEXTS, list(TEXTS.items()), iter(TEXTS.items())]
    rows = [{"id": name, "text": text} for name, text in TEXTS.items()]
    for number, source in enumerate(sources):
        out = tmp_path / f"{number}.zgram"
        assert zg.compress(source, out).documents == 3
        assert {document.name: document.text for document in zg.open(out).documents} == TEXTS
    named = tmp_path / "named.zgram"
    zg.compress(rows, named, name="id")
    assert {document.name: document.text for document in zg.open(named).documents} == TEXTS


def test_tables_keep_their_columns(tmp_path: Path) -> None:
    import pandas
    import polars
    import pyarrow

    rows = [{"lang": "en", "text": "one day"}, {"lang": "fr", "text": "un jour"}]
    tables = [rows, pyarrow.Table.from_pylist(rows), polars.DataFrame(rows), pandas.DataFrame(rows)]
    for number, table in enumerate(tables):
        out = tmp_path / f"{number}.zgram"
        zg.compress(table, out)
        corpus = zg.open(out)
        assert corpus.documents.names == ["rows.jsonl:1", "rows.jsonl:2"]
        assert [document.text for document in corpus.documents] == ["one day", "un jour"]


def test_documents_are_chosen_in_many_ways(corpus: zg.Corpus) -> None:
    documents = corpus.documents
    assert documents[0].name == documents[-3].name == corpus["cat.txt"].name == "cat.txt"
    assert documents["notes/*"].names == ["notes/one.txt"]
    assert documents[1:].names == ["dog.txt", "notes/one.txt"]
    assert documents[np.array([2, 0])].names == ["notes/one.txt", "cat.txt"]
    assert documents[np.array([True, False, True])].names == ["cat.txt", "notes/one.txt"]
    assert documents[["dog.txt", "cat.txt"]].names == ["dog.txt", "cat.txt"]
    assert documents[[]].names == []
    assert "dog.txt" in documents and "dog.txt" in corpus and "fox.txt" not in corpus
    assert documents.sizes.tolist() == [len(text) for text in TEXTS.values()]
    for missing in ("fox.txt", "*.md"):
        with pytest.raises(KeyError, match="no document"):
            documents[missing]
    with pytest.raises(IndexError):
        documents[3]
    with pytest.raises(ValueError):
        documents[np.array([0.5])]


def test_parts_of_documents_are_read(corpus: zg.Corpus) -> None:
    document = corpus["cat.txt"]
    text = TEXTS["cat.txt"].encode()
    for part in (slice(None), slice(4, 7), slice(-5, None), slice(90, 100), slice(5, 2)):
        assert document[part] == text[part]
    assert document.lines(1) == TEXTS["cat.txt"] and document.lines(2, 9) == ""
    assert len(document) == len(text)
    with pytest.raises(ValueError):
        document.lines(0)


def test_phrases_are_counted_and_found(corpus: zg.Corpus) -> None:
    assert corpus.count("the cat", view=zg.View(case="fold")) == 2
    assert corpus.count(["cat", "the", "The"]).tolist() == [2, 0, 3]
    assert corpus.count("The", documents="dog.txt") == 1
    assert corpus.count("The", documents=corpus.documents[:2]) == 3
    assert [tuple(match) for match in corpus.find("sat")] == [("cat.txt", 8, 3), ("dog.txt", 8, 3)]
    assert len(corpus.find("The", limit=2)) == 2
    lines = corpus.kwic("sat", width=1)
    assert [(line.before.split(), line.match) for line in lines] == [(["cat"], "sat"), (["dog"], "sat")]
    assert "<b>sat</b>" in lines._repr_html_()
    with pytest.raises(ValueError, match="word"):
        corpus.count("...")


def test_views_of_phrases_follow_edits(corpus: zg.Corpus) -> None:
    fold = zg.View(case="fold")
    assert corpus.count("CAT", view=fold) == 2
    with corpus.edit() as edit:
        edit.append("dog.txt", "A CAT and cats.")
    assert corpus.count("cat", view=fold) == 3 and corpus.count("CAT") == 1
    phrases = ["cat", "the CAT", "dog sat", "fox"]
    assert corpus.count(phrases, view=zg.View(case="fold")).tolist() == [3, 2, 1, 0]
    stems = zg.View(case="lower", stem="english")
    assert corpus.count("cat", view=stems) == 4
    assert [match.offset for match in corpus.find("a cat", view=stems)] == [13]
    # More views than are kept, and views that are equal but not the same.
    for _ in range(3):
        for least in range(8):
            expected = 3 if least <= 3 else 0
            assert corpus.count("cat", view=zg.View(case="lower", min_len=least)) == expected


def test_names_and_texts_of_any_bytes(tmp_path: Path) -> None:
    name = b"caf\xe9.txt".decode("utf-8", "surrogateescape")
    corpus = make(tmp_path, {name: b"na\xefve \x00 text", "empty": "", "lone \ud800".encode("utf-8", "surrogatepass"): "x"})
    assert corpus[name].bytes == b"na\xefve \x00 text"
    assert corpus["empty"].text == ""
    assert pickle.loads(pickle.dumps(corpus.documents[name])).name == name
    with pytest.raises(ValueError, match="text of document 1"):
        make(tmp_path, {"a": "\ud83d"})


def test_views_documents_and_corpora_are_pickled(corpus: zg.Corpus, path: Path) -> None:
    view = zg.View(case="lower", stop=["the"])
    assert pickle.loads(pickle.dumps(view)) == view and hash(view)
    for one in (corpus, zg.open(path.read_bytes())):
        again = pickle.loads(pickle.dumps(one.documents[1:]))
        assert again.names == ["dog.txt", "notes/one.txt"]


word = st.text("ab cé中\n.", min_size=0, max_size=40)


@settings(max_examples=40, deadline=None)
@given(st.lists(word, min_size=1, max_size=6))
def test_words_are_those_of_the_matrix(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    corpus = make(tmp_path_factory.mktemp("w"), [(str(at), text) for at, text in enumerate(texts)])
    assert [document.text for document in corpus.documents] == texts
    counted = [Counter(words) for words in corpus.words()]
    try:
        matrix = corpus.term_matrix()
    except ValueError:
        assert not any(counted)
        return
    assert matrix.terms == sorted({word for count in counted for word in count})
    for row, count in zip(matrix, counted, strict=True):
        assert {matrix.terms[column]: value for column, value in row} == count
    for word in matrix.terms:
        assert corpus.count(word) == sum(count[word] for count in counted)


def test_rows_come_in_the_order_of_the_choice(corpus: zg.Corpus) -> None:
    matrix = corpus.term_matrix(documents=[2, 0])
    assert matrix.documents == ["notes/one.txt", "cat.txt"]
    assert matrix.to_scipy().toarray().sum(axis=1).tolist() == [2, 6]
