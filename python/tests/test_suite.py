"""The shared suite in `tests/suite`, asked through the package. A case that it cannot express fails."""

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

import zgram as zg

ROOT = Path(__file__).parents[2]
#: Options of the suite's views that have another name or form in `zgram.View`.
VIEW = {
    "lower": lambda yes: {"case": "lower"} if yes else {},
    "fold": lambda yes: {"case": "fold"} if yes else {},
    "no-digits": lambda yes: {"digits": "drop"} if yes else {},
    "sklearn": lambda yes: {"sklearn": yes},
    "normalize": lambda form: {"normalize": form},
    "stem": lambda language: {"stem": language},
    "stop": lambda words: {"stop": words},
    "stop-language": lambda language: {"stop": language},
    "min-len": lambda length: {"min_len": length},
    "match": lambda pattern: {"match": pattern},
    "no-match": lambda pattern: {"no_match": pattern},
}
#: Options of its questions, and what they are called in the tasks' methods.
QUESTION = {
    "n": "n",
    "by": "by",
    "reverse": "reverse",
    "top": "top",
    "documents": "documents",
    "units": "by",
    "min-count": "min_count",
    "min-docs": "min_docs",
    "max-docs": "max_docs",
    "gaps": "gaps",
}
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted((ROOT / "tests/suite").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


def text(part: dict[str, Any]) -> bytes:
    if "parts" in part:
        return b"".join(map(text, part["parts"]))
    if "sample" in part:
        once = (ROOT / "samples/books" / part["sample"]).read_bytes()
    elif "bytes" in part:
        escape = rb"\\(\\|x(..))"
        plain = part["bytes"].encode()
        once = re.sub(escape, lambda found: bytes([int(found[2], 16)]) if found[2] else b"\\", plain)
    else:
        once = part["text"].encode()
    return once * int(part.get("repeat", 1))


def view(written: dict[str, Any]) -> zg.View:
    """The view of a question; an option that `View` does not have raises."""
    options: dict[str, Any] = {}
    for name, value in written.items():
        for option, meant in VIEW[name](value).items():
            assert option not in options, f"{name}: View has one option for two of the suite"
            options[option] = meant
    return zg.View(**options)


def call(question: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The method and the arguments that ask a question."""
    question = dict(question)
    method = question.pop("task").replace("-", "_")
    arguments: dict[str, Any] = {"view": view(question.pop("view", {}))}
    if method == "sequence_count":
        arguments["per_document"] = not question.pop("corpus", False)
    for name, value in question.items():
        arguments[QUESTION[name]] = value
    return method, arguments


def check(case: dict[str, Any], corpus: zg.Corpus) -> None:
    method, arguments = call(case["question"])
    if not corpus.documents and "documents" in arguments:
        pytest.fail("the suite chooses documents of an empty corpus")
    rows = [list(row) for row in getattr(corpus, method)(**arguments)]
    assert rows == case["rows"]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "case.zgram"
    zg.compress([(one["name"], text(one)) for one in case["documents"]], path)
    check(case, zg.open(path))


@pytest.mark.parametrize("case", CASES)
def test_case_in_shards(case: dict[str, Any], tmp_path: Path) -> None:
    documents = [(one["name"], text(one)) for one in case["documents"]]
    random = Random(case["name"])
    for parts in (2, 3):
        folder = tmp_path / f"{parts} shards"
        folder.mkdir()
        cuts = sorted(random.randint(0, len(documents)) for _ in range(parts - 1))
        ends = [*cuts, len(documents)]
        for number, (start, end) in enumerate(zip([0, *cuts], ends, strict=True)):
            zg.compress(documents[start:end], folder / f"{number}.zgram")
        check(case, zg.open(folder))


def test_there_are_cases() -> None:
    assert len(CASES) > 100
