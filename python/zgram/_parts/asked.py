"""Questions as options: names and values are those of the program `zgram`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .._errors import InvalidRequest
from .._view import View


def _yes(text: str) -> bool:
    known = {"true": True, "": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if text.lower() not in known:
        raise ValueError("true or false")
    return known[text.lower()]


def _number(text: str) -> int:
    number = int(text) if text.strip().isdigit() else -1
    if number < 0:
        raise ValueError("a whole number")
    return number


def _limit(text: str) -> float:
    """A number of documents, or a share of all documents if there is a point."""
    try:
        return float(text) if "." in text else _number(text)
    except ValueError:
        raise ValueError("a number such as 5, or a share such as 0.5") from None


def _lengths(text: str) -> tuple[int, int]:
    least, _, most = text.partition(":")
    try:
        return _number(least), _number(most or least)
    except ValueError:
        raise ValueError("a number, or two as in 1:2") from None


def listed(text: str) -> tuple[str, ...]:
    """A JSON list of texts, or one text."""
    if not text.lstrip().startswith("["):
        return (text,)
    try:
        values = json.loads(text)
    except json.JSONDecodeError:
        values = None
    # A pattern may begin with a bracket too.
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        return (text,)
    return tuple(values)


def _stop(text: str) -> str | tuple[str, ...]:
    """A language, or words."""
    if text.lstrip().startswith("["):
        return listed(text)
    return tuple(text.split(",")) if "," in text else text


def _columns(text: str) -> list[str]:
    return list(listed(text)) if text.lstrip().startswith("[") else text.split(",")


def _one_of(*choices: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError("one of " + ", ".join(choices))
        return text

    return parse


_VIEW: dict[str, Callable[[str], Any]] = {
    "lower": _yes,
    "fold": _yes,
    "normalize": _one_of("nfc", "nfd", "nfkc", "nfkd"),
    "stem": str,
    "stop": _stop,
    "min-len": _number,
    "match": str,
    "no-match": str,
    "no-digits": _yes,
    "only-digits": _yes,
    "sklearn": _yes,
}
_LIMITS: dict[str, Callable[[str], Any]] = {"min-count": _number, "min-docs": _limit, "max-docs": _limit}
_ROWS = _LIMITS | {"top": _number}
_NUMBERS: dict[str, Callable[[str], Any]] = {"columns": _columns}
_SEQUENCES: dict[str, Callable[[str], Any]] = {"n": _number, "gaps": _yes}
_TERMS = _LIMITS | {"n": _lengths, "binary": _yes, "max-features": _number}

#: The options of each task, besides those of views.
TASKS: dict[str, dict[str, Callable[[str], Any]]] = {
    "word-count": _ROWS | _NUMBERS,
    "sort": _ROWS
    | _NUMBERS
    | {"by": _one_of("word", "count"), "reverse": _yes, "collation": _one_of("bytes", "unicode")},
    "inverted-index": _ROWS,
    "term-vector": _ROWS,
    "sequence-count": _ROWS | _NUMBERS | _SEQUENCES | {"corpus": _yes},
    "ranked-inverted-index": _ROWS | _SEQUENCES,
    "documents": {"text": _yes},
    "matrix": _TERMS,
    "tf-idf": _TERMS
    | {
        "top": _number,
        "scheme": _one_of("paper", "sklearn", "gensim"),
        "sublinear": _yes,
        "no-smooth": _yes,
        "no-idf": _yes,
        "norm": _one_of("l1", "l2", "none"),
    },
    "cooccurrence": {
        "window": _number,
        "weighting": _one_of("inverse", "flat"),
        "left": _yes,
        "right": _yes,
        "boundary": _one_of("document", "line"),
    },
}

#: Other names of options and tasks.
_SAME = {"words": "n", "ngrams": "n", "tfidf": "tf-idf"}

#: Options that every task has.
_COMMON: dict[str, Callable[[str], Any]] = {
    "documents": listed,
    "threads": _number,
    "shard": _yes,
}


@dataclass(frozen=True)
class Asked:
    """A question to a corpus in shards."""

    task: str
    view: View | None = None
    #: Names and patterns; `None` for all documents.
    documents: tuple[str, ...] | None = None
    #: What was given of the task's own options.
    options: Mapping[str, Any] = field(default_factory=dict)
    #: 1 unless given: a cluster runs a task for each core.
    threads: int = 1
    #: Whether rows that name documents also name their shard.
    shard: bool = False
    #: Whether rows are those of a part, to be merged with those of other parts.
    is_partial: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether rows count all documents together."""
        whole = self.task in ("word-count", "sort", "cooccurrence")
        return whole or self.task == "sequence-count" and bool(self.get("corpus"))

    @property
    def item(self) -> str:
        """The name of the column that rows are about."""
        if self.task in ("sequence-count", "ranked-inverted-index"):
            return "sequence"
        return "term" if self.task in ("matrix", "tf-idf") else "word"

    @property
    def numbers(self) -> list[str]:
        """The numbers of rows that count all documents together."""
        return list(self.get("columns") or ["count"])

    @property
    def has_limits(self) -> bool:
        """Whether the other parts decide which words are kept."""
        names = ("min-count", "min-docs", "max-docs", "max-features")
        return any(self.get(name) for name in names)

    @property
    def is_of_parts(self) -> bool:
        """Whether the rows of the parts, one after another, are the answer."""
        top_of_documents = self.task in ("term-vector", "sequence-count")
        return (
            self.is_partial
            or not self.is_whole
            and not self.has_limits
            and self.task != "tf-idf"
            and (self.get("top") is None or top_of_documents)
        )

    def get(self, name: str, default: Any = None) -> Any:
        return self.options.get(name, default)

    def as_part(self) -> Asked:
        """The question whose rows, of all parts, make the answer to this one."""
        return replace(self, is_partial=True)


