"""Other processes, damaged and missing files, interrupts, odd arguments: the right exception, and no crash."""

import json
import multiprocessing
import os
import pickle
import resource
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zgram as zg

WORDS = ["cat", "the", "The", "fox"]
COUNTS = [2, 0, 3, 0]


# Copies in other processes


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing_takes_corpora(corpus: zg.Corpus, method: str) -> None:
    assert [corpus.count(word) for word in WORDS] == COUNTS
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(corpus.count, WORDS) == COUNTS
        sizes = pool.map(len, list(corpus.documents))
    assert sizes == corpus.documents.sizes.tolist()


def test_joblib_takes_corpora(corpus: zg.Corpus) -> None:
    from joblib import Parallel, delayed

    ask = delayed(zg.Corpus.count)
    for backend in ("loky", "threading"):
        made = Parallel(n_jobs=2, backend=backend)(ask(corpus, word) for word in WORDS)
        assert list(made) == COUNTS


def test_what_is_pickled_is_small_and_equal(corpus: zg.Corpus) -> None:
    for one in (corpus, corpus.documents, corpus.documents[1:], corpus["cat.txt"], zg.View(stop=["a"])):
        packed = pickle.dumps(one)
        assert len(packed) < 1000, "a corpus with a file is pickled as its path"
        again = pickle.loads(packed)
        assert type(again) is type(one) and len(pickle.dumps(again)) == len(packed)
    chosen = pickle.loads(pickle.dumps(corpus.documents[[2, 0]]))
    assert chosen.names == ["notes/one.txt", "cat.txt"]


def test_a_pickle_whose_file_is_gone(corpus: zg.Corpus, path: Path) -> None:
    packed = pickle.dumps(corpus.documents)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="pets.zgram"):
        pickle.loads(packed)


# Files that change under an open corpus


def test_a_file_that_is_removed(corpus: zg.Corpus, path: Path) -> None:
    path.unlink()
    try:
        assert corpus.count("cat") == 2
        assert corpus["cat.txt"][4:7] == b"cat"
    except zg.Error as error:  # as on systems where a removed file is gone at once
        assert isinstance(error, OSError)
    with pytest.raises(FileNotFoundError):
        corpus.edit().__enter__()
    with pytest.raises(FileNotFoundError):
        zg.open(path)


def test_a_file_that_is_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "cut.zgram"
    zg.compress({str(at): f"word{at} other words " * 500 for at in range(50)}, path)
    corpus = zg.open(path)
    os.truncate(path, 200)
    failed = 0
    for ask in questions(corpus):
        try:
            ask()
        except OSError as error:
            assert isinstance(error, zg.Error) and "cut.zgram" in str(error)
            failed += 1
    assert failed


def test_a_file_that_is_replaced(corpus: zg.Corpus, path: Path) -> None:
    """An open corpus stays as it was."""
    assert corpus.count("cat") == 2
    zg.compress({"new.txt": "a new text"}, path, force=True)
    assert corpus.count("cat") == 2 and corpus["dog.txt"].text == "The dog sat.\n"
    assert zg.open(path).documents.names == ["new.txt"]


def questions(corpus: zg.Corpus) -> list[Callable[[], Any]]:
    """Questions that together need every part of a file."""
    return [
        lambda: corpus.documents.names,
        lambda: [document.bytes for document in corpus.documents],
        lambda: corpus.count("word3 other"),
        lambda: corpus.count("words"),
        lambda: list(corpus.find("other words", limit=50)),
        lambda: list(corpus.kwic("words", limit=5)),
        lambda: (lambda matrix: (matrix.terms, matrix.data.tolist()))(corpus.term_matrix()),
        lambda: list(corpus.words()),
        lambda: list(corpus.word_count()),
        lambda: list(corpus.term_vector()),
        lambda: list(corpus.sequence_count(2, per_document=True)),
        lambda: corpus.tfidf(zg.View(sklearn=True)).data.tolist(),
        lambda: corpus.cooccurrence(window=2).data.tolist(),
        lambda: list(corpus.bm25("words")),
        lambda: list(corpus.collocates("words")),
        lambda: list(corpus.keyness(documents=[0])),
        lambda: dict(corpus.vocabulary),
        lambda: corpus.verify(),
    ]


