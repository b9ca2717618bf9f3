"""Small tables that are in memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import numpy as np

from ._table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

R = TypeVar("R", bound=tuple[Any, ...])


class Rows(Generic[R]):
    """A small table in memory: a sequence of named tuples, which are columns as well.

    >>> near = corpus.collocates("cat", window=2)
    >>> near[0]
    Collocate(word='The', score=14.263034405833794, cooccurrences=3, count=3)
    >>> near["word"]
    ['The', 'sat', 'ran']
    >>> near.to_polars().shape
    (3, 4)

    Like a `Table`, it goes to other libraries and to files.
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

    def to_table(self) -> Table:
        """The rows as a `Table`."""
        return Table("columns_table", (self.columns,))

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as dicts."""
        return self.to_table().to_dicts()

    def to_numpy(self) -> dict[str, NDArray[Any]]:
        """The columns as arrays; those of texts have `str` objects."""
        return self.to_table().to_numpy()

    def to_arrow(self) -> Any:
        """The rows as a `pyarrow.Table`."""
        return self.to_table().to_arrow()

    def to_polars(self) -> Any:
        """The rows as a `polars.DataFrame`."""
        return self.to_table().to_polars()

    def to_pandas(self) -> Any:
        """The rows as a `pandas.DataFrame`."""
        return self.to_table().to_pandas()

    def write(
        self, path: str | os.PathLike[str], format: str | None = None, *, force: bool = False
    ) -> int:
        """Writes the rows to a file, as `Table.write` does."""
        return self.to_table().write(path, format, force=force)

    def __arrow_c_schema__(self) -> object:
        return self.to_table().__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_table().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return repr(self.to_table())

    def _repr_html_(self) -> str:
        return self.to_table()._repr_html_()


def _listed(column: Sequence[Any] | NDArray[Any]) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)