def asked(given: Mapping[str, str]) -> Asked:
    """The question that options describe. Those that it does not know are refused."""
    options = {_plain(name): value for name, value in given.items()}
    task = options.pop("task", "word-count")
    task = _plain(task)
    if task not in TASKS:
        raise InvalidRequest(f"there is no task {task!r}; tasks are {', '.join(TASKS)}")
    parsers = TASKS[task] | _COMMON | ({} if task == "documents" else _VIEW)
    values = {}
    for name, text in options.items():
        if name not in parsers:
            known = ", ".join(sorted(parsers))
            raise InvalidRequest(f"{task} has no option {name!r}; it has {known}")
        try:
            values[name] = parsers[name](str(text))
        except ValueError as error:
            raise InvalidRequest(f"option {name}: expected {error}, found {text!r}") from None
    common = {name: values.pop(name) for name in _COMMON if name in values}
    view = _view({name: values.pop(name) for name in _VIEW if name in values})
    made = Asked(task, view, options=values, **common)
    _check(made)
    return made


def of_values(task: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The options that values of Python mean: `n=2, lower=True, stop=["the", "a"]`."""
    return {name.replace("_", "-"): _text(value) for name, value in options.items()} | {"task": task}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and all(isinstance(one, int) for one in value):
        return ":".join(map(str, value))
    if isinstance(value, Iterable):
        return json.dumps(list(value))
    return str(value)


def _plain(name: str) -> str:
    name = name.lower().replace("_", "-")
    return _SAME.get(name, name)


def _view(values: dict[str, Any]) -> View | None:
    given: dict[str, Any] = {}
    pairs = (("lower", "fold"), ("no-digits", "only-digits"))
    for one, other in pairs:
        if values.get(one) and values.get(other):
            raise InvalidRequest(f"{one} and {other} exclude each other")
    if values.pop("lower", False):
        given["case"] = "lower"
    if values.pop("fold", False):
        given["case"] = "fold"
    if values.pop("no-digits", False):
        given["digits"] = "drop"
    if values.pop("only-digits", False):
        given["digits"] = "only"
    given |= {name.replace("-", "_"): value for name, value in values.items()}
    return View(**given) if given else None


def _check(made: Asked) -> None:
    unknown = set(made.numbers) - {"count", "documents", "per_million"}
    if unknown:
        raise InvalidRequest(f"columns are count, documents and per_million, not {min(unknown)!r}")
    if "columns" in made.options and not made.is_whole:
        raise InvalidRequest("columns goes with corpus=true")
    limits = [made.get(name) for name in ("min-docs", "max-docs")]
    for limit in limits:
        if isinstance(limit, float) and not 0 <= limit <= 1:
            raise InvalidRequest(f"a share of documents is from 0 to 1, not {limit}")
    if made.get("left") and made.get("right"):
        raise InvalidRequest("left and right exclude each other")
    if made.get("scheme") != "sklearn":
        for name in ("sublinear", "no-smooth", "no-idf", "norm"):
            if name in made.options:
                raise InvalidRequest(f"{name} goes with scheme=sklearn")
