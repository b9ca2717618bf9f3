"""What a corpus is asked about: documents, a view of words, and how much to use for the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from . import _progress, _zgram
from ._documents import Document, Documents
from ._errors import InvalidRequest
from ._view import View, check_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._corpus import Corpus

#: Documents: a selection, a document, names or glob patterns, numbers.
Selection = Documents | Document | str | int | Iterable[Any]


class Selecting(_zgram.NativeCorpus):
    """The part of a corpus that chooses documents."""

    @property
    def path(self) -> str | None:
        """The path that it was opened from; `None` for a corpus in memory."""
        path = self.path_or_none
        return None if path is None else os.fspath(path)

    @property
    def documents(self) -> Documents:
        """All documents."""
        return Documents(cast("Corpus", self))

    def decompress(
        self,
        folder: str | os.PathLike[str],
        documents: Selection | None = None,
        *,
        force: bool = False,
        threads: int = 0,
        progress: bool | Callable[[str, int, int], object] = False,
    ) -> int:
        """Writes documents as files below a folder, under their names, and returns how many files.

        All documents together restore JSON Lines files byte for byte; a document that was chosen becomes a
        file with its text.

        >>> corpus.decompress(folder / "texts", "notes/*")
        1
        >>> (folder / "texts" / "notes" / "one.txt").read_text()
        'a note\\n'
        """
        positions = self._positions(documents)
        with _progress.following(progress) as report:
            return _zgram.decompress(self, folder, positions, force, threads, report)[1]

    def _positions(self, documents: Selection | None) -> list[int] | None:
        if documents is None:
            return None
        if isinstance(documents, Document):
            documents = documents.corpus.documents[[documents.position]]
        if not isinstance(documents, Documents):
            chosen = self.documents[documents]
            documents = chosen if isinstance(chosen, Documents) else self.documents[[chosen.position]]
        if documents.corpus is not self and documents.corpus.path != self.path:
            raise InvalidRequest("the documents are of another corpus")
        positions: list[int] = documents.positions.tolist()
        return positions

    def _asked(
        self,
        view: View | None,
        documents: Selection | None,
        threads: int = 0,
        memory: int | None = None,
    ) -> dict[str, Any]:
        """What every question has, as the native part takes it."""
        check_view(view)
        chosen = self._positions(documents)
        if chosen is not None and len(set(chosen)) != len(chosen):
            raise InvalidRequest("a document is chosen twice")
        return dict(view=view, documents=chosen, threads=threads, memory=memory)


def places_of(chosen: list[int] | None) -> NDArray[np.intp] | None:
    """Answers come in the order of the corpus. These are their places in the order of the choice; `None` if
    that is the same."""
    if chosen is None or chosen == sorted(chosen):
        return None
    return np.argsort(np.argsort(np.array(chosen)))
