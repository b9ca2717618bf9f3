"""A corpus in several files: folders, lists, and what is wrong with them."""

import pickle
from pathlib import Path

import pytest

import zgram as zg

DOCUMENTS = [("a.txt", "one fine day"), ("b.txt", "one fine night"), ("c.txt", "a day")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two files of three documents in a folder whose name needs quoting, and a file that is ignored."""
    folder = tmp_path / "mes corpus d'été"
    folder.mkdir()
    zg.compress(DOCUMENTS[:1], folder / "1.zgram")
    zg.compress(DOCUMENTS[1:], folder / "2.zgram")
    (folder / "_SUCCESS").write_text("")
    return folder


@pytest.fixture
def whole(tmp_path: Path) -> zg.Corpus:
    """One file with the same documents."""
    zg.compress(DOCUMENTS, tmp_path / "whole.zgram")
    return zg.open(tmp_path / "whole.zgram")


def check(corpus: zg.Corpus, whole: zg.Corpus) -> None:
    assert corpus.documents.names == whole.documents.names
    assert [one.text for one in corpus.documents] == [text for _, text in DOCUMENTS]
    assert list(corpus.word_count()) == list(whole.word_count())
    assert list(corpus.term_vector()) == list(whole.term_vector())
    assert list(corpus.sequence_count(n=2)) == list(whole.sequence_count(n=2))
    assert corpus.count("day") == whole.count("day") == 2
    assert corpus["b.txt"].text == "one fine night"
    assert corpus.facts.distinct_words == whole.facts.distinct_words == 5
    assert corpus.facts.text_bytes == whole.facts.text_bytes
    mine, its = corpus.term_matrix(), whole.term_matrix()
    assert list(mine.terms) == list(its.terms)
    assert (mine.to_scipy() != its.to_scipy()).nnz == 0


def test_folders_and_lists_answer_as_one_file(folder: Path, whole: zg.Corpus) -> None:
    paths = [folder / "1.zgram", folder / "2.zgram"]
    mixed = [paths[0].read_bytes(), str(paths[1])]
    for source in (folder, str(folder), paths, tuple(paths), mixed):
        corpus = zg.open(source)
        check(corpus, whole)
        check(pickle.loads(pickle.dumps(corpus)), whole)
    assert repr(zg.open(paths)) == "<zgram.Corpus in 2 files, 3 documents>"
    assert zg.open(paths).path is None
    assert zg.open([paths[1], paths[0]]).documents.names == ["b.txt", "c.txt", "a.txt"]


def test_edits_of_a_file_are_seen(folder: Path) -> None:
    with zg.open(folder / "1.zgram").edit() as edit:
        edit.append("a.txt", " and night")
    assert zg.open(folder).count("night") == 2
    assert zg.open([folder / "1.zgram"]).count("night") == 1


def test_documents_of_one_name_are_chosen_by_number(folder: Path) -> None:
    zg.compress([("a.txt", "another")], folder / "3.zgram")
    corpus = zg.open(folder)
    assert corpus.documents.names == ["a.txt", "b.txt", "c.txt", "a.txt"]
    assert "a.txt" in corpus
    with pytest.raises(zg.InvalidRequest, match=r"2 documents have the name a\.txt.*0, 3"):
        corpus["a.txt"]
    assert [corpus[0].text, corpus[3].text] == ["one fine day", "another"]
    assert corpus.documents[1:]["a.txt"].text == "another"


def test_what_is_wrong_is_said_with_the_name_of_the_file(folder: Path, tmp_path: Path) -> None:
    damaged = folder / "2.zgram"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    with pytest.raises(zg.DamagedFile, match=r"2\.zgram"):
        zg.open(folder)
    with pytest.raises(zg.DamagedFile, match="file 2 of the list"):
        zg.open([(folder / "1.zgram").read_bytes(), b"text"])
    with pytest.raises(FileNotFoundError, match=r"gone\.zgram"):
        zg.open([folder / "1.zgram", folder / "gone.zgram"])
    empty = tmp_path / "empty"
    empty.mkdir()
    for source in (empty, []):
        with pytest.raises(zg.InvalidRequest):
            zg.open(source)
    zg.compress(DOCUMENTS, empty / "logs-1-of-2.zgram")
    with pytest.raises(zg.InvalidRequest, match=r"logs-2-of-2\.zgram is missing"):
        zg.open(empty)


def test_folders_and_lists_are_not_edited(folder: Path) -> None:
    with pytest.raises(zg.InvalidRequest, match="edits go to one file"), zg.open(folder).edit() as edit:
        edit.remove("a.txt")
    files = zg.open([folder / "1.zgram"])
    with pytest.raises(zg.InvalidRequest, match="cannot be edited"), files.edit() as edit:
        edit.remove("a.txt")