def test_each_section_damaged(tmp_path: Path) -> None:
    path = tmp_path / "whole.zgram"
    zg.compress({f"{at}.txt": f"word{at} and other words, line\n" * 40 for at in range(9)}, path, index=True)
    whole = path.read_bytes()
    expected = [ask() for ask in questions(zg.open(path))]
    shown = subprocess.run(
        [sys.executable, "-m", "zgram", "info", path, "--format", "json"],
        capture_output=True,
        check=True,
    )
    sections = [section for section in json.loads(shown.stdout)["sections"] if section["bytes"]]
    assert len(sections) > 5
    for section in sections:
        damaged = bytearray(whole)
        damaged[section["offset"] + section["bytes"] // 2] ^= 0x10
        unseen = []
        try:
            corpus = zg.open(bytes(damaged))
        except zg.DamagedFile:
            continue
        for ask, answer in zip(questions(corpus), expected, strict=True):
            try:
                unseen.append(ask() == answer)
            except zg.DamagedFile as error:
                assert str(error)
        assert all(unseen), f"wrong answers with a damaged {section}"
        with pytest.raises(zg.DamagedFile):
            corpus.verify()


# Edits of two processes


def test_a_second_process_cannot_edit(corpus: zg.Corpus, path: Path) -> None:
    script = f"""
        import zgram as zg
        corpus = zg.open({str(path)!r})
        with corpus.edit() as edit:
            edit.append("dog.txt", "from afar")
            print("editing", flush=True)
            input()
    """
    other = python(script, stdin=subprocess.PIPE)
    assert other.stdin and other.stdout
    assert other.stdout.readline() == "editing\n"
    with pytest.raises(zg.Locked, match="edited by") as refused:
        with corpus.edit():
            pass
    assert isinstance(refused.value, BlockingIOError)
    with pytest.raises(zg.Locked):
        corpus.compact()
    assert corpus.count("afar") == zg.open(path).count("afar") == 0, "it is not done yet"
    other.stdin.write("\n")
    other.stdin.close()
    assert other.wait(60) == 0
    assert zg.open(path).count("afar") == 1
    with corpus.edit() as edit:
        edit.append("dog.txt", " and near")
    assert corpus["dog.txt"].text.endswith("from afar and near")


def test_a_killed_editor_leaves_no_trace(path: Path) -> None:
    script = f"""
        import os, signal
        import zgram as zg
        with zg.open({str(path)!r}).edit() as edit:
            edit.append("dog.txt", "never")
            os.kill(os.getpid(), signal.SIGKILL)
    """
    assert python(script).wait(60) == -signal.SIGKILL
    corpus = zg.open(path)
    assert corpus.count("never") == 0
    with corpus.edit() as edit:
        edit.append("dog.txt", "the lock is free")
    assert corpus.count("lock") == 1


def python(script: str, **options: Any) -> subprocess.Popen[str]:
    code = textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, **options)


# Interrupts

LONG = {
    "compressing": "zg.compress(((str(n), f'word{n} ' * 99) for n in itertools.count()), folder + '/e.zgram')",
    "counting": "while True: corpus.term_matrix(ngram_range=(1, 4))",
    "many phrases": "corpus.count(['word7 word8'] * 20_000_000)",
    "reading": "while True: list(corpus.words())",
    "verifying": "while True: corpus.verify()",
    "finding": "while True: corpus.find('a')",
    "a table": "while True: list(corpus.sequence_count(3, per_document=True))",
    "a table for polars": "while True: corpus.term_vector().to_polars()",
    "weighing": "while True: corpus.tfidf(ngram_range=(1, 3))",
    "words near each other": "while True: corpus.cooccurrence()",
    "an index for ranking": "while True: corpus.ranker()",
}


@pytest.mark.parametrize("work", LONG)
def test_ctrl_c_stops_within_a_tenth_of_a_second(tmp_path: Path, work: str) -> None:
    path = tmp_path / "long.zgram"
    zg.compress(
        {f"{at}.txt": " ".join(f"a word{at * number % 997}" for number in range(4000)) for at in range(30)},
        path,
        level="fast",
    )
    script = f"""
        import itertools, sys, time
        import zgram as zg
        folder = {str(tmp_path)!r}
        corpus = zg.open(folder + "/long.zgram")
        print("begun", flush=True)
        try:
            # CPython 3.11 counts a signal between two rounds of a loop to the line before the loop.
            rounds = itertools.count()
            {LONG[work]}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
    """
    # The machine may be busy: the best of a few.
    waits = []
    for _ in range(5):
        process = python(script)
        assert process.stdout and process.stdout.readline() == "begun\n"
        time.sleep(0.4)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        waits.append(float(process.stdout.readline()) - sent)
        assert process.wait(60) == 0
        if waits[-1] < 0.1:
            return
    pytest.fail(f"{work} went on for {min(waits):.3f} s")


# Arguments


