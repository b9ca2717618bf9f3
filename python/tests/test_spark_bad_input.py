"""What bad shards and bad questions get: a message that names the shard and the cause, in Spark's exception."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import zgram as zg


@pytest.fixture
def shards(tmp_path: Path) -> Path:
    folder = tmp_path / "d\u00e9faut parts"
    folder.mkdir()
    zg.compress([("a", "one cat"), ("b", "two cats " * 500)], folder / "part-0.zgram")
    zg.compress([("a", "other cat"), ("c", "three dogs")], folder / "part-1.zgram")
    return folder


def failure(ask: Callable[[], Any]) -> str:
    with pytest.raises(Exception) as caught:
        ask()
    assert type(caught.value).__module__.startswith(("pyspark", "zgram", "py4j"))
    return str(caught.value)


def words(spark: Any, path: Path | str) -> Callable[[], Any]:
    return lambda: spark.read.format("zgram").load(str(path)).collect()


def cells(spark: Any, path: Path | str) -> Callable[[], Any]:
    return lambda: spark.read.format("zgram").option("task", "term-vector").load(str(path)).collect()


@pytest.mark.parametrize("ask", [words, cells])
def test_truncated(spark: Any, shards: Path, ask: Any) -> None:
    damaged = shards / "part-1.zgram"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    message = failure(ask(spark, shards))
    assert "DamagedFile" in message and str(damaged) in message


def test_damaged_in_the_middle(spark: Any, shards: Path) -> None:
    damaged = shards / "part-0.zgram"
    content = bytearray(damaged.read_bytes())
    content[len(content) // 2] ^= 0xFF
    damaged.write_bytes(content)
    message = failure(cells(spark, shards))
    assert "DamagedFile" in message and str(damaged) in message


def test_another_version(spark: Any, shards: Path) -> None:
    newer = shards / "part-1.zgram"
    content = bytearray(newer.read_bytes())
    # The version follows the magic number.
    at = content.index(b"ZGRAM") + 5 if b"ZGRAM" in content[:16] else 8
    content[at] = 99
    newer.write_bytes(content)
    message = failure(words(spark, shards))
    assert str(newer) in message


def test_no_corpus(spark: Any, shards: Path) -> None:
    (shards / "part-2.zgram").write_text("just text")
    message = failure(words(spark, shards))
    assert str(shards / "part-2.zgram") in message


def test_missing(spark: Any, tmp_path: Path) -> None:
    assert "NotFound" in failure(words(spark, tmp_path / "nowhere"))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "the folder has no .zgram files" in failure(words(spark, empty))
    zg.compress([("a", "one")], empty / "a-1-of-2.zgram")
    assert "a-2-of-2.zgram is missing" in failure(words(spark, empty))
    assert "via='bytes'" in failure(words(spark, "s3://bucket/shards"))


def test_replaced_while_it_ran(spark: Any, shards: Path) -> None:
    frame = spark.read.format("zgram").option("task", "term-vector").load(str(shards))
    rdd = frame.rdd  # the partitions are planned now
    assert rdd.getNumPartitions() == 2
    zg.compress([("z", "quite another text")], shards / "part-1.zgram", force=True)
    message = failure(rdd.collect)
    assert f"{shards / 'part-1.zgram'} was replaced or edited while the query ran" in message


def test_documents_of_one_name_are_told_apart(spark: Any, shards: Path) -> None:
    frame = spark.read.format("zgram").option("task", "term-vector").option("shard", "true").load(str(shards))
    rows = [(row.word, row.document, Path(row.shard).name) for row in frame.where("document = 'a'").collect()]
    assert rows == [
        ("cat", "a", "part-0.zgram"),
        ("one", "a", "part-0.zgram"),
        ("cat", "a", "part-1.zgram"),
        ("other", "a", "part-1.zgram"),
    ]


def test_no_permission(spark: Any, shards: Path) -> None:
    closed = shards / "part-1.zgram"
    closed.chmod(0)
    if os.access(closed, os.R_OK):
        # Root reads everything, but no link that leads nowhere.
        closed.unlink()
        closed.symlink_to(shards / "nowhere")
    assert str(closed) in failure(words(spark, shards))


def test_wrong_questions(spark: Any, shards: Path) -> None:
    def ask(**options: str) -> str:
        return failure(lambda: spark.read.format("zgram").options(**options).load(str(shards)).collect())

    assert "there is no task 'count-words'; tasks are word-count, sort" in ask(task="count-words")
    assert "word-count has no option 'gaps'; it has columns" in ask(gaps="true")
    assert "option top: expected a whole number, found 'ten'" in ask(top="ten")
    assert "a share of documents is from 0 to 1" in ask(**{"max-docs": "1.5"})
    assert "lower and fold exclude each other" in ask(lower="true", fold="true")
    needs = "pyspark_zgram.read(spark, path, 'inverted-index'"
    assert needs in ask(task="inverted-index", top="3")
    assert "the columns of word-count are: word string, count bigint" in failure(
        lambda: spark.read.format("zgram").schema("word string, count int").load(str(shards)).collect()
    )


def test_a_worker_without_the_package(shards: Path, tmp_path: Path) -> None:
    """What Spark sends to a worker says what to install, where the package is missing."""
    from pyspark import cloudpickle

    from pyspark_zgram._source import Question, Reader

    sent = tmp_path / "reader.pickle"
    sent.write_bytes(cloudpickle.dumps(Reader(Question.of({"path": str(shards)}))))
    # A Python that has pyspark, but neither package.
    bare = tmp_path / "bare"
    bare.mkdir()
    script = (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('zgram', 'pyspark_zgram'):\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from pyspark import cloudpickle\n"
        f"cloudpickle.loads(open({str(sent)!r}, 'rb').read())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=bare)
    assert done.returncode == 1
    assert "pip install 'zgram[spark]'" in done.stderr and sys.executable in done.stderr
    shutil.rmtree(bare)
