"""The six tasks of a corpus, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

from ._table import Table
from ._view import check_view

if TYPE_CHECKING:
    from ._selecting import Selection
    from ._view import View

#: A number of a row: occurrences, documents that it occurs in, occurrences per million.
Number = Literal["count", "documents", "per_million"]


class Running(TypedDict, total=False):
    """How a question is run, and how text comes out."""

    #: Words and names as Arrow dictionaries: less memory, but not every library reads them.
    dictionary: bool
    #: The number of threads; 0 for one per core.
    threads: int
    #: About how many bytes to use for intermediate results.
    memory: int | None
    #: Leave out damaged segments, with a warning.
    keep_going: bool
    #: True shows a progress bar if tqdm is installed; a function is called with the stage, what is done
    #: and what is expected.
    progress: bool | Callable[[str, int, int], object]


_DEFAULTS: dict[str, Any] = dict(
    view=None,
    documents=None,
    top=None,
    min_count=0,
    min_docs=None,
    max_docs=None,
    units=None,
    columns=["count"],
    sort_by="word",
    collation="bytes",
    reverse=False,
    documents_only=False,
    n=3,
    gaps=False,
    per_document=False,
    dictionary=False,
    threads=0,
    memory=None,
    keep_going=False,
)


class Tasks:
    """The six tasks. All of them take these arguments:

    view
        How words are read.
    documents
        Which documents to count: a selection, a name, a glob pattern, numbers. Rows are in the order of
        the corpus, whatever the order of the choice.
    top
        Only the first rows: where rows name documents, the first of each document, word or sequence.
    min_count, min_docs, max_docs
        Leave out words or sequences that occur fewer times in all, or in fewer or more documents: a
        number, or a share as a `float`.
    dictionary, threads, memory, keep_going, progress
        As in `Running`.

    The answer is a `Table`, which counts when it is read.
    """

    def _positions(self, documents: Selection | None) -> list[int] | None:
        raise NotImplementedError

    def word_count(
        self,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        columns: Number | Iterable[Number] = "count",
        **running: Unpack[Running],
    ) -> Table:
        """Counts every word, the most frequent first.

        `columns` are the numbers of each row: "count", "documents", "per_million".

        >>> corpus.word_count(top=2, columns=["count", "documents", "per_million"])
        word  count  documents  per_million
        The       3          2    272,727.3
        cat       2          1    181,818.2
        2 rows
        """
        return self._table(
            "word_count",
            running,
            view=view,
            documents=documents,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
            columns=columns,
        )

    def sort(
        self,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        by: Literal["word", "count"] = "word",
        reverse: bool = False,
        collation: Literal["bytes", "unicode"] = "bytes",
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        columns: Number | Iterable[Number] = "count",
        **running: Unpack[Running],
    ) -> Table:
        """Lists all words in order, with their counts.

        `by="count"` lists the most frequent first. `collation="unicode"` is the order of dictionaries: a,
        A, ä, b.

        >>> list(corpus.sort(collation="unicode", top=3))
        [('a', 1), ('cat', 2), ('dog', 1)]
        """
        return self._table(
            "sort",
            running,
            view=view,
            documents=documents,
            sort_by=by,
            reverse=reverse,
            collation=collation,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
            columns=columns,
        )

    def inverted_index(
        self,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        documents_only: bool = False,
        by: str | None = None,
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        **running: Unpack[Running],
    ) -> Table:
        """Lists the documents of every word, with its count there. Words are in the order of their bytes.

        `documents_only` makes one row per word, with the list of its documents and no counts: that is
        less work where text repeats. `by="folder"` counts folders in place of documents, or a regular
        expression what its first group matches in names.

        >>> list(corpus.inverted_index(View(match="^sat$")))
        [('sat', 1, 'cat.txt'), ('sat', 1, 'dog.txt')]
        >>> list(corpus.inverted_index(View(match="^sat$"), documents_only=True))
        [('sat', ['cat.txt', 'dog.txt'])]
        """
        return self._table(
            "inverted_index",
            running,
            view=view,
            documents=documents,
            documents_only=documents_only,
            units=by,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
        )

    def term_vector(
        self,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        by: str | None = None,
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        **running: Unpack[Running],
    ) -> Table:
        """Counts the words of every document, the most frequent first.

        `by="folder"` counts folders in place of documents, or a regular expression what its first group
        matches in names.

        >>> list(corpus.term_vector(top=1))
        [('The', 2, 'cat.txt'), ('The', 1, 'dog.txt'), ('a', 1, 'notes/one.txt')]
        """
        return self._table(
            "term_vector",
            running,
            view=view,
            documents=documents,
            units=by,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
        )

    def sequence_count(
        self,
        n: int = 3,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        per_document: bool = False,
        gaps: bool = False,
        by: str | None = None,
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        columns: Number | Iterable[Number] = "count",
        **running: Unpack[Running],
    ) -> Table:
        """Counts sequences of `n` words, the most frequent first: of all documents together, or
        `per_document`.

        What is between the words does not matter. A word that the view leaves out ends a sequence, unless
        there may be `gaps`. No sequence crosses documents. `by` is for `per_document`, as in
        `term_vector`; `columns` for all documents together, as in `word_count`.

        >>> list(corpus.sequence_count(2, top=2))
        [('The cat', 2), ('The dog', 1)]
        >>> list(corpus.sequence_count(3, documents="dog.txt", per_document=True))
        [('The dog sat', 1, 'dog.txt')]
        """
        if by is not None and not per_document:
            from ._errors import InvalidRequest

            raise InvalidRequest("by= goes with per_document=True")
        return self._table(
            "sequence_count",
            running,
            n=n,
            view=view,
            documents=documents,
            per_document=per_document,
            gaps=gaps,
            units=by,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
            columns=columns,
        )

    def ranked_inverted_index(
        self,
        n: int = 3,
        view: View | None = None,
        documents: Selection | None = None,
        *,
        gaps: bool = False,
        by: str | None = None,
        top: int | None = None,
        min_count: int = 0,
        min_docs: float | None = None,
        max_docs: float | None = None,
        **running: Unpack[Running],
    ) -> Table:
        """Lists the documents of every sequence of `n` words, the one with the most occurrences first.

        >>> list(corpus.ranked_inverted_index(2, top=1))[:2]
        [('The cat', 2, 'cat.txt'), ('The dog', 1, 'dog.txt')]
        """
        return self._table(
            "ranked_inverted_index",
            running,
            n=n,
            view=view,
            documents=documents,
            gaps=gaps,
            units=by,
            top=top,
            min_count=min_count,
            min_docs=min_docs,
            max_docs=max_docs,
        )

    def _table(self, task: str, running: Running, **question: Any) -> Table:
        unknown = running.keys() - Running.__annotations__.keys()
        if unknown:
            raise TypeError(f"{task}() got an unexpected keyword argument {min(unknown)!r}")
        check_view(question["view"])
        progress = running.pop("progress", False)
        question["documents"] = self._positions(question["documents"])
        columns = question.get("columns", "count")
        question["columns"] = [columns] if isinstance(columns, str) else list(columns)
        asked = _DEFAULTS | question | running | {"task": task}
        return Table("rows_table", (self, asked), progress)
