"""A Spark cluster of one machine: a Master and Workers that have addresses of their own on the loopback device."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

import pyspark

HOME = Path(pyspark.__file__).parent
#: Start-up takes minutes on a machine that is busy.
PATIENCE = 400.0


def environment(**more: str) -> dict[str, str]:
    """What a process of Spark needs: this Python, and this package."""
    package = os.environ.get("ZGRAM_PACKAGE") or str(Path(__file__).parents[1])
    paths = [package, os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "SPARK_HOME": str(HOME),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "OMP_NUM_THREADS": "1",
    } | more


def until(what: str, holds: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Waits until something holds."""
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"{what} did not happen within {patience:.0f} s")
        time.sleep(0.2)


class Cluster:
    """A Master and Workers with one core each, for a `with` statement."""

    def __init__(self, folder: Path, hosts: tuple[str, ...] = ("127.0.0.2", "127.0.0.3"), memory: str = "600m") -> None:
        self.folder = folder
        self.hosts = hosts
        self.memory = memory
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.processes: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.url = f"spark://127.0.0.1:{free.getsockname()[1]}"

    def __enter__(self) -> Self:
        try:
            port = self.url.rpartition(":")[2]
            arguments = ["--host", "127.0.0.1", "--port", port, "--webui-port", "0"]
            self._start("master", "127.0.0.1", "master.Master", arguments, "I have been elected leader")
            for host in self.hosts:
                arguments = ["--host", host, "--port", "0", "--webui-port", "0", "--cores", "1"]
                arguments += ["--memory", self.memory, "--work-dir", str(self.folder / f"work-{host}"), self.url]
                self.workers[host] = self._start(
                    f"worker-{host}", host, "worker.Worker", arguments, "Successfully registered with master"
                )
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Each process leads a group of its own, to which executors and their Pythons belong.
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def submit(self, script: Path, *arguments: str, settings: dict[str, str] | None = None, **more: str) -> subprocess.Popen[bytes]:
        """Submits a job: a Python script."""
        given = {
            "spark.ui.enabled": "false",
            "spark.executor.memory": self.memory,
            "spark.driver.memory": "512m",
            "spark.sql.shuffle.partitions": "2",
            "spark.locality.wait": "0",
            "spark.task.maxFailures": "8",
        } | (settings or {})
        command = [str(HOME / "bin/spark-submit"), "--master", self.url]
        command += [part for name, value in given.items() for part in ("--conf", f"{name}={value}")]
        log = (self.folder / "submit.log").open("ab")
        process = subprocess.Popen(
            [*command, str(script), *arguments],
            env=environment(**more),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def log(self) -> str:
        """The end of the job's log."""
        path = self.folder / "submit.log"
        return path.read_text(errors="replace")[-6000:] if path.exists() else "no log"

    def executors(self, host: str | None = None) -> list[int]:
        """The JVMs that run tasks of this cluster's jobs."""
        mark = f"--driver-url|{self.url}"
        found = []
        for pid, line in _commands():
            is_executor = "CoarseGrainedExecutorBackend" in line and f"{self.folder}" in _folder(pid)
            if is_executor and mark and (host is None or f"--hostname {host}" in line):
                found.append(pid)
        return found

    def pythons(self) -> list[int]:
        """The Python workers of the executors: children of their daemons."""
        parents = _parents()
        daemons = {pid for pid in _below(self.executors(), parents)}
        return [pid for pid in daemons if parents.get(pid) in daemons]

    def _start(
        self, name: str, host: str, program: str, arguments: list[str], sign: str
    ) -> subprocess.Popen[bytes]:
        path = self.folder / f"{name}.log"
        with path.open("wb") as log:
            process = subprocess.Popen(
                [str(HOME / "bin/spark-class"), f"org.apache.spark.deploy.{program}", *arguments],
                env=environment(SPARK_LOCAL_IP=host, SPARK_DAEMON_MEMORY="256m"),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes.append(process)

        def is_up() -> bool:
            text = path.read_text(errors="replace")
            if process.poll() is not None:
                raise RuntimeError(f"{name} ended: {text[-3000:]}")
            return sign in text

        until(f"the start of {name}", is_up)
        return process


def _commands() -> list[tuple[int, str]]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            found.append((int(entry.name), line))
    return found


def _folder(pid: int) -> str:
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def _parents() -> dict[int, int]:
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
            except OSError:
                continue
            found[int(entry.name)] = int(re.sub(r"^.*\) \S ", "", status, flags=re.DOTALL).split()[0])
    return found


def _below(roots: list[int], parents: dict[int, int]) -> set[int]:
    """All processes below some."""
    below: set[int] = set()
    grown = set(roots)
    while grown:
        grown = {pid for pid, parent in parents.items() if parent in grown and pid not in below}
        below |= grown
    return below
