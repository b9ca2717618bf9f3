"""Small tables that are in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

R = TypeVar("R", bound=tuple[Any, ...])

#: Rows that a notebook shows.
_SHOWN = 20


class Rows(Generic[R]):
    """A small table: a sequence of named tuples, which are columns as well.

    >>> near = corpus.collocates("cat", window=2)
    >>> near[0]
    Collocate(word='The', score=14.263034405833794, cooccurrences=3, count=3)
    >>> near["word"]
    ['The', 'sat', 'ran']
    >>> near.to_dicts()[1]["count"]
    2
    """

    __slots__ = ("_columns", "_row")

    def __init__(self, row: Callable[..., R], columns: Mapping[str, Any]) -> None:
        self._row = row
        self._columns = dict(columns)

    @property
    def columns(self) -> dict[str, list[str] | NDArray[Any]]:
        """The columns by name: lists of texts, arrays of numbers."""
        return self._columns

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __iter__(self) -> Iterator[R]:
        lists = [_listed(column) for column in self.columns.values()]
        return (self._row(*cells) for cells in zip(*lists, strict=True))

    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> Rows[R]: ...
    @overload
    def __getitem__(self, key: int) -> R: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return self.columns[key]
        if isinstance(key, slice):
            return Rows(self._row, {name: column[key] for name, column in self.columns.items()})
        cells = (column[key] for column in self.columns.values())
        return self._row(*(cell.item() if isinstance(cell, np.generic) else cell for cell in cells))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        names = list(self.columns)
        return [dict(zip(names, row, strict=True)) for row in self]

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """The columns as arrays; those of texts have objects."""
        return {
            name: np.array(column, dtype=object) if isinstance(column, list) else column
            for name, column in self.columns.items()
        }

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame({name: _clean(column) for name, column in self.columns.items()})

    def to_polars(self) -> Any:
        """The table as a `polars.DataFrame`."""
        import polars

        types = {name: polars.String for name, column in self.columns.items() if isinstance(column, list)}
        columns = {name: _clean(column) for name, column in self.columns.items()}
        return polars.DataFrame(columns, schema_overrides=types)

    def to_arrow(self) -> Any:
        """The table as a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.table(
            {
                name: pyarrow.array(_clean(column), pyarrow.string() if isinstance(column, list) else None)
                for name, column in self.columns.items()
            }
        )

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        texts = [[name, *map(_shown, column[:_SHOWN])] for name, column in self.columns.items()]
        widths = [max(map(len, column)) for column in texts]
        isnumber = [not isinstance(column, list) for column in self.columns.values()]
        lines = [
            "  ".join(
                f"{cell:>{width}}" if number else f"{cell:<{width}}"
                for cell, width, number in zip(cells, widths, isnumber, strict=True)
            ).rstrip()
            for cells in zip(*texts, strict=True)
        ]
        return "\n".join([*lines, *self._more()])

    def _repr_html_(self) -> str:
        columns = self.columns
        bar = next((name for name, column in columns.items() if not isinstance(column, list)), None)
        largest: float = max(map(abs, _listed(columns[bar][:_SHOWN])), default=0) if bar else 0
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = []
        for row in self[:_SHOWN]:
            cells = []
            for name, cell in zip(columns, row, strict=True):
                style = "left" if isinstance(cell, str) else "right"
                if name == bar and largest:
                    width = round(100 * abs(cell) / largest)
                    # A translucent colour is seen on light and dark pages.
                    style += f";background:linear-gradient(90deg,#4c78a855 {width}%,transparent {width}%)"
                cells.append(f"<td style='text-align:{style}'>{escape(_shown(cell))}</td>")
            rows.append(f"<tr>{''.join(cells)}</tr>")
        more = "".join(f"<caption>{line}</caption>" for line in self._more())
        return f"<table>{more}<tr>{head}</tr>{''.join(rows)}</table>"

    def _more(self) -> list[str]:
        left = len(self) - _SHOWN
        return [f"... {left:,} more rows"] if left > 0 else []


def _listed(column: Sequence[Any] | NDArray[Any]) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _clean(column: Any) -> Any:
    """Texts without the lone surrogates that stand for other bytes, which no other library takes."""
    if not isinstance(column, list):
        return column
    return [
        text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        for text in column
    ]


def _shown(cell: Any) -> str:
    if isinstance(cell, (float, np.floating)):
        return f"{cell:,.4g}" if abs(cell) < 1e4 else f"{cell:,.0f}"
    return f"{cell:,}" if isinstance(cell, (int, np.integer)) else str(cell)
