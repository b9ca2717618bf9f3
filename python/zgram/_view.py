"""How words are read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class View:
    """How words are read: case, stems, filters. A view changes no file, only what is counted as one word.

    The steps are applied in this order: normal form and case, then filters, then stems.

    >>> corpus.term_matrix(View(case="lower", stop="english")).terms
    ['cat', 'dog', 'note', 'sat']

    Parameters
    ----------
    case : "keep", "lower" or "fold"
        "fold" compares without regard to case: "ß" becomes "ss".
    normalize : "nfc", "nfd", "nfkc" or "nfkd"
        A Unicode normal form.
    stem : str
        A language, such as "english": words are reduced to their stems.
    stop : str or iterable of str
        A language, or words, to leave out.
    match, no_match : str
        Regular expressions, in the syntax of Rust's regex crate: words to count, words to leave out.
    min_len : int
        The fewest characters of a word.
    digits : "keep", "drop" or "only"
        Words that contain a digit.
    sklearn : bool
        Words exactly as scikit-learn's `CountVectorizer` finds them by default. It implies lower case.
    """

    case: Literal["keep", "lower", "fold"] = "keep"
    normalize: Literal["nfc", "nfd", "nfkc", "nfkd"] | None = None
    stem: str | None = None
    stop: str | Iterable[str] = ()
    match: str | None = None
    no_match: str | None = None
    min_len: int = 0
    digits: Literal["keep", "drop", "only"] = "keep"
    sklearn: bool = False
    _stop_words: frozenset[str] = field(init=False, repr=False, compare=False)
    _stop_language: str | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        is_language = isinstance(self.stop, str)
        words = frozenset() if is_language else frozenset(self.stop)
        if not is_language:
            object.__setattr__(self, "stop", words)
        object.__setattr__(self, "_stop_words", words)
        object.__setattr__(self, "_stop_language", self.stop if is_language else None)


def check_view(view: object) -> None:
    """Refuses what is no view, such as the name of a case."""
    if view is not None and not isinstance(view, View):
        raise TypeError(f"a view is a zgram.View, not {type(view).__name__}")