def test_wrong_types(corpus: zg.Corpus) -> None:
    wrong: list[Callable[[], Any]] = [
        lambda: corpus.count(7),  # type: ignore[call-overload]
        lambda: corpus.count([7]),  # type: ignore[list-item]
        lambda: corpus.count(np.array([1, 2])),  # type: ignore[call-overload]
        lambda: corpus.count(None),  # type: ignore[call-overload]
        lambda: corpus.find(3.5),  # type: ignore[arg-type]
        lambda: corpus.count("cat", documents=np.array([0.5])),
        lambda: corpus.count("cat", documents=[None]),
        lambda: corpus.count("cat", view="lower"),  # type: ignore[call-overload]
        lambda: corpus.term_matrix(view={"case": "lower"}),  # type: ignore[arg-type]
        lambda: corpus.term_matrix(ngram_range=(1,)),  # type: ignore[arg-type]
        lambda: corpus.term_matrix(min_df="2"),  # type: ignore[arg-type]
        lambda: corpus.kwic("cat", width=-1),
        lambda: corpus.find("cat", limit=-1),
        lambda: corpus["cat.txt"]["a"],  # type: ignore[index]
        lambda: corpus["cat.txt"][0],  # type: ignore[index]
        lambda: corpus["cat.txt"][0:10:2],
        lambda: corpus.documents[np.zeros((2, 2))],
        lambda: corpus.documents[np.array([True])],
        lambda: corpus.documents[2.0],
        lambda: zg.open(None),
        lambda: zg.open(3.5),
        lambda: zg.compress({"a": None}, "never.zgram"),
        lambda: zg.compress({3: "a"}, "never.zgram"),
        lambda: zg.compress({"a": "x"}, "never.zgram", level="best"),  # type: ignore[arg-type]
        lambda: zg.compress({"a": "x"}, "never.zgram", memory=-1),
    ]
    for number, ask in enumerate(wrong):
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError)):
            pytest.fail(f"call {number} was answered with {ask()!r}")
    assert not Path("never.zgram").exists()


def test_an_array_of_words_is_counted(corpus: zg.Corpus) -> None:
    for phrases in (np.array(WORDS), tuple(WORDS), iter(WORDS), [word.encode() for word in WORDS]):
        assert corpus.count(phrases).tolist() == COUNTS
    assert corpus.count([]).tolist() == []


def test_lone_surrogates(corpus: zg.Corpus, tmp_path: Path) -> None:
    for ask in (corpus.count, corpus.find, corpus.kwic, lambda text: corpus.count([text])):
        with pytest.raises(ValueError, match="surrogate"):
            ask("cat \ud800")
    with pytest.raises(ValueError):
        corpus.documents["\ud800.txt"]
    assert "\udcff" not in corpus  # stands for the byte 0xFF
    with pytest.raises(ValueError), corpus.edit() as edit:
        edit.append("dog.txt", "\ud83d")
    with pytest.raises(ValueError):
        zg.compress({"a\ud83d": "x"}, tmp_path / "s.zgram")
    assert corpus["dog.txt"].text == "The dog sat.\n"


def test_no_documents(tmp_path: Path) -> None:
    path = tmp_path / "none.zgram"
    zg.compress({}, path)
    for corpus in (zg.open(path), zg.open(path.read_bytes())):
        assert len(corpus) == len(corpus.documents) == corpus.count("x") == len(corpus.find("x")) == 0
        assert corpus.documents.names == list(corpus.words()) == list(corpus.kwic("x")) == []
        assert corpus.count(["x", "y"]).tolist() == [0, 0]
        assert corpus.documents[:].names == [] and corpus.documents.sizes.tolist() == []
        assert corpus.facts.documents == corpus.facts.words == 0
        corpus.verify()
        with pytest.raises(KeyError):
            corpus["x"]
        with pytest.raises(IndexError):
            corpus[0]
        with pytest.raises(ValueError, match="no words|no documents|empty"):
            corpus.term_matrix()
    with zg.open(path).edit() as edit:
        edit.add("x", "one")
    assert zg.open(path).count("one") == 1


def test_every_method_of_a_closed_corpus(path: Path) -> None:
    corpus = zg.open(path)
    documents, words = corpus.documents, corpus.words()
    corpus.close()
    corpus.close()
    asked: list[Callable[[], Any]] = [
        *questions(corpus),
        lambda: corpus.facts,
        lambda: corpus["cat.txt"],
        lambda: corpus.count(["cat"]),
        lambda: documents.names,
        lambda: list(words),
        lambda: corpus.compact(),
        lambda: corpus.edit().__enter__(),
    ]
    for ask in asked:
        with pytest.raises(ValueError, match="closed"):
            ask()


# Memory


def test_a_thousand_queries_do_not_grow_the_process(tmp_path: Path) -> None:
    path = tmp_path / "grow.zgram"
    zg.compress({f"{at}.txt": f"word{at} and other words\n" * 30 for at in range(40)}, path)
    corpus = zg.open(path)
    asked = questions(corpus)

    def memory() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def ask(times: int) -> None:
        for number in range(times):
            asked[number % len(asked)]()
            with pytest.raises(zg.Error):
                corpus.count("...")
            if number % 10 == 0:
                zg.open(path).close()

    ask(400)
    before = memory()
    ask(1000)
    assert memory() - before < 4 << 20
