"""The Spark benchmark: starts a cluster, submits the job, and prints what it cost as a page.

    spark_python.py [--record] WORK SHARDS CORPUS...

Each corpus is a folder of files. WORK keeps what is made of them: gzip'd files and shards. --record writes
benchmarks/record/spark.md and spark.json.
"""

import gzip
import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "python/tests"))

import pyspark
import spark_page
from cluster import Cluster, until

import zgram as zg

#: Shards of the runs that a line is fitted to, and of the one that it is checked against.
FITTED, HELD_BACK = (1, 2, 4, 8), int(spark_page.HELD_BACK)


def prepare(corpus: Path, work: Path, count: int) -> dict[str, Path]:
    """Gzip'd files, and shards of about equal size, unless they are there."""
    zipped, shards = work / f"{corpus.name}.gz", work / f"{corpus.name}.shards"
    files = sorted((path for path in corpus.rglob("*") if path.is_file()), key=lambda path: os.fsencode(path))
    if not zipped.exists():
        zipped.mkdir(parents=True)
        for number, file in enumerate(files):
            with gzip.open(zipped / f"{number:06}.gz", "wb", compresslevel=6) as out:
                out.write(file.read_bytes())
    if not shards.exists():
        shards.mkdir(parents=True)
        total = sum(file.stat().st_size for file in files)
        parts: list[list[Path]] = [[] for _ in range(count)]
        before = 0
        for file in files:
            parts[min(count - 1, before * count // max(1, total))].append(file)
            before += file.stat().st_size
        for number, part in enumerate(parts):
            pairs = ((os.fsencode(file.relative_to(corpus)), file.read_bytes()) for file in part)
            zg.compress(pairs, shards / f"part-{number:03}.zgram", threads=2)
    return {"text": corpus, "gzip": zipped, "zgram": shards}


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def shuffled(events: Path) -> dict[str, dict[str, int]]:
    """Bytes read by Spark and bytes shuffled, by the description of the jobs."""
    stages: dict[int, str] = {}
    found: dict[str, dict[str, int]] = {}
    for log in sorted(path for path in events.rglob("*") if path.is_file() and "events" in path.name):
        for line in log.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerJobStart":
                name = event.get("Properties", {}).get("spark.job.description", "")
                stages |= {stage: name for stage in event["Stage IDs"]}
            elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                sums = found.setdefault(stages.get(event["Stage ID"], ""), {"read": 0, "shuffle": 0})
                metrics = event["Task Metrics"]
                sums["read"] += metrics["Input Metrics"]["Bytes Read"]
                sums["shuffle"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    return found


def main(work: Path, count: int, corpora: list[Path], is_record: bool) -> None:
    before = os.getloadavg()[0]
    work.mkdir(parents=True, exist_ok=True)
    sample = ROOT / "samples/books"
    paths = {corpus: prepare(corpus, work, count) for corpus in [sample, *corpora]}
    steps = []

    def step(name: str, contestant: str, task: str, path: Path) -> None:
        steps.append({"name": name, "contestant": contestant, "task": task, "path": str(path)})

    for task in spark_page.TASKS:
        for contestant in spark_page.CONTESTANTS:
            step(f"warm-up|{contestant}|{task}", contestant, task, paths[sample][contestant])
    for corpus in corpora:
        for task in spark_page.TASKS:
            for contestant in spark_page.CONTESTANTS:
                step(f"{corpus.name}|{contestant}|{task}", contestant, task, paths[corpus][contestant])
    # The model: the first shards of the first corpus.
    first = paths[corpora[0]]["zgram"]
    for shards in (*FITTED, HELD_BACK):
        some = work / f"{corpora[0].name}.{shards}"
        some.mkdir(exist_ok=True)
        for shard in sorted(first.glob("*.zgram"))[:shards]:
            link = some / shard.name
            if not link.exists():
                link.symlink_to(shard.resolve())
        for task in spark_page.TASKS:
            step(f"model|{shards}|{task}", "zgram", task, some)
    folder = work / "cluster"
    folder.mkdir(exist_ok=True)
    for name in ("plan.json", "answer.json"):
        (folder / name).unlink(missing_ok=True)
    events = folder / f"events-{os.getpid()}"
    events.mkdir()
    with Cluster(folder, memory="1g") as cluster:
        settings = {
            "spark.eventLog.enabled": "true",
            "spark.eventLog.dir": f"file://{events}",
            "spark.eventLog.compress": "false",
            "spark.eventLog.rolling.enabled": "true",
            "spark.driver.memory": "1g",
            # Many small files share a task, which is the best plan for them.
            "spark.sql.files.openCostInBytes": "65536",
        }
        job = cluster.submit(
            ROOT / "benchmarks/python/spark_job.py",
            str(folder / "plan.json"),
            str(folder / "answer.json"),
            settings=settings,
        )
        roots = [process.pid for process in cluster.processes]
        (folder / "plan.json").write_text(json.dumps({"roots": roots, "steps": steps}))
        until("the end of the job", lambda: job.poll() is not None, 7200)
        if job.returncode != 0:
            sys.exit(cluster.log())
    sums = shuffled(events)
    results = json.loads((folder / "answer.json").read_text())
    for result in results:
        result |= sums.get(result["name"], {})
    sizes = {
        corpus.name: {name: size(path) for name, path in paths[corpus].items()} for corpus in corpora
    }
    shards = {
        str(count): [size(corpus), size(work / f"{corpora[0].name}.{count}")] for count in (*FITTED, HELD_BACK)
        for corpus in corpora[:1]
    }
    report = {
        "spark": pyspark.__version__,
        "machine": spark_page.machine(),
        "build": f"zgram {zg.__version__}, {os.environ.get('ZGRAM_BUILD', 'an optimised build')}",
        "load": before,
        "sizes": sizes,
        "model": shards,
        "results": results,
    }
    print(spark_page.page(report))
    if is_record:
        spark_page.record(report, ROOT / "benchmarks/record")


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--record"]
    main(Path(given[0]), int(given[1]), [Path(path) for path in given[2:]], len(given) < len(sys.argv) - 1)
