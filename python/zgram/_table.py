"""Tables: questions whose answers are read as rows, as Arrow data, or into data frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _progress, _show, _zgram
from ._errors import Error, InvalidRequest

if TYPE_CHECKING:
    from numpy.typing import NDArray

Result = TypeVar("Result")

#: The formats of files, by the ends of their names.
_FORMATS = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".arrows": "arrows",
    ".csv": "csv",
    ".tsv": "tsv",
    ".ndjson": "ndjson",
    ".jsonl": "ndjson",
    ".json": "json",
}
_EMPTY = {"count": np.dtype(np.int64), "score": np.dtype(np.float64)}


class Table:
    """A question and its columns. It keeps no rows: each reader runs the question again, on the corpus as
    it is then, edits included.

    >>> table = corpus.word_count(top=3)
    >>> table
    word  count
    The       3
    cat       2
    sat       2
    3 rows
    >>> list(table)
    [('The', 3), ('cat', 2), ('sat', 2)]

    Libraries that know the Arrow PyCapsule interface read a table as it is: `polars.DataFrame(table)`,
    `pyarrow.table(table)`, `pandas.DataFrame.from_arrow(table)`, and DuckDB by its name in a query. Rows
    come while they are counted, a few thousand at a time, so an answer that is larger than memory can be
    read too. Reading stops when the reader stops.

    Text is Unicode: bytes of documents' names that are not are written as `\\\\xHH`. Counts are signed
    64-bit numbers. If a file turns out to be damaged midway, the methods here raise `DamagedFile`; other
    libraries raise an exception of their own, with the same message.
    """

    __slots__ = ("_arguments", "_limit", "_maker", "_native", "_progress")

    def __init__(
        self,
        maker: str,
        arguments: tuple[Any, ...],
        progress: bool | _progress.Report = False,
        limit: int | None = None,
    ) -> None:
        self._maker = maker
        self._arguments = arguments
        self._progress = progress
        self._limit = limit
        native: _zgram.NativeTable = getattr(_zgram, maker)(*arguments)
        self._native = native if limit is None else native.head(limit)

    # What it has

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        >>> corpus.term_vector().columns
        ['word', 'count', 'document']
        """
        return [name for name, _ in self._native.columns()]

    @property
    def schema(self) -> dict[str, str]:
        """The columns and their Arrow types.

        >>> corpus.term_vector().schema
        {'word': 'string', 'count': 'int64', 'document': 'string'}
        """
        return dict(self._native.schema())

    def __len__(self) -> int:
        """The number of rows. It is known once the table has been read to its end.

        >>> table = corpus.word_count()
        >>> table.to_numpy()["count"].sum()
        np.int64(11)
        >>> len(table)
        7
        """
        rows = self._native.known_rows()
        if rows is None:
            raise TypeError("the number of rows is known once the table has been read to its end")
        return rows

    def __bool__(self) -> bool:
        """Whether there is a row."""
        rows = self._native.known_rows()
        return next(iter(self), None) is not None if rows is None else rows > 0

    def head(self, n: int = 5) -> Table:
        """The first `n` rows. What follows them is not counted, if rows come in the order of the text.

        >>> list(corpus.term_vector().head(2))
        [('The', 2, 'cat.txt'), ('cat', 2, 'cat.txt')]
        """
        if n < 0:
            raise InvalidRequest("a table has no negative number of rows")
        limit = n if self._limit is None else min(n, self._limit)
        return Table(self._maker, self._arguments, self._progress, limit)

    # Reading it

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for columns in self._batches():
            yield from zip(*map(_as_list, columns), strict=True)

    def to_dicts(self) -> list[dict[str, Any]]:
        """All rows as dictionaries.

        >>> corpus.word_count(top=1).to_dicts()
        [{'word': 'The', 'count': 3}]
        """
        names = self.columns
        return [dict(zip(names, row, strict=True)) for row in self]

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """Each column as an array; text as an array of `str` objects.

        >>> corpus.word_count(top=2).to_numpy()
        {'word': array(['The', 'cat'], dtype=object), 'count': array([3, 2])}
        """
        batches = list(self._batches())
        arrays = {}
        for at, (name, kind) in enumerate(self._native.columns()):
            parts = [columns[at] for columns in batches]
            if kind in _EMPTY:
                arrays[name] = np.concatenate(parts) if parts else np.empty(0, _EMPTY[kind])
            else:
                count = sum(map(len, parts))
                values = (value for part in parts for value in part)
                arrays[name] = np.fromiter(values, dtype=object, count=count)
        return arrays

    def to_arrow(self) -> Any:
        """A `pyarrow.Table`."""
        import pyarrow

        return self._consume(pyarrow.table)

    def to_polars(self) -> Any:
        """A `polars.DataFrame`. It has the memory that the rows were counted into: nothing is copied."""
        import polars

        # Views are what polars itself has; dictionaries become categories.
        is_coded = any("dictionary" in kind for kind in self.schema.values())
        return self._consume(polars.DataFrame, None if is_coded else "view")

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`."""
        import pandas

        try:
            import pyarrow
        except ImportError:
            return pandas.DataFrame(self.to_numpy())
        if hasattr(pandas.DataFrame, "from_arrow"):
            return self._consume(pandas.DataFrame.from_arrow)
        return self._consume(pyarrow.table).to_pandas()

    def write(
        self, path: str | os.PathLike[str], format: str | None = None, *, force: bool = False
    ) -> int:
        """Writes the rows to a file, and returns their number. The file gets its name when it is complete.

        No other library is needed. The end of the name tells the format: `.parquet`, `.arrow` or
        `.feather` (Arrow's file), `.arrows` (its stream), `.csv` and `.tsv` (both with the columns' names
        first, and quotes where fields need them), `.ndjson` or `.jsonl`, `.json` (one array).
        `force` replaces a file that exists.

        >>> corpus.word_count(top=2).write(folder / "words.csv")
        2
        >>> print((folder / "words.csv").read_text(), end="")
        word,count
        The,3
        cat,2
        """
        if format is None:
            end = os.path.splitext(os.fspath(path))[1].lower()
            if end not in _FORMATS:
                known = ", ".join(_FORMATS)
                raise InvalidRequest(f"the name of a table's file ends in one of {known}, or give format=")
            format = _FORMATS[end]
        if format in ("csv", "tsv") and "list" in dict(self._native.columns()).values():
            raise InvalidRequest(f"{format} has no lists: write JSON, Parquet or Arrow")
        with _progress.following(self._progress) as report:
            return self._native.write(path, format, force, report)

    # Other libraries

    def __arrow_c_schema__(self) -> object:
        return self._native.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.__arrow_c_stream__(requested_schema)

    # Showing it

    def __repr__(self) -> str:
        try:
            return _show.text(*self._first(10))
        except Error as error:
            return f"<zgram.Table that cannot be read: {error}>"

    def _repr_html_(self) -> str:
        try:
            return _show.html(*self._first(20))
        except Error as error:
            return _show.failure(error)

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self._maker, self._arguments, self._progress, self._limit)

    def _first(self, most: int) -> tuple[list[tuple[str, str]], list[tuple[Any, ...]], str]:
        """The columns, the first rows, and a line about how many there are."""
        rows = list(self.head(most + 1))
        if len(rows) <= most:
            about = f"{len(rows):,} row{'' if len(rows) == 1 else 's'}"
        else:
            known = self._native.known_rows()
            rows = rows[:most]
            about = f"the first {most} rows" if known is None else f"{most} of {known:,} rows"
        return self._native.columns(), rows, about

    def _batches(self) -> Iterator[list[Any]]:
        """Lists of strings and arrays of numbers, some thousand rows at a time."""
        with _progress.following(self._progress) as report:
            stream = self._native.stream("dictionary", report)
            while (columns := stream.next_columns()) is not None:
                yield columns

    def _consume(self, reader: Callable[[Any], Result], strings: str | None = None) -> Result:
        """Lets another library read the rows. What the stream failed for is raised, not what the library
        made of it."""
        with _progress.following(self._progress) as report:
            stream = self._native.stream(strings, report)
            try:
                return reader(stream)
            except Exception:
                failure = stream.failure()
                if failure is None:
                    raise
            raise failure


def _as_list(column: Any) -> list[Any]:
    values: list[Any] = column if isinstance(column, list) else column.tolist()
    return values
