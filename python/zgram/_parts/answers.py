"""The rows of a part, as Arrow record batches.

Columns have the types that Spark accepts: text, signed 64-bit numbers and doubles, all of which may be null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .._cooccurrence import Side
from .._corpus import Corpus
from .._documents import Documents
from .._errors import DocumentNotFound, InvalidRequest
from .asked import Asked
from .plan import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TYPES = {"string": pa.string(), "bigint": pa.int64(), "double": pa.float64()}
#: The most rows of a batch that is made here.
_ROWS = 1 << 16
#: The largest divisor of weights, so that sums of them are exact in doubles.
_MOST_DIVISOR = 1 << 30


def columns(asked: Asked) -> list[tuple[str, str]]:
    """The columns of an answer: names and types, as SQL calls them.

    Rows of a part have what merging needs besides: the shard, and the place of the document in it.
    """
    if asked.task == "documents":
        made = [("document", "string"), ("bytes", "bigint")]
        if asked.get("text", True):
            made.append(("text", "string"))
    elif asked.task == "cooccurrence":
        made = [("word", "string"), ("context", "string"), ("value", "double")]
        if asked.is_partial:
            made[2] = ("units", "bigint")
    elif asked.task == "tf-idf" and not asked.is_partial:
        made = [("document", "string"), ("term", "string"), ("score", "double")]
    elif asked.task in ("matrix", "tf-idf"):
        made = [("document", "string"), ("term", "string"), ("count", "bigint")]
    else:
        made = [(asked.item, "string")]
        if asked.is_partial and asked.is_whole:
            made += [(name, "bigint") for name in _summed(asked)]
        elif asked.is_whole:
            kinds = {"per_million": "double"}
            made += [(name, kinds.get(name, "bigint")) for name in asked.numbers]
        else:
            made += [("count", "bigint"), ("document", "string")]
    if not asked.is_whole and (asked.is_partial or asked.shard):
        made.append(("shard", "string"))
    if not asked.is_whole and asked.is_partial:
        made.append(("place", "bigint"))
    return made


def schema(asked: Asked) -> pa.Schema:
    """The same as an Arrow schema."""
    return pa.schema([(name, _TYPES[kind]) for name, kind in columns(asked)])


def answer(
    asked: Asked, corpus: Corpus, part: Part, names: frozenset[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a part. `names` are the only documents of interest, if there are such."""
    chosen = _chosen(asked, corpus, part, names)
    if chosen is not None and not len(chosen):
        return
    if asked.task == "documents":
        rows = _documents(asked, corpus, chosen)
    elif asked.task in ("matrix", "tf-idf"):
        rows = _cells(asked, corpus, chosen)
    elif asked.task == "cooccurrence":
        rows = _pairs(asked, corpus, chosen)
    else:
        rows = _rows(asked, corpus, chosen)
    wanted = schema(asked)
    places = pa.array(map(_shown, corpus.documents.names), pa.string()) if "place" in wanted.names else None
    for batch in rows:
        arrays = []
        for field in wanted:
            if field.name == "shard":
                array = pa.repeat(pa.scalar(part.path), len(batch))
            elif field.name == "place":
                array = pc.index_in(batch.column("document"), places).cast(pa.int64())
            else:
                array = batch.column(field.name).cast(field.type)
            arrays.append(array)
        yield pa.RecordBatch.from_arrays(arrays, schema=wanted)


def divisor(asked: Asked) -> int:
    """What the units of weights of co-occurrences are parts of: every weight is a whole number of them."""
    if asked.get("weighting") == "flat":
        return 1
    window = asked.get("window", 15)
    least = int(np.lcm.reduce(np.arange(1, max(1, min(window, 40)) + 1, dtype=object)))
    if window > 40 or least > _MOST_DIVISOR:
        raise InvalidRequest(f"a window of {window} words is too large for shards; the most is 22, or weighting=flat")
    return least


def _summed(asked: Asked) -> list[str]:
    """The numbers of a part's rows that are added up."""
    of_documents = asked.get("min-docs") is not None or asked.get("max-docs") is not None
    return ["count", "documents"] if of_documents or "documents" in asked.numbers else ["count"]


def _chosen(asked: Asked, corpus: Corpus, part: Part, names: frozenset[str] | None) -> Documents | None:
    """The documents of a part that are asked about; `None` for the whole shard."""
    if part.is_shard and asked.documents is None and names is None:
        return None
    positions = np.arange(part.first, part.stop, dtype=np.intp)
    for some in (asked.documents, None if names is None else tuple(names)):
        if some is not None:
            found = [_positions(corpus, name, is_pattern=some is asked.documents) for name in some]
            positions = np.intersect1d(positions, np.concatenate([*found, positions[:0]]))
    return Documents(corpus, positions)


