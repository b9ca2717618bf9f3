"""Making a corpus."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from . import _progress, _zgram
from ._errors import InvalidRequest
from ._json_lines import write_rows


@dataclass(frozen=True)
class Summary:
    """What compressing made."""

    documents: int
    text_bytes: int
    compressed_bytes: int

    @property
    def ratio(self) -> float:
        """How many times smaller the file is than the text."""
        return self.text_bytes / max(1, self.compressed_bytes)


def compress(
    source: Any,
    output: str | os.PathLike[str],
    *,
    level: Literal["fast", "default", "max"] = "default",
    text: str = "text",
    name: str | None = None,
    jsonl: str | None = None,
    memory: int | None = None,
    threads: int = 0,
    index: bool = False,
    force: bool = False,
    progress: bool | Callable[[str, int, int], object] = False,
) -> Summary:
    """Compresses documents into the file `output`.

    >>> zg.compress([("a", "one fine day"), ("b", "one fine night")], folder / "days.zgram").documents
    2

    Parameters
    ----------
    source
        What to compress: a path, or a list of paths, of files, folders, tar archives or JSON Lines; a
        mapping from names to texts; an iterable of pairs of name and text; an iterable of mappings, or a
        table (Hugging Face, pyarrow, polars, pandas, DuckDB), whose column `text` has the texts. Texts are
        `str` or `bytes`.
    level
        "fast" opens fastest, "max" is smallest.
    text, name
        The columns of texts and of names. Without `name`, rows of a table keep all their columns, as
        lines of a JSON Lines file with the names "rows.jsonl:1", "rows.jsonl:2" and so on. Missing values
        become null, dates become texts. `zgram.datasets` gives the rows back.
    jsonl
        The field of the text, if files are JSON Lines.
    memory, threads
        The most bytes of memory to use; the number of threads, 0 for one per core.
    index
        Also store how often each word occurs in each document.
    force
        Replace a file that exists.
    progress
        True shows a progress bar if tqdm is installed; a function is called with the stage, what is done
        and what is expected.
    """
    settings = dict(level=level, memory=memory, threads=threads, index=index, force=force)
    with _progress.following(progress) as report:
        paths = _paths(source)
        if paths is not None:
            made = _zgram.compress_paths(paths, output, settings, jsonl, report)
            return Summary(**made)
        if jsonl is not None:
            raise InvalidRequest("jsonl goes with files; for a table there is text=")
        if isinstance(source, Mapping):
            for part, texts in source.items():
                if hasattr(texts, "features"):  # the parts of a Hugging Face dataset
                    raise InvalidRequest(f"compress one part of the dataset, such as dataset[{part!r}]")
                break
            return Summary(**_zgram.compress_pairs(source.items(), output, settings, report))
        rows = _rows(source)
        first = next(rows, None)
        if not isinstance(first, Mapping):
            pairs = () if first is None else _chain(first, rows)
            return Summary(**_zgram.compress_pairs(pairs, output, settings, report))
        if name is not None:
            pairs = ((_named(_field(row, name)), _field(row, text)) for row in _chain(first, rows))
            return Summary(**_zgram.compress_pairs(pairs, output, settings, report))
        with tempfile.TemporaryDirectory(prefix=".zgram-", dir=_folder(output)) as folder:
            lines = os.path.join(folder, "rows.jsonl")
            write_rows(_chain(first, rows), lines, text)
            return Summary(**_zgram.compress_paths([lines], output, settings, text, report))


def _paths(source: Any) -> list[Any] | None:
    """The paths that a source names, if it does."""
    if isinstance(source, (str, bytes, os.PathLike)):
        return [source]
    if isinstance(source, (list, tuple)) and source:
        if all(isinstance(one, (str, os.PathLike)) for one in source):
            return list(source)
    return None


def _rows(source: Any) -> Iterator[Any]:
    """The rows of a table, or the elements of an iterable."""
    if hasattr(source, "with_format") and hasattr(source, "features"):  # a Hugging Face dataset
        return iter(source.with_format(None))
    if hasattr(source, "lazy") and hasattr(source, "collect"):  # a polars query
        source = source.collect()
    if hasattr(source, "iter_rows"):  # a polars frame
        return iter(source.iter_rows(named=True))
    if hasattr(source, "itertuples") and hasattr(source, "columns"):  # a pandas frame
        columns = [str(column) for column in source.columns]
        return (
            dict(zip(columns, row)) for row in source.itertuples(index=False, name=None)
        )
    if hasattr(source, "__arrow_c_stream__"):  # a table of pyarrow, DuckDB and others
        from pyarrow import RecordBatchReader

        batches = RecordBatchReader.from_stream(source)
        return (row for batch in batches for row in batch.to_pylist())
    if isinstance(source, Iterable):
        return iter(source)
    kind = type(source).__name__
    raise InvalidRequest(f"cannot compress a {kind}: give paths, pairs of name and text, or a table")


def _chain(first: Any, rest: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from rest


def _field(row: Mapping[str, Any], name: str) -> Any:
    if name not in row:
        known = ", ".join(map(repr, row))
        raise InvalidRequest(f"a row has no column {name!r}; it has {known}")
    return row[name]


def _named(value: Any) -> Any:
    """A name: numbers and dates become texts."""
    return value if isinstance(value, (str, bytes)) else str(value)


def _folder(output: str | os.PathLike[str]) -> str:
    return os.path.dirname(os.path.abspath(os.fspath(output)))
