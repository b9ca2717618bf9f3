"""Rows of tables as lines of JSON, and lines as rows."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import _zgram
from ._errors import Error, InvalidRequest

if TYPE_CHECKING:
    from ._selecting import Selecting


def write_rows(rows: Iterable[Mapping[str, Any]], path: str, text: str) -> None:
    """Writes rows whose column `text` is a text."""
    with open(path, "wb") as file:
        for number, row in enumerate(rows, 1):
            file.write(_line(dict(row), number, text))


def _line(row: dict[str, Any], number: int, text: str) -> bytes:
    if text not in row:
        known = ", ".join(map(repr, row))
        raise InvalidRequest(f"row {number} has no column {text!r}; it has {known}")
    if isinstance(row[text], bytes):
        row[text] = row[text].decode("utf-8", "surrogateescape")
    if not isinstance(row[text], str):
        kind = type(row[text]).__name__
        raise InvalidRequest(f"the column {text!r} of row {number} is no text but of the type {kind}")
    try:
        try:
            line = json.dumps(row, ensure_ascii=False, default=_plain, allow_nan=False)
        except ValueError:  # JSON has no number for what is missing
            line = json.dumps(_without_nan(row), ensure_ascii=False, default=_plain)
        return line.encode() + b"\n"
    except UnicodeEncodeError as error:
        raise InvalidRequest(f"row {number} has a text that is not Unicode: {error.reason}") from None
    except TypeError as error:
        raise InvalidRequest(f"row {number} cannot be stored: {error}") from None


def _plain(value: Any) -> Any:
    """What JSON can express of a value that it does not know."""
    if hasattr(value, "isoformat"):
        shown = value.isoformat()
        return None if shown == "NaT" else shown
    if hasattr(value, "tolist"):  # numpy
        return value.tolist()
    if isinstance(value, (bytes, bytearray)):
        raise TypeError("bytes are no JSON")
    shown = str(value)
    return None if shown == "<NA>" else shown


def _without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _without_nan(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(one) for one in value]
    if hasattr(value, "tolist"):
        return _without_nan(value.tolist())
    return value


def read_rows(corpus: Selecting) -> Iterator[dict[str, Any]]:
    """The rows that the documents of a corpus are lines of, in order, with all their fields."""
    with tempfile.TemporaryDirectory(prefix="zgram-") as folder:
        _zgram.decompress(corpus, folder)
        read, files = 0, dict.fromkeys(name.rpartition(":")[0] for name in corpus.documents.names)
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                for line in file:
                    if line.strip():
                        read += 1
                        yield json.loads(line)
        if read != corpus.document_count():
            raise Error(f"{read:,} lines were restored of {corpus.document_count():,}")
