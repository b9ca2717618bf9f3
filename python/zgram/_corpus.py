"""An open corpus."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _progress, _zgram
from ._documents import Document, Documents
from ._edit import Compaction, Edit
from ._errors import InvalidRequest
from ._matches import Concordance, Line, Matches
from ._models import Models
from ._selecting import Selection
from ._tasks import Tasks
from ._view import View, check_view
from ._words import Words

@dataclass(frozen=True)
class Facts:
    """Sizes of a corpus."""

    documents: int
    text_bytes: int
    compressed_bytes: int
    words: int
    tokens: int
    distinct_words: int
    rules: int
    symbols: int
    segments: int
    pending_edits: int
    level: str


class Corpus(Models, Tasks):
    """A compressed corpus, as it was when it was opened, pending edits included. `zgram.open` makes it.

    >>> corpus.count("cat")
    2
    >>> corpus.facts.documents
    3
    """

    def __new__(cls, source: Any) -> Corpus:
        corpus = super().__new__(cls, source)
        # For pickling a corpus without a path of its own.
        if isinstance(source, (list, tuple)):
            corpus._source = [
                shard if isinstance(shard, bytes) else os.path.abspath(shard) for shard in source
            ]
        else:
            corpus._source = source if isinstance(source, bytes) else None
        return corpus

    _source: bytes | list[Any] | None

    # What is there

    @property
    def facts(self) -> Facts:
        """Its sizes."""
        return Facts(**self.facts_dict())

    def __getitem__(self, key: Any) -> Any:
        """A document by name or number, or several by glob pattern, slice, mask or list."""
        # The common case does not make a list of all documents.
        if isinstance(key, (str, bytes)) and len(positions := self.find_namesakes(key)) == 1:
            return Document(self, positions[0])
        return self.documents[key]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, (str, bytes)) and self.find_document(name) is not None

    def __len__(self) -> int:
        return self.document_count()

    # Phrases

    @overload
    def count(  # type: ignore[overload-overlap]  # a str is an iterable of str too
        self, phrase: str | bytes, documents: Selection | None = None, view: View | None = None
    ) -> int: ...
    @overload
    def count(
        self, phrase: Iterable[str], documents: Selection | None = None, view: View | None = None
    ) -> NDArray[np.int64]: ...
    def count(
        self,
        phrase: str | bytes | Iterable[str],
        documents: Selection | None = None,
        view: View | None = None,
    ) -> int | NDArray[np.int64]:
        """How often a phrase occurs; for a list of phrases, an array of counts.

        A phrase is one word or several; what stands between the words does not matter. A view makes
        words equal: `View(case="fold")` ignores case.

        >>> corpus.count("the cat"), corpus.count("the cat", view=View(case="fold"))
        (0, 2)
        >>> corpus.count(["cat", "dog", "fox"])
        array([2, 1, 0])
        """
        check_view(view)
        if documents is not None:
            documents = self._positions(documents)
        counted: int | NDArray[np.int64] = _zgram.count_phrases(self, phrase, documents, view)
        return counted

    def find(
        self,
        phrase: str | bytes,
        documents: Selection | None = None,
        view: View | None = None,
        limit: int | None = None,
    ) -> Matches:
        """Where a phrase occurs: documents, offsets and lengths in bytes.

        >>> corpus.find("cat").offsets
        array([ 4, 17], dtype=uint64)
        """
        check_view(view)
        places = self.find_phrase(phrase, self._positions(documents), view, limit)
        return Matches(self, *places)

    def kwic(
        self,
        phrase: str | bytes,
        width: int = 6,
        documents: Selection | None = None,
        view: View | None = None,
        limit: int | None = 100,
    ) -> Concordance:
        """Matches with `width` words on each side, one line each.

        >>> corpus.kwic("sat")
        The cat  sat  . The cat ran.
        The dog  sat  .
        """
        check_view(view)
        places = self.find_in_context(phrase, width, self._positions(documents), view, limit)
        names: dict[int, str] = {}
        lines = Concordance()
        for position, offset, before, match, after in places:
            if position not in names:
                names[position] = self.document_name(position)
            lines.append(Line(names[position], offset, before, match, after))
        return lines

    # Counts

    def words(self, view: View | None = None, documents: Selection | None = None) -> Words:
        """The words of each document, in order, as an iterable of lists."""
        positions = self._positions(documents)
        chosen = None if positions is None else np.array(positions, dtype=np.intp)
        return Words(Documents(self, chosen), view)

    # Edits

    def edit(self) -> Edit:
        """A block of edits: `with corpus.edit() as edit: edit.append("a.txt", "more")`."""
        return Edit(self)

    def compact(
        self, progress: bool | Callable[[str, int, int], object] = False
    ) -> Compaction:
        """Writes pending edits into the corpus file."""
        if self.is_closed:
            raise InvalidRequest("the corpus is closed")
        with _progress.following(progress) as report:
            return Compaction(**_zgram.compact(self, report))

    def verify(self, progress: bool | Callable[[str, int, int], object] = False) -> None:
        """Checks the whole file; raises `DamagedFile` if anything is wrong."""
        with _progress.following(progress) as report:
            self.verify_file(report)

    # The object

    def __enter__(self) -> Corpus:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.is_closed:
            return "<zgram.Corpus, closed>"
        if isinstance(self._source, list):
            return f"<zgram.Corpus in {len(self._source)} files, {len(self):,} documents>"
        where = self.path or "in memory"
        return f"<zgram.Corpus {where!r}, {len(self):,} documents>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.path is not None:
            return Corpus, (os.path.abspath(self.path),)
        if self._source is not None:
            return Corpus, (self._source,)
        raise InvalidRequest("a corpus that was opened from a file object cannot be pickled")


def open(source: Any) -> Corpus:
    """Opens a corpus: a path, the bytes of a file, or a file object with `seek` and `read`.

    A folder is one corpus in several files: all its `.zgram` files, in the order of their names. So is a
    list of paths, or of the bytes of files, in its own order. Every question gets the answer that a
    single file of all these documents would give.

    The corpus is as it is now, pending edits included.

    >>> with zg.open(path) as corpus:
    ...     len(corpus)
    3
    """
    return Corpus(source)
