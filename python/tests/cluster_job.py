"""A job that is submitted to a cluster: counts words slowly, in rounds, and writes each answer to a file.

Each task leaves a mark when it starts to hand on rows, so that a test can kill something in the middle.
"""

import json
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import SparkSession


def main(shards: str, folder: Path, rounds: list[str]) -> None:
    from pyspark_zgram._merge import merged
    from zgram._parts.asked import asked

    spark = SparkSession.builder.appName("zgram cluster test").getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    for name in rounds:
        marks = folder / name
        marks.mkdir()

        def slowly(part: Iterator[tuple[str, int]], marks: str = str(marks)) -> Iterator[tuple[str, int]]:
            rows = list(part)
            (Path(marks) / uuid.uuid4().hex).touch()
            time.sleep(2)
            yield from rows

        given = {"task": "word-count", "lower": "true"}
        source = spark.read.format("zgram").options(**given, partial="true").load(shards)
        slow = source.rdd.map(tuple).mapPartitions(slowly).toDF(source.schema)
        found = merged(spark, asked(given), slow, lambda: 0, True).collect()
        answer = folder / f"{name}.json"
        (folder / f"{name}.partial").write_text(json.dumps([list(row) for row in found]))
        (folder / f"{name}.partial").rename(answer)
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:])
