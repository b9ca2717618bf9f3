"""Writing with Spark: data frames become shards, all or none of them."""

import os
from pathlib import Path
from typing import Any

import pytest

import zgram as zg

TEXTS = [(f"doc-{number:03}", f"text {number} " + "the cat sat on the mat " * (number % 7)) for number in range(60)]


@pytest.fixture
def frame(spark: Any) -> Any:
    return spark.createDataFrame(TEXTS, "name string, text string").repartition(4)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def documents(folder: Path) -> list[tuple[str, str]]:
    corpora = [zg.open(path) for path in sorted(folder.iterdir())]
    return [(one.name, one.text) for corpus in corpora for one in corpus.documents]


def nothing_is_left(folder: Path) -> bool:
    return [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_each_partition_becomes_a_shard(frame: Any, tmp_path: Path) -> None:
    target = tmp_path / "sh\u00e4rds of 60"
    frame.write.format("zgram").mode("overwrite").option("level", "fast").save(str(target))
    assert len(files(target)) == 4
    assert sorted(documents(target)) == TEXTS
    assert {zg.open(path).facts.level for path in target.iterdir()} == {"fast"}
    assert nothing_is_left(tmp_path)
    # More rows go into shards of their own; new ones replace all.
    frame.limit(5).coalesce(1).write.format("zgram").mode("append").save(str(target))
    assert sorted(files(target))[-1] == "part-00004-000.zgram"
    assert len(documents(target)) == 65
    frame.limit(5).coalesce(1).write.format("zgram").mode("overwrite").save(str(target))
    assert list(files(target)) == ["part-00000-000.zgram"]
    assert nothing_is_left(tmp_path)


def test_a_large_partition_becomes_several_shards(frame: Any, tmp_path: Path) -> None:
    target = tmp_path / "small"
    one = frame.coalesce(1).sortWithinPartitions("name")
    one.write.format("zgram").mode("overwrite").option("shard-bytes", 1500).save(str(target))
    assert len(files(target)) > 3
    assert documents(target) == TEXTS
    sizes = [sum(len(one) for one in zg.open(path).documents) for path in sorted(target.iterdir())]
    assert max(sizes) <= 1500


def test_shards_of_equal_size_and_the_same_again(spark: Any, frame: Any, tmp_path: Path) -> None:
    from pyspark_zgram import read, write

    assert write(frame, str(tmp_path / "a"), workers=3) == 6
    sizes = [sum(len(one) for one in zg.open(path).documents) for path in sorted((tmp_path / "a").iterdir())]
    assert max(sizes) < 1.25 * sum(sizes) / len(sizes)
    assert documents(tmp_path / "a") == TEXTS
    other = spark.createDataFrame(TEXTS[::-1], "name string, text string").repartition(3)
    write(other, str(tmp_path / "b"), workers=3)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    with pytest.raises(zg.AlreadyExists, match="exists"):
        write(frame, str(tmp_path / "a"))
    zg.compress(TEXTS, tmp_path / "all.zgram")
    counted = [tuple(row) for row in read(spark, str(tmp_path / "a")).collect()]
    assert counted == list(zg.open(tmp_path / "all.zgram").word_count())


def test_rows_keep_their_columns(spark: Any, tmp_path: Path) -> None:
    rows = [(1, "one cat", 0.5, None), (2, "two cats", None, ["x", "y"])]
    frame = spark.createDataFrame(rows, "id int, text string, score double, tags array<string>").coalesce(1)
    frame.write.format("zgram").mode("overwrite").save(str(tmp_path / "rows"))
    (path,) = (tmp_path / "rows").iterdir()
    corpus = zg.open(path)
    assert corpus.documents.names == ["part-00000-000.jsonl:1", "part-00000-000.jsonl:2"]
    assert [one.text for one in corpus.documents] == ["one cat", "two cats"]
    corpus.decompress(tmp_path / "back")
    lines = (tmp_path / "back" / "part-00000-000.jsonl").read_text().splitlines()
    assert lines[1] == '{"id": 2, "text": "two cats", "score": null, "tags": ["x", "y"]}'


def test_a_failed_job_leaves_nothing(spark: Any, frame: Any, tmp_path: Path) -> None:
    from pyspark.sql import functions as F

    target = tmp_path / "target"
    frame.write.format("zgram").mode("overwrite").save(str(target))
    before = files(target)
    bad = frame.withColumn("text", F.when(F.col("name") == "doc-059", F.lit(None)).otherwise(F.col("text")))
    with pytest.raises(Exception, match="column text is null"):
        bad.write.format("zgram").mode("overwrite").save(str(target))
    with pytest.raises(Exception, match="column text is null"):
        bad.write.format("zgram").mode("append").save(str(target))
    assert files(target) == before
    assert nothing_is_left(tmp_path)


def test_what_cannot_be_written(spark: Any, frame: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "target")

    def refused(frame: Any, message: str, **options: Any) -> None:
        with pytest.raises(Exception, match=message):
            frame.write.format("zgram").mode("overwrite").options(**options).save(target)
        assert not os.path.exists(target)

    refused(spark.range(3).withColumnRenamed("id", "text"), "column text is of type bigint; texts are strings")
    refused(frame.withColumnRenamed("text", "body"), "no column 'text' of texts among: name string, body string")
    refused(frame, "no column 'title' of names", name="title")
    refused(frame, "writing has no option 'colour'", colour="red")
    twice = spark.createDataFrame([("a", "one"), ("a", "two")], "name string, text string").coalesce(1)
    refused(twice, "a")
    other = tmp_path / "mine"
    other.mkdir()
    (other / "letter.txt").write_text("precious")
    with pytest.raises(Exception, match="letter.txt, which is no shard"):
        frame.write.format("zgram").mode("overwrite").save(str(other))
    assert (other / "letter.txt").read_text() == "precious"
    assert nothing_is_left(tmp_path)


def test_no_rows_are_a_corpus_without_documents(spark: Any, frame: Any, tmp_path: Path) -> None:
    target = tmp_path / "none"
    frame.where("false").write.format("zgram").mode("overwrite").save(str(target))
    assert documents(target) == []
    assert spark.read.format("zgram").load(str(target)).collect() == []


def test_five_lines_of_the_page(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs/spark.md").read_text(encoding="utf-8")
    block = page.split("```python\n")[1].split("```")[0]
    assert "show()" in block and block.count("\n") == 6
    for name, path in {"books": root / "samples/books", "shards": tmp_path / "shards"}.items():
        # Spark's own folder is another.
        assert f'"{name}"' in block
        block = block.replace(f'"{name}"', repr(str(path)))
    exec(block, {})
    zg.compress(root / "samples/books", tmp_path / "all.zgram")
    top = next(iter(zg.open(tmp_path / "all.zgram").word_count(zg.View(case="lower", stop="english"))))
    shown = capsys.readouterr().out
    assert top[0] in shown and str(top[1]) in shown
