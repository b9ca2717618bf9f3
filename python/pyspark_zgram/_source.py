"""The format `zgram`: schema, partitions, rows and filters."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSource, DataSourceReader, EqualTo, Filter, In, InputPartition
from pyspark.sql.types import StructType

from zgram import InvalidRequest, View
from zgram._parts.answers import answer, columns, schema
from zgram._parts.asked import Asked, asked
from zgram._parts.plan import Part, open_part, opened, parts
from zgram._parts.sums import summed

from ._carried import Carried
from ._writer import Writer

#: Entries of dictionaries that one task adds up, unless `partitions` says into how many to divide them.
_WORDS_OF_A_TASK = 4_000_000


class DefaultSource(Carried, DataSource):
    """`spark.read.format("zgram")` and `df.write.format("zgram")`."""

    @classmethod
    def name(cls) -> str:
        return "zgram"

    def schema(self) -> str:
        question = Question.of(self.options)
        return ", ".join(f"{name} {kind}" for name, kind in columns(question.asked))

    def reader(self, schema: StructType) -> DataSourceReader:
        question = Question.of(self.options)
        wanted = [(field.name, field.dataType.simpleString()) for field in schema.fields]
        if wanted != columns(question.asked):
            ours = ", ".join(f"{name} {kind}" for name, kind in columns(question.asked))
            raise InvalidRequest(f"the columns of {question.asked.task} are: {ours}")
        return FilteringReader(question) if _takes_filters() else Reader(question)

    def writer(self, schema: StructType, overwrite: bool) -> Writer:
        return Writer(self.options, schema, overwrite)


@dataclass
class Question:
    """What is asked, where, and what Spark wants to see of the answer."""

    asked: Asked
    paths: list[str]
    #: Tasks among which rows that count all documents are divided.
    partitions: int | None = None
    #: Only rows with these words, terms or sequences.
    items: frozenset[str] | None = None
    #: Only rows of these documents.
    documents: frozenset[str] | None = None

    @classmethod
    def of(cls, options: Any) -> Question:
        given = {str(name).lower(): str(value) for name, value in dict(options).items()}
        paths = json.loads(given.pop("paths", "[]"))
        if "path" in given:
            paths.append(given.pop("path"))
        is_partial = given.pop("partial", "false") == "true"
        partitions = given.pop("partitions", None)
        question = asked(given)
        return cls(
            question.as_part() if is_partial else question,
            paths,
            None if partitions is None else max(1, int(partitions)),
        )


@dataclass(frozen=True)
class Range:
    """The rows of all parts whose word is in a range: from `least`, to what is less than `end`."""

    parts: list[Part]
    least: str | None
    end: str | None


class Reader(Carried, DataSourceReader):
    """Reads rows. Each partition is a part of a shard, or a range of words."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def partitions(self) -> Sequence[InputPartition]:
        question = self.question
        if question.asked.is_of_parts:
            return [InputPartition(part) for part in parts(question.paths)]
        if not question.asked.is_whole:
            raise InvalidRequest(
                f"this question of {question.asked.task} needs the rows of all shards (its limits, its "
                "top, or its weights). Ask it with: "
                f"pyspark_zgram.read(spark, path, {question.asked.task!r}, ...)"
            )
        every = parts(question.paths)
        cuts = self._cuts(every)
        ends = [*cuts, None]
        return [InputPartition(Range(every, *ends_of)) for ends_of in zip([None, *cuts], ends, strict=True)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        work = partition.value
        if isinstance(work, Part):
            return self._filtered(self._rows(self._narrowed(), work))
        return self._filtered(self._range(work))

    def _rows(self, question: Asked, part: Part) -> Iterator[pa.RecordBatch]:
        return answer(question, open_part(part), part, self.question.documents)

    def _range(self, wanted: Range) -> Iterator[pa.RecordBatch]:
        """The final rows of a range of words."""
        question = self._narrowed()
        limits = [question.get("min-docs"), question.get("max-docs")]
        documents = 0
        if any(isinstance(limit, float) for limit in limits):
            names = replace(question, task="documents", options={"text": False}, view=None)
            documents = sum(len(batch) for part in wanted.parts for batch in self._rows(names, part))
        each = (batch for part in wanted.parts for batch in self._rows(question.as_part(), part))
        inside = each
        if wanted.least is not None or wanted.end is not None:
            inside = (_between(batch, wanted) for batch in each)
        yield from summed(question, inside, documents).to_batches(max_chunksize=1 << 16)

    def _cuts(self, every: list[Part]) -> list[str]:
        """Words that divide all words into ranges of about equal size."""
        question = self.question
        # The first rows, and shares, are of all words together.
        if question.asked.get("top") is not None or "per_million" in question.asked.numbers:
            return []
        shards = {part.path: part for part in every}
        sizes = {path: open_part(part).facts.distinct_words for path, part in shards.items()}
        wanted = question.partitions or 1 + sum(sizes.values()) // _WORDS_OF_A_TASK
        if wanted == 1:
            return []
        largest = shards[max(sizes, key=sizes.__getitem__)]
        sample = {
            word
            for batch in answer(question.asked.as_part(), opened(largest.path, largest.state), largest)
            for word in batch.column(0).to_pylist()
        }
        words = sorted(sample, key=str.encode)
        places = np.linspace(0, len(words), wanted + 1)[1:-1].astype(int)
        return sorted({words[place] for place in places.tolist()}, key=str.encode) if words else []

    def _narrowed(self) -> Asked:
        """The question, about less where filters allow it."""
        question, items = self.question.asked, self.question.items
        view = question.view or View()
        is_about_words = question.task in ("word-count", "sort", "inverted-index", "term-vector")
        if (
            items is None
            or not is_about_words
            or question.get("top") is not None
            or "per_million" in question.numbers
            or view.match is not None
            or view.stem is not None
        ):
            return question
        possible = sorted(filter(_is_word, items))
        pattern = f"^(?:{'|'.join(possible)})$" if possible else "^$"
        return replace(question, view=replace(view, match=pattern))

    def _filtered(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        wanted = {self.question.asked.item: self.question.items, "document": self.question.documents}
        for batch in batches:
            for name, values in wanted.items():
                if values is not None:
                    kept = pc.is_in(batch.column(name), pa.array(sorted(values), pa.string()))
                    batch = batch.filter(kept)
            if len(batch):
                yield batch


class FilteringReader(Reader):
    """A reader that takes over filters on the word, and on the document."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        question = self.question
        names = [name for name, _ in columns(question.asked)]
        for one in filters:
            values: frozenset[str] | None = None
            column = ""
            if isinstance(one, EqualTo) and isinstance(one.value, str):
                values, column = frozenset([one.value]), ".".join(one.attribute)
            elif isinstance(one, In) and all(isinstance(value, str) for value in one.value):
                values, column = frozenset(one.value), ".".join(one.attribute)
            if values is not None and column == question.asked.item and column in names:
                question.items = values if question.items is None else question.items & values
            elif values is not None and column == "document" and not any("\\x" in name for name in values):
                both = values if question.documents is None else question.documents & values
                question.documents = both
            else:
                yield one


def _takes_filters() -> bool:
    """Whether Spark asks for filters now.

    It refuses readers that could take filters while `spark.sql.python.filterPushdown.enabled` is off. Only
    the program that pushes filters down may see one.
    """
    program = "pyspark.sql.worker.data_source_pushdown_filters"
    main = getattr(sys.modules.get("__main__"), "__spec__", None)
    # It is started directly, or by a daemon that has imported this one program.
    return program in sys.modules or main is not None and main.name == program


def _is_word(text: str) -> bool:
    """Whether a text can be a word. Such a text has no characters that mean something in a pattern."""
    return bool(text) and all(unicodedata.category(one)[0] in "LMN" for one in text)


def _between(batch: pa.RecordBatch, wanted: Range) -> pa.RecordBatch:
    words = batch.column(0)
    if wanted.least is not None:
        batch = batch.filter(pc.greater_equal(words, wanted.least))
    if wanted.end is not None:
        batch = batch.filter(pc.less(batch.column(0), wanted.end))
    return batch
