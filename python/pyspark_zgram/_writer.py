"""Data frames become shards.

Each task writes its rows as shards into a folder beside the target. The driver renames them when all tasks are
done, so a task or job that fails leaves no shard behind.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import BinaryType, StringType, StructType

from zgram import AlreadyExists, InvalidRequest, _zgram, compress
from zgram._json_lines import write_rows
from zgram._parts.plan import local

from ._carried import Carried

#: Text of a shard, if it is not said how much: one segment, and little work to repeat if a node dies.
SHARD_BYTES = 64_000_000
#: What a folder of shards may contain.
_OURS = (".zgram", ".zgram.journal", ".zgram.words", ".zgram.lock", "_SUCCESS")
_OPTIONS = ("path", "name", "text", "level", "index", "threads", "memory", "shard-bytes")


@dataclass
class Made(WriterCommitMessage):
    """The shards of a task: paths of temporary files, in order."""

    partition: int
    paths: list[str]


class Writer(Carried, DataSourceArrowWriter):
    """Writes rows as shards."""

    def __init__(self, options: Any, schema: StructType, overwrite: bool) -> None:
        given = {str(name).lower().replace("_", "-"): str(value) for name, value in dict(options).items()}
        for name in given:
            if name not in _OPTIONS:
                raise InvalidRequest(f"writing has no option {name!r}; it has {', '.join(_OPTIONS)}")
        if "path" not in given:
            raise InvalidRequest("a path is missing: save(path)")
        self.path = local(given["path"]).rstrip("/")
        self.overwrite = overwrite
        self.text = given.get("text", "text")
        self.name = _name_column(given, schema, self.text)
        self.shard_bytes = int(given.get("shard-bytes", SHARD_BYTES))
        memory = given.get("memory")
        self.settings: dict[str, Any] = dict(
            level=given.get("level", "default"),
            memory=None if memory is None else int(memory),
            threads=int(given.get("threads", "1")),
            index=given.get("index", "false") == "true",
            force=True,
        )
        self.folder = _beside(self.path)
        if os.path.exists(self.path):
            _check_target(self.path)

    # On the workers

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        task = TaskContext.get()
        partition, attempt = (task.partitionId(), task.taskAttemptId()) if task else (0, 0)
        os.makedirs(self.folder, exist_ok=True)
        paths: list[str] = []
        for rows in self._shards(iterator, partition):
            name = f"part-{partition:05}-{len(paths):03}"
            path = os.path.join(self.folder, f"{name}.{attempt}.zgram")
            self._compress(rows, path, name)
            paths.append(path)
        return Made(partition, paths)

    def _shards(self, batches: Iterator[pa.RecordBatch], partition: int) -> Iterator[Iterator[dict[str, Any]]]:
        """The rows of each shard. Those of one are to be read before the next."""
        rows = self._rows(batches, partition)
        first = next(rows, None)
        while first is not None:
            ahead: list[dict[str, Any]] = [first]

            def of_one() -> Iterator[dict[str, Any]]:
                size = 0
                row: dict[str, Any] | None = ahead.pop()
                while row is not None:
                    size += len(row[self.text])
                    yield row
                    row = next(rows, None)
                    if row is not None and size + len(row[self.text]) > self.shard_bytes:
                        ahead.append(row)
                        return

            yield of_one()
            first = ahead.pop() if ahead else next(rows, None)

    def _rows(self, batches: Iterator[pa.RecordBatch], partition: int) -> Iterator[dict[str, Any]]:
        number = 0
        for batch in batches:
            for row in batch.to_pylist():
                number += 1
                for column in (self.text, self.name):
                    if column is not None and row[column] is None:
                        message = f"row {number} of partition {partition}: column {column} is null"
                        raise InvalidRequest(message)
                yield row

    def _compress(self, rows: Iterator[dict[str, Any]], path: str, name: str) -> None:
        if self.name is not None:
            pairs = ((_named(row[self.name]), row[self.text]) for row in rows)
            _zgram.compress_pairs(pairs, path, self.settings, None)
            return
        # The name of the file of lines is that of the shard, so no two documents have one name.
        lines = os.path.join(f"{path}.lines", f"{name}.jsonl")
        os.makedirs(os.path.dirname(lines))
        try:
            write_rows(rows, lines, self.text)
            _zgram.compress_paths([lines], path, self.settings, self.text, None)
        finally:
            shutil.rmtree(os.path.dirname(lines), ignore_errors=True)

    # On the driver

    def commit(self, messages: list[Made | None]) -> None:  # type: ignore[override]
        made = sorted((one for one in messages if one is not None), key=lambda one: one.partition)
        os.makedirs(self.folder, exist_ok=True)
        ready = os.path.join(self.folder, "ready")
        os.makedirs(ready)
        first = 0 if self.overwrite else _next_number(self.path)
        names = []
        for one in made:
            for number, path in enumerate(one.paths):
                names.append(f"part-{first + one.partition:05}-{number:03}.zgram")
                os.rename(path, os.path.join(ready, names[-1]))
        if not names and (self.overwrite or not os.path.exists(self.path)):
            # No rows at all: a corpus without documents.
            compress([], os.path.join(ready, f"part-{first:05}-000.zgram"))
        try:
            self._publish(ready, names)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _publish(self, ready: str, names: list[str]) -> None:
        if not os.path.exists(self.path):
            os.rename(ready, self.path)
            return
        _check_target(self.path)
        if self.overwrite:
            # Readers see the shards of before or the new ones, never some of both.
            os.rename(self.path, os.path.join(self.folder, "before"))
            os.rename(ready, self.path)
            return
        done: list[str] = []
        try:
            for name in names:
                target = os.path.join(self.path, name)
                if os.path.exists(target):
                    raise AlreadyExists(17, f"{target} was written meanwhile by another job")
                os.rename(os.path.join(ready, name), target)
                done.append(target)
        except BaseException:
            for target in done:
                os.remove(target)
            raise

    def abort(self, messages: list[Made | None]) -> None:  # type: ignore[override]
        shutil.rmtree(self.folder, ignore_errors=True)


def _name_column(given: dict[str, str], schema: StructType, text: str) -> str | None:
    """The column of names; `None` if rows are kept whole, as JSON Lines."""
    types = {field.name: field.dataType for field in schema.fields}
    shown = ", ".join(f"{name} {kind.simpleString()}" for name, kind in types.items())
    if text not in types:
        raise InvalidRequest(f"there is no column {text!r} of texts among: {shown}; name it with option text")
    if not isinstance(types[text], (StringType, BinaryType)):
        kind = types[text].simpleString()
        raise InvalidRequest(f"column {text} is of type {kind}; texts are strings or binary")
    name = given.get("name", "name" if set(types) == {"name", text} else None)
    if name is not None and name not in types:
        raise InvalidRequest(f"there is no column {name!r} of names among: {shown}")
    if name is not None:
        simple = types[name].simpleString()
        if simple.startswith(("array", "map", "struct")):
            raise InvalidRequest(f"column {name} is of type {simple}; names are strings, numbers or dates")
    return name


def _named(value: Any) -> Any:
    return value if isinstance(value, (str, bytes)) else str(value)


def _beside(path: str) -> str:
    parent, name = os.path.split(os.path.abspath(path))
    return os.path.join(parent, f".{name}.{uuid.uuid4().hex}")


def _check_target(path: str) -> None:
    """A folder of shards may be replaced or added to; nothing else."""
    if not os.path.isdir(path):
        raise AlreadyExists(17, f"{path} is a file; shards are written into a folder")
    for name in sorted(os.listdir(path)):
        if not name.endswith(_OURS):
            raise AlreadyExists(17, f"{path} contains {name}, which is no shard; choose another folder")


def _next_number(path: str) -> int:
    """The first number that no shard of a folder has."""
    names = os.listdir(path) if os.path.isdir(path) else []
    numbers = [name.split("-")[1] for name in names if name.startswith("part-") and name.count("-") == 2]
    return 1 + max((int(number) for number in numbers if number.isdigit()), default=-1)
