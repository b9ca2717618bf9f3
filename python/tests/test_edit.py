"""Edits are durable when their block ends, and leave no trace when it raises."""

from pathlib import Path

import pytest

import zgram as zg


def test_edits_are_durable_when_the_block_ends(corpus: zg.Corpus, path: Path) -> None:
    with corpus.edit() as edit:
        edit.append("dog.txt", "The dog ran.\n")
        edit.insert("cat.txt", 0, "Look: ")
        edit.replace("notes/one.txt", 2, 4, "remark")
        edit.add("new.txt", "new words")
        edit.rename("dog.txt", "hound.txt")
    for one in (corpus, zg.open(path)):
        assert one.count("dog") == 2
        assert one["cat.txt"][:9] == b"Look: The"
        assert one["notes/one.txt"].text == "a remark\n"
        assert sorted(one.documents.names) == ["cat.txt", "hound.txt", "new.txt", "notes/one.txt"]
        assert one.facts.pending_edits == 5
    with corpus.edit() as edit:
        edit.remove("cat.txt")
        edit.delete("new.txt", 0, 4)
    assert "cat.txt" not in corpus and corpus["new.txt"].text == "words"
    assert corpus.count(["cat", "words"]).tolist() == [0, 1]
    assert {match.document for match in corpus.find("words")} == {"new.txt"}
    assert corpus.term_matrix().documents == corpus.documents.names
    done = corpus.compact()
    assert done.edits == 7 and corpus.facts.pending_edits == 0
    assert corpus["hound.txt"].text == "The dog sat.\nThe dog ran.\n"
    corpus.verify()


def test_a_block_that_raises_leaves_no_trace(corpus: zg.Corpus, path: Path) -> None:
    with pytest.raises(RuntimeError):
        with corpus.edit() as edit:
            edit.append("dog.txt", "never")
            raise RuntimeError
    with pytest.raises(KeyError):
        with corpus.edit() as edit:
            edit.append("dog.txt", "never")
            edit.append("fox.txt", "never")
    assert zg.open(path).count("never") == corpus.count("never") == 0
    with pytest.raises(ValueError, match="inside"):
        edit.append("dog.txt", "too late")


def test_one_editor_at_a_time(corpus: zg.Corpus, path: Path) -> None:
    with corpus.edit() as edit:
        with pytest.raises(zg.Locked, match="edited by"):
            with zg.open(path).edit():
                pass
        edit.append("dog.txt", "more")
    assert corpus.count("more") == 1


def test_a_corpus_that_is_closed_in_a_block_stays_closed(corpus: zg.Corpus, path: Path) -> None:
    with corpus.edit() as edit:
        edit.append("dog.txt", "more")
        corpus.close()
    assert zg.open(path).count("more") == 1
    for ask in (lambda: corpus.count("more"), corpus.compact, lambda: corpus.edit().__enter__()):
        with pytest.raises(ValueError, match="closed"):
            ask()
    assert zg.open(path).facts.pending_edits == 1


def test_a_corpus_in_memory_is_for_reading(path: Path) -> None:
    with pytest.raises(ValueError, match="file of its own"):
        with zg.open(path.read_bytes()).edit():
            pass
