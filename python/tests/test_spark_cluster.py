"""A real cluster: a Master and two Workers. What runs there is killed in the middle, and the answer is the same."""

import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

from cluster import Cluster, until
from test_spark_read import documents

import zgram as zg

SHARDS = 8
JOB = Path(__file__).with_name("cluster_job.py")


def kill(processes: list[int]) -> None:
    assert processes, "there is nothing to kill"
    os.kill(processes[0], signal.SIGKILL)


def test_answers_survive_kills(tmp_path: Path) -> None:
    """One job in four rounds: undisturbed; a Python worker, an executor and a Worker killed with SIGKILL."""
    shards = tmp_path / "shards"
    shards.mkdir()
    every = documents()
    for number in range(SHARDS):
        zg.compress(every[number::SHARDS], shards / f"part-{number}.zgram")
    whole = tmp_path / "all.zgram"
    zg.compress(every, whole)
    wanted = [list(row) for row in zg.open(whole).word_count(zg.View(case="lower"))]
    answers = tmp_path / "answers"
    answers.mkdir()
    with Cluster(tmp_path) as cluster:

        def kill_worker() -> None:
            worker = cluster.workers["127.0.0.3"]
            executors = cluster.executors("127.0.0.3")
            worker.kill()
            worker.wait()
            # Its executors lose the Worker, as they would with their node.
            for pid in executors:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass

        rounds: dict[str, Callable[[], None]] = {
            "nothing": lambda: None,
            "python": lambda: kill(cluster.pythons()),
            "executor": lambda: kill(cluster.executors()),
            "worker": kill_worker,
        }
        job = cluster.submit(JOB, str(shards), str(answers), *rounds)
        for name, disturb in rounds.items():
            marks, answer = answers / name, answers / f"{name}.json"

            def half_done() -> bool:
                assert job.poll() is None, cluster.log()
                return marks.is_dir() and len(list(marks.iterdir())) >= 3

            def answered() -> bool:
                assert answer.exists() or job.poll() is None, cluster.log()
                return answer.exists()

            until(f"half of round {name}", half_done)
            assert not answer.exists()
            disturb()
            until(f"the answer of round {name}", answered)
            assert json.loads(answer.read_text()) == wanted, name
            starts = len(list(marks.iterdir()))
            assert starts >= SHARDS, name
        until("the end of the job", lambda: job.poll() is not None)
        assert job.returncode == 0, cluster.log()
