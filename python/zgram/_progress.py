"""Progress of long work, as a bar or through a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[str, int, int], object]


@contextmanager
def following(progress: bool | Report) -> Iterator[Report | None]:
    """What to call with the stage, what is done and what is expected; `None` to call nothing."""
    if callable(progress):
        yield progress
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bars: dict[str, Any] = {}

    def show(stage: str, done: int, total: int) -> None:
        bar = bars.get(stage)
        if bar is None:
            bar = bars[stage] = tqdm(desc=stage, unit="B", unit_scale=True, leave=False)
        if total and bar.total != total:
            bar.reset(total)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        for bar in bars.values():
            bar.close()
