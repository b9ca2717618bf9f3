"""Threads, forks, Ctrl-C, memory, the program."""

import gc
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import zgram as zg


def ask(corpus: zg.Corpus) -> tuple[int, list[str], bytes]:
    return corpus.count("cat"), corpus.term_matrix().terms, corpus["dog.txt"][4:7]


def test_threads_share_a_corpus(corpus: zg.Corpus) -> None:
    expected = ask(corpus)
    with ThreadPoolExecutor(8) as pool:
        assert set(map(str, pool.map(lambda _: ask(corpus), range(200)))) == {str(expected)}


def test_a_forked_process_goes_on(corpus: zg.Corpus) -> None:
    expected = ask(corpus)
    child = os.fork()
    if child == 0:
        os._exit(0 if ask(corpus) == expected else 1)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process hung")


def test_ctrl_c_stops_long_work(tmp_path: Path) -> None:
    def endless() -> object:
        number = 0
        while True:
            number += 1
            yield str(number), f"word{number} " * 50

    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        zg.compress(endless(), tmp_path / "endless.zgram")
    deadline = time.monotonic() + 20
    while list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == [], "the work removes its temporary files"


def test_progress_is_called(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    texts = {str(at): "some words to read " * 1000 for at in range(20)}
    zg.compress(texts, tmp_path / "p.zgram", progress=lambda *news: seen.append(news))
    assert ("reading", sum(map(len, texts.values())), 0) in seen
    with pytest.raises(RuntimeError, match="enough"):
        zg.compress(texts, tmp_path / "q.zgram", progress=refuse)


def test_progress_shows_bars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bars.zgram"
    for work, stage in [
        (lambda: zg.compress({"a": "some words to read " * 9000}, path, progress=True), "reading"),
        (lambda: zg.open(path).verify(progress=True), "verifying"),
        (lambda: list(zg.open(path).sequence_count(3, per_document=True, progress=True)), "counting"),
        (lambda: zg.open(path).lda(2, iterations=3, progress=True), "training"),
    ]:
        work()
        assert f"{stage}: " in capsys.readouterr().err
    zg.open(path).verify()
    assert capsys.readouterr() == ("", "")


def refuse(*_: object) -> None:
    raise RuntimeError("enough")


def test_queries_do_not_grow_the_process(corpus: zg.Corpus) -> None:
    def memory() -> int:
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    for _ in range(200):
        ask(corpus)
    before = memory()
    for _ in range(1000):
        ask(corpus)
    assert memory() - before < 8 << 20


def test_the_program_is_there(path: Path) -> None:
    run = [sys.executable, "-m", "zgram"]
    counted = subprocess.run([*run, "count", path, "cat"], capture_output=True, text=True)
    assert (counted.returncode, counted.stdout) == (0, "2\n"), counted.stderr
    missing = subprocess.run([*run, "ls", f"{path}.none"], capture_output=True, text=True)
    assert missing.returncode == 2 and "cannot open" in missing.stderr


def test_importing_loads_numpy_only() -> None:
    code = "import sys, zgram; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"scipy", "sklearn", "pandas", "pyarrow", "polars", "gensim", "tqdm"}
    assert heavy.isdisjoint(loaded.stdout.split())
