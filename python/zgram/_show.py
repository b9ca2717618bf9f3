"""Tables as text and as HTML."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from html import escape
from typing import Any

_WIDTH = 80
_GAP = "  "
#: The least width that a column of text is narrowed to.
_LEAST = 8

Columns = list[tuple[str, str]]
Rows = list[tuple[Any, ...]]


def text(columns: Columns, rows: Rows, about: str) -> str:
    """Aligned columns of at most 80 characters a line."""
    names = [name for name, _ in columns]
    is_number = [kind in ("count", "score") for _, kind in columns]
    lines = [names, *([_cell(value) for value in row] for row in rows)]
    widths = _fit([max(map(_width, column)) for column in zip(*lines, strict=True)], is_number)
    shown = []
    for line in lines:
        cells = [
            _padded(_cut(cell, width), width, right)
            for cell, width, right in zip(line, widths, is_number, strict=True)
        ]
        shown.append(_GAP.join(cells).rstrip())
    return "\n".join([*shown, about])


def html(columns: Columns, rows: Rows, about: str) -> str:
    """An HTML table. The first column of numbers has bars."""
    is_number = [kind in ("count", "score") for _, kind in columns]
    charted = is_number.index(True) if True in is_number else None
    numbers = [row[charted] for row in rows] if charted is not None else []
    # Measures can be negative, infinite, or no number.
    most = max((abs(number) for number in numbers if abs(number) < float("inf")), default=0) or 1
    head, body = [], []
    for at, (name, _) in enumerate(columns):
        head.append(f"<th style='{_style(is_number[at])};font-weight:600'>{escape(name)}</th>")
        if at == charted:
            head.append("<th></th>")
    for row in rows:
        cells = []
        for at, value in enumerate(row):
            cells.append(f"<td style='{_style(is_number[at])}'>{escape(_cell(value))}</td>")
            if at == charted:
                share = abs(value) / most if abs(value) < float("inf") else 0
                cells.append(_bar(share, value < 0))
        body.append(f"<tr style='background:none'>{''.join(cells)}</tr>")
    return (
        "<div><table style='border-collapse:collapse;border:none;font-variant-numeric:tabular-nums'>"
        f"<thead><tr style='border-bottom:1px solid;background:none'>{''.join(head)}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table>"
        f"<div style='opacity:.65;font-size:90%;margin-top:.3em'>{escape(about)}</div></div>"
    )


def failure(error: Exception) -> str:
    """Why there are no rows, as HTML."""
    return f"<i>a table that cannot be read: {escape(str(error))}</i>"


def _style(is_number: bool) -> str:
    # A notebook's own colours show through, light or dark.
    wrap = "white-space:nowrap" if is_number else "white-space:pre-wrap"
    return f"text-align:{'right' if is_number else 'left'};padding:.15em .6em;border:none;{wrap}"


def _bar(share: float, is_negative: bool) -> str:
    colour = "#d9822b" if is_negative else "#4f8fdc"
    return (
        "<td style='padding:.15em .6em;border:none;width:8em;text-align:left'>"
        f"<div style='height:.75em;width:{max(share * 8, 0.1):.2f}em;background:{colour};"
        "border-radius:2px'></div></td>"
    )


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.1f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(_visible, value))
    return _visible(str(value))


def _visible(text: str) -> str:
    """Text on one line: control characters and invisible ones are escaped."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(map(_width_of, text))


def _width_of(letter: str) -> int:
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _fit(widths: list[int], is_number: Iterable[bool]) -> list[int]:
    """Narrows the widest columns of text until a line fits. Numbers stay whole."""
    texts = [at for at, number in enumerate(is_number) if not number]
    while sum(widths) + len(_GAP) * (len(widths) - 1) > _WIDTH:
        widest = max(texts, key=lambda at: widths[at], default=None)
        if widest is None or widths[widest] <= _LEAST:
            break
        widths[widest] -= 1
    return widths


def _cut(text: str, width: int) -> str:
    """Cuts the middle out of text that is too wide."""
    if _width(text) <= width:
        return text
    end, right = "", (width - 1) // 2
    for letter in reversed(text):
        if _width(letter + end) > right:
            break
        end = letter + end
    start, left = "", width - 1 - _width(end)
    for letter in text:
        if _width(start + letter) > left:
            break
        start += letter
    return f"{start}…{end}"


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space
