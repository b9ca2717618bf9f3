"""The pages are true: code blocks of docs/python.md run in order, and the README's three lines run too."""

import doctest
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import zgram as zg

ROOT = Path(__file__).parents[2]


def blocks(page: Path) -> list[tuple[int, str]]:
    """The Python blocks of a page, with the lines that they begin at."""
    text = page.read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [(text.count("\n", 0, block.start(1)) + 1, block[1]) for block in found]


@pytest.mark.parametrize("page", ["docs/python.md", "docs/python-models.md", "python/README.md", "README.md"])
def test_blocks_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("books", "samples/books"):
        shutil.copytree(ROOT / "samples/books", tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    found = blocks(ROOT / page)
    assert found
    # The page of models goes on with the corpus of the page before.
    zg.compress("books", "open.zgram")
    names: dict[str, Any] = {"zg": zg, "corpus": zg.open("open.zgram")} if "models" in page else {}
    for line, block in found:
        if ">>>" not in block:
            exec(compile("\n" * (line - 1) + block, str(ROOT / page), "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(block, names, page, page, line - 1)
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(example, out=report.append, clear_globs=False)
        names = example.globs
        assert runner.failures == 0, "".join(report)
    assert not os.path.samefile(os.getcwd(), ROOT)
