"""The Spark benchmark's job: asks questions of raw text, of gzip'd text and of shards, and prints what each cost.

`spark_python.py` submits it to a cluster. It reads a plan from a JSON file, and writes the costs to another.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

#: Words as zgram has them.
SEPARATORS = r"[^\p{L}\p{N}\p{M}]+"


def words(spark, path):
    """Words of raw text, or of gzip'd text: Spark decompresses what ends in .gz."""
    lines = spark.read.option("recursiveFileLookup", "true").text(path)
    words = F.explode(F.split("value", SEPARATORS)).alias("word")
    return lines.select(F.col("_metadata.file_path").alias("document"), words).where("word <> ''")


def raw(spark, task, path):
    found = words(spark, path)
    keys = ["word"] if task == "word-count" else ["document", "word"]
    return found.groupBy(*keys).count()


def shards(spark, task, path):
    from pyspark_zgram import read

    return read(spark, path, task, ordered=False)


CONTESTANTS = {"text": raw, "gzip": raw, "zgram": shards}


def fingerprint(frame):
    """What is equal if, and practically only if, the rows are: it reads all of them."""
    spread = F.pmod(F.xxhash64("word", F.col("count").cast("bigint")), F.lit(1_000_000_007))
    row = frame.agg(F.count(F.lit(1)), F.sum("count"), F.sum(spread)).collect()[0]
    return [int(value or 0) for value in row]


def tree(roots):
    """The processes below some, and these."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(text.rpartition(")")[2].split()[1])
    found, grown = set(), set(roots) & parents.keys()
    while grown:
        found |= grown
        grown = {pid for pid, parent in parents.items() if parent in grown} - found
    return found


def seconds(roots):
    """CPU time of processes, and of those of their children that have ended."""
    ticks = 0
    for pid in tree(roots):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(roots):
    """Memory of processes, what they share counted once."""
    total = 0
    for pid in tree(roots):
        try:
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
        except OSError:
            continue
    return total


class Peak(threading.Thread):
    """Measures memory now and then."""

    def __init__(self, roots):
        super().__init__(daemon=True)
        self.roots, self.bytes = roots, 0
        self.start()

    def run(self):
        while True:
            self.bytes = max(self.bytes, memory(self.roots))
            time.sleep(0.5)


def main(plan_path, answer_path):
    plan = json.loads(Path(plan_path).read_text())
    roots = plan["roots"]
    spark = SparkSession.builder.appName("zgram benchmark").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    peak = Peak(roots)
    results = []
    for step in plan["steps"]:
        frame = CONTESTANTS[step["contestant"]]
        spark.sparkContext.setJobDescription(step["name"])
        time.sleep(1)
        peak.bytes = 0
        cpu, wall = seconds(roots), time.monotonic()
        answer = fingerprint(frame(spark, step["task"], step["path"]))
        cost = {"cpu": seconds(roots) - cpu, "wall": time.monotonic() - wall, "peak": peak.bytes}
        results.append({"name": step["name"], "answer": answer} | cost)
        print(results[-1], flush=True)
    spark.stop()
    Path(answer_path).write_text(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