def _positions(corpus: Corpus, name: str, is_pattern: bool) -> NDArray[np.intp]:
    """The documents that a name or pattern chooses in one shard: perhaps none."""
    if not is_pattern:
        position = corpus.find_document(name)
        return np.array([] if position is None else [position], dtype=np.intp)
    try:
        found = corpus.documents[name]
    except DocumentNotFound:
        return np.empty(0, dtype=np.intp)
    if isinstance(found, Documents):
        return found.positions
    return np.array([found.position], dtype=np.intp)


def _rows(asked: Asked, corpus: Corpus, chosen: Documents | None) -> Iterator[pa.RecordBatch]:
    task = "word-count" if asked.task == "sort" else asked.task
    arguments: dict[str, Any] = {}
    for name in ("n", "gaps"):
        if asked.get(name) is not None:
            arguments[name] = asked.get(name)
    if asked.is_whole:
        arguments["columns"] = _summed(asked)
    elif asked.is_of_parts and not asked.is_partial:
        arguments["top"] = asked.get("top")
    if task == "sequence-count":
        arguments["per_document"] = not asked.is_whole
    method = getattr(corpus, task.replace("-", "_"))
    table = method(view=asked.view, documents=chosen, threads=asked.threads, **arguments)
    yield from pa.RecordBatchReader.from_stream(table)


def _documents(asked: Asked, corpus: Corpus, chosen: Documents | None) -> Iterator[pa.RecordBatch]:
    chosen = corpus.documents if chosen is None else chosen
    names = pa.array([_shown(name) for name in chosen.names], pa.string())
    sizes = chosen.sizes.astype(np.int64)
    if not asked.get("text", True):
        yield pa.record_batch([names, pa.array(sizes)], ["document", "bytes"])
        return
    start = 0
    while start < len(chosen):
        # A batch has about 16 MB of text, and one document at least.
        stop = start + max(1, int(np.searchsorted(np.cumsum(sizes[start:]), 1 << 24)))
        texts = pa.array([document.text for document in chosen[start:stop]], pa.string())
        part = slice(start, stop)
        yield pa.record_batch([names[part], pa.array(sizes[part]), texts], ["document", "bytes", "text"])
        start = stop


def _cells(asked: Asked, corpus: Corpus, chosen: Documents | None) -> Iterator[pa.RecordBatch]:
    lengths = asked.get("n", (1, 1))
    try:
        matrix = corpus.term_matrix(
            asked.view, documents=chosen, ngram_range=lengths, threads=asked.threads
        )
    except InvalidRequest as error:
        # One part may have no words where others have some.
        if "no words" in str(error):
            return
        raise
    terms = pa.array(map(_shown, matrix.terms), pa.string())
    documents = pa.array(map(_shown, matrix.documents), pa.string())
    rows = np.repeat(np.arange(len(matrix.documents)), np.diff(matrix.indptr))
    is_binary = asked.get("binary") and not asked.is_partial
    for start in range(0, len(rows), _ROWS):
        part = slice(start, start + _ROWS)
        counts = np.ones_like(matrix.data[part]) if is_binary else matrix.data[part]
        columns = [documents.take(rows[part]), terms.take(matrix.indices[part]), pa.array(counts)]
        yield pa.record_batch(columns, ["document", "term", "count"])


def _pairs(asked: Asked, corpus: Corpus, chosen: Documents | None) -> Iterator[pa.RecordBatch]:
    parts = divisor(asked)
    given = {name: asked.get(name) for name in ("window", "weighting", "boundary") if asked.get(name)}
    side: Side = "left" if asked.get("left") else "right" if asked.get("right") else "both"
    try:
        near = corpus.cooccurrence(
            asked.view, side=side, documents=chosen, threads=asked.threads, **given
        )
    except InvalidRequest as error:
        if "no words" in str(error):
            return
        raise
    words = pa.array(map(_shown, near.terms), pa.string())
    rows = np.repeat(np.arange(len(near.terms)), np.diff(near.indptr))
    for start in range(0, len(rows), _ROWS):
        part = slice(start, start + _ROWS)
        # A value is a sum of whole units, divided and rounded once; this is the sum again.
        units = np.rint(near.data[part] * parts)
        if units.max(initial=0) >= 2.0**50:
            raise InvalidRequest("a pair of words is too frequent for an exact sum; use weighting=flat")
        columns = [words.take(rows[part]), words.take(near.indices[part]), pa.array(units.astype(np.int64))]
        yield pa.record_batch(columns, ["word", "context", "units"])


def _shown(name: str) -> str:
    """Names as tables show them: bytes that are not UTF-8 as `\\xHH`."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
