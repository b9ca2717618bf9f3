"""Tables equal a naive count over the raw text, and what other libraries read from them equals them."""

import csv
import gc
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zgram as zg

LOWER = zg.View(case="lower")
NO_THE = zg.View(case="lower", stop=["the"])
VIEWS = {
    None: lambda word: word,
    LOWER: str.lower,
    NO_THE: lambda word: None if word.lower() == "the" else word.lower(),
    zg.View(match="a"): lambda word: word if "a" in word else None,
}
part = st.sampled_from(
    [b"a", b"b", b"the", b"The", b" ", b" ", b" ", b"\n", b", ", b"x1", b"\xff", b"\xc3", b"\0"]
    + [text.encode() for text in ("é", "中", "中文", "ก", "ß", "e\u0301", "\u2003")]
)
text = st.lists(part, max_size=25).map(b"".join)
name = st.sampled_from(["a.txt", "b.txt", "f/a.txt", "f/b.txt", "g/h/a.txt", "z", "日.txt"])
documents = st.dictionaries(name, text, max_size=6).map(lambda all: list(all.items()))


def made(tmp_path_factory: pytest.TempPathFactory, raw: oracle.Documents) -> zg.Corpus:
    path = tmp_path_factory.mktemp("t") / "t.zgram"
    zg.compress(raw, path)
    return zg.open(path)


def check_all(corpus: zg.Corpus, raw: oracle.Documents, data: st.DataObject) -> None:
    """Compares all tasks with the naive count, under options that are drawn."""
    view = data.draw(st.sampled_from(list(VIEWS)))
    chosen = data.draw(st.one_of(st.none(), st.lists(st.sampled_from(range(len(raw))), unique=True)) if raw else st.none())
    top = data.draw(st.sampled_from([None, 0, 1, 2, 100]))
    least, from_docs, to_docs = data.draw(
        st.sampled_from([(0, None, None), (2, None, None), (0, 2, None), (0, None, 1), (2, 1, 2), (1, 0.5, None)])
    )
    n, gaps = data.draw(st.sampled_from([(2, False), (3, False), (2, True), (7, False)]))
    by = data.draw(st.sampled_from([None, "folder"]))
    some = raw if chosen is None else [raw[at] for at in sorted(chosen)]
    unit = oracle.folders if by else lambda bag: bag
    common = dict(
        view=view, documents=chosen, top=top, min_count=least, min_docs=from_docs, max_docs=to_docs, threads=1
    )

    def kept(bag: oracle.Bag) -> oracle.Bag:
        share = len(bag) if isinstance(from_docs, float) else 1
        most = float("inf") if to_docs is None else to_docs
        return oracle.limited(bag, least, (from_docs or 0) * share, most)

    one, many = oracle.bags(some, 1, VIEWS[view]), oracle.bags(some, n, VIEWS[view], gaps)
    assert list(corpus.word_count(**common)) == oracle.totals(kept(one), top)
    assert list(corpus.sort(**common)) == oracle.in_order(kept(one))[:top]
    falling = [*reversed(oracle.totals(kept(one)))][:top]
    assert list(corpus.sort(by="count", reverse=True, **common)) == falling
    per = kept(unit(one))
    assert list(corpus.term_vector(by=by, **common)) == oracle.by_document(per, top)
    index = oracle.by_item(per, ranked=False, top=top)
    assert list(corpus.inverted_index(by=by, **common)) == index
    lists: dict[str, list[str]] = {}
    for word, _, document in index:
        lists.setdefault(word, []).append(document)
    if top != 0:
        assert list(corpus.inverted_index(documents_only=True, by=by, **common)) == list(lists.items())
    sequences = dict(n=n, gaps=gaps, **common)
    assert list(corpus.sequence_count(**sequences)) == oracle.totals(kept(many), top)
    per = kept(unit(many))
    assert list(corpus.sequence_count(per_document=True, by=by, **sequences)) == oracle.by_document(per, top)
    assert list(corpus.ranked_inverted_index(by=by, **sequences)) == oracle.by_item(per, ranked=True, top=top)
    total, share = sum(count for _, count in oracle.totals(one)), {}
    for word, count in oracle.totals(one):
        share[word] = (count, sum((word,) in bag for _, bag in one), count * 1e6 / total)
    numbers = corpus.word_count(columns=["documents", "per_million", "count"], **common)
    assert list(numbers) == [
        (word, share[word][1], share[word][2], count) for word, count in oracle.totals(kept(one), top)
    ]


@settings(max_examples=60, deadline=None)
@given(documents, st.data())
def test_all_tasks_equal_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory, raw: oracle.Documents, data: st.DataObject
) -> None:
    check_all(made(tmp_path_factory, raw), raw, data)


@settings(max_examples=25, deadline=None)
@given(documents.filter(bool), text, text, st.data())
def test_pending_edits_count(
    tmp_path_factory: pytest.TempPathFactory,
    raw: oracle.Documents,
    new: bytes,
    more: bytes,
    data: st.DataObject,
) -> None:
    corpus = made(tmp_path_factory, raw)
    before = corpus.term_vector()
    list(before)
    with corpus.edit() as edit:
        edit.append(raw[0][0], more)
        edit.add("new.txt", new)
        if len(raw) > 1:
            edit.remove(raw[-1][0])
    raw = [(raw[0][0], raw[0][1] + more), *raw[1:]]
    raw = [*(raw[:-1] if len(raw) > 1 else raw), ("new.txt", new)]
    assert corpus.documents.names == [name for name, _ in raw]
    # A table that was made before asks the corpus as it is now.
    assert list(before) == oracle.by_document(oracle.bags(raw))
    check_all(corpus, raw, data)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> zg.Corpus:
    """Enough rows for many batches."""
    numbers = np.random.default_rng(1)
    texts = [
        (f"{at % 7}/{at}.txt", " ".join(f"word{one:x}" for one in numbers.zipf(1.3, 400) % 60000).encode())
        for at in range(200)
    ]
    return made(tmp_path_factory, texts)


def by_duckdb(words: zg.Table) -> list[tuple[object, ...]]:
    return duckdb.sql("select * from words").fetchall()


def all_tables(corpus: zg.Corpus) -> list[zg.Table]:
    return [
        corpus.word_count(),
        corpus.word_count(columns=("documents", "per_million")),
        corpus.sort(collation="unicode"),
        corpus.inverted_index(),
        corpus.term_vector(),
        corpus.term_vector(dictionary=True),
        corpus.inverted_index(documents_only=True),
        corpus.inverted_index(documents_only=True, dictionary=True),
        corpus.sequence_count(2),
        corpus.sequence_count(2, per_document=True, dictionary=True),
        corpus.ranked_inverted_index(3),
    ]


def test_libraries_read_the_same_rows(many: zg.Corpus) -> None:
    for table in all_tables(many):
        rows = list(table)
        assert rows and len(table) == len(rows), table
        assert list(table) == rows, "a second run gives the same"
        dicts = [dict(zip(table.columns, row, strict=True)) for row in rows]
        assert table.to_dicts() == dicts
        arrow = table.to_arrow()
        assert arrow.to_pylist() == dicts == pa.table(table).to_pylist()
        assert all(field.nullable for field in arrow.schema)
        assert {field.name: str(field.type) for field in arrow.schema} == {
            name: kind.replace("list<", "list<item: ") for name, kind in table.schema.items()
        } or "dictionary" in str(table.schema)
        assert pa.schema(table) == arrow.schema
        arrow.validate(full=True)
        assert table.to_polars().rows() == rows == pl.DataFrame(table).rows()
        by_pandas = [table.to_pandas(), pd.DataFrame.from_arrow(table)]
        for frame in by_pandas:
            found = [tuple(row) for row in frame.itertuples(index=False, name=None)]
            if "documents" in table.schema and "list" in table.schema["documents"]:
                found = [(word, list(names)) for word, names in found]
            assert found == rows
        arrays = table.to_numpy()
        assert list(zip(*(array.tolist() for array in arrays.values()), strict=True)) == rows
        assert by_duckdb(table) == rows
        assert table.head(10).to_arrow().to_pylist() == dicts[:10]


def test_types_are_those_that_every_library_reads(corpus: zg.Corpus) -> None:
    table = corpus.term_vector()
    assert pa.schema(table).types == [pa.string(), pa.int64(), pa.string()]
    coded = pa.dictionary(pa.int32(), pa.string())
    assert pa.schema(corpus.term_vector(dictionary=True)).types == [coded, pa.int64(), coded]
    assert table.to_polars().dtypes == [pl.String, pl.Int64, pl.String]
    wanted = pa.schema([("word", pa.string_view()), ("count", pa.int64()), ("document", pa.string_view())])
    got = pa.RecordBatchReader.from_stream(table, schema=wanted)
    assert got.schema == wanted and got.read_all().to_pylist() == table.to_dicts()
    assert isinstance(corpus.term_vector(dictionary=True).to_polars().dtypes[0], pl.Categorical)
    counts = corpus.word_count().to_numpy()["count"]
    assert counts.dtype == np.int64


def test_duckdb_asks_a_table_by_its_name(many: zg.Corpus) -> None:
    words = many.term_vector()
    total = duckdb.sql("select word, sum(count)::bigint as n from words group by word order by n desc, word")
    assert total.fetchall() == list(many.word_count())
    joined = duckdb.sql("select count(*) from words a join words b using (word, document)").fetchall()
    assert joined == [(len(words),)]


def test_answers_without_rows(tmp_path: Path, corpus: zg.Corpus) -> None:
    zg.compress([], tmp_path / "none.zgram")
    zg.compress({"a": "", "b": " ... "}, tmp_path / "empty.zgram")
    nothing = [zg.open(tmp_path / "none.zgram"), zg.open(tmp_path / "empty.zgram")]
    tables = [table for one in nothing for table in all_tables(one)]
    tables += [corpus.word_count(top=0), corpus.term_vector(documents=[]), corpus.sequence_count(9)]
    tables += [corpus.word_count(zg.View(match="^$")), corpus.term_vector().head(0)]
    for table in tables:
        assert list(table) == [] and len(table) == 0 and not table
        assert table.to_arrow().num_rows == 0 and table.to_arrow().schema.names == table.columns
        assert table.to_polars().shape == (0, len(table.columns)) == table.to_pandas().shape
        assert [array.size for array in table.to_numpy().values()] == [0] * len(table.columns)
        assert by_duckdb(table) == []
        assert "0 rows" in repr(table) and "0 rows" in table._repr_html_()


def test_names_that_are_not_unicode(tmp_path: Path) -> None:
    bad = b"caf\xe9\\\xff.txt".decode("utf-8", "surrogateescape")
    zg.compress([(bad, "a word"), ('q"u,o\te\n.txt', "word")], tmp_path / "n.zgram")
    table = zg.open(tmp_path / "n.zgram").term_vector(zg.View(match="word"))
    shown = "caf\\xe9\\\\xff.txt"
    assert shown == bad.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    rows = [("word", 1, shown), ("word", 1, 'q"u,o\te\n.txt')]
    assert list(table) == rows == table.to_polars().rows() == pl.DataFrame(table).rows()
    for end, delimiter in [("csv", ","), ("tsv", "\t")]:
        assert table.write(tmp_path / f"n.{end}") == 2
        with open(tmp_path / f"n.{end}", newline="", encoding="utf-8") as file:
            read = list(csv.reader(file, delimiter=delimiter))
        assert read == [table.columns, *([word, str(count), name] for word, count, name in rows)]
    for frame in (pd.read_csv(tmp_path / "n.csv"), pl.read_csv(tmp_path / "n.csv").to_pandas()):
        assert list(frame.itertuples(index=False, name=None)) == rows
    table.write(tmp_path / "n.ndjson")
    with open(tmp_path / "n.ndjson", encoding="utf-8") as file:
        assert [tuple(json.loads(line).values()) for line in file] == rows
    assert "\n" not in repr(table).splitlines()[2] and "\\n" in repr(table)


def test_files_have_the_rows(tmp_path: Path, many: zg.Corpus) -> None:
    for number, table in enumerate(all_tables(many)):
        dicts = table.to_dicts()
        base = tmp_path / str(number)
        readers = {
            ".parquet": lambda path: pa.parquet.read_table(path).to_pylist(),
            ".arrow": lambda path: pa.feather.read_table(path).to_pylist(),
            ".feather": lambda path: pl.read_ipc(path).to_dicts(),
            ".arrows": lambda path: pa.ipc.open_stream(path).read_all().to_pylist(),
            ".json": lambda path: json.loads(path.read_text()),
            ".jsonl": lambda path: [json.loads(line) for line in path.read_text().splitlines()],
        }
        for end, read in readers.items():
            assert table.write(base.with_suffix(end)) == len(dicts)
            assert read(base.with_suffix(end)) == dicts, end
        for end in (".csv", ".tsv"):
            if "list<string>" in str(table.schema) or "list<dictionary" in str(table.schema):
                with pytest.raises(ValueError, match="lists"):
                    table.write(base.with_suffix(end))
            else:
                table.write(base.with_suffix(end))
                frame = pl.read_csv(base.with_suffix(end), separator="," if end == ".csv" else "\t")
                assert frame.to_dicts() == dicts
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_files_that_are_not_written(tmp_path: Path, corpus: zg.Corpus, path: Path) -> None:
    table = corpus.word_count()
    out = tmp_path / "w.csv"
    table.write(out)
    with pytest.raises(FileExistsError, match="force"):
        table.write(out)
    assert corpus.word_count(top=1).write(out, force=True) == 1
    assert out.read_text() == "word,count\nThe,3\n"
    with pytest.raises(ValueError, match="is a corpus"):
        table.write(path, "parquet", force=True)
    assert zg.open(path).count("cat") == 2
    with pytest.raises(ValueError, match="ends in one of"):
        table.write(tmp_path / "w.xlsx")
    with pytest.raises(ValueError, match="format"):
        table.write(tmp_path / "w.xlsx", "excel")
    with pytest.raises(FileNotFoundError, match="none"):
        table.write(tmp_path / "none" / "w.csv")
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["w.csv", path.name])


def test_numpy_alone_is_enough(path: Path, tmp_path: Path) -> None:
    code = f"""
import sys
class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {{"pyarrow", "polars", "pandas", "tqdm", "duckdb"}}:
            raise ImportError(name)
sys.meta_path.insert(0, Nothing())
import zgram as zg
table = zg.open({str(path)!r}).term_vector(progress=True)
assert list(table)[0] == ("The", 2, "cat.txt")
assert table.to_numpy()["count"].tolist() == [2, 2, 1, 1, 1, 1, 1, 1, 1]
assert "cat.txt" in repr(table) and "<table" in table._repr_html_()
for end in ("parquet", "arrow", "csv", "tsv", "json", "ndjson"):
    assert table.write({str(tmp_path)!r} + "/alone." + end) == 9
for read in (table.to_arrow, table.to_polars, table.to_pandas):
    try:
        read()
    except ImportError:
        continue
    raise SystemExit("it is there")
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert pl.read_parquet(tmp_path / "alone.parquet").rows()[0] == ("The", 2, "cat.txt")


def test_questions_are_pickled(corpus: zg.Corpus) -> None:
    for table in [*all_tables(corpus), corpus.find("cat").to_table(), corpus.kwic("cat").to_table()]:
        for one in (table, table.head(2)):
            again = pickle.loads(pickle.dumps(one))
            assert list(again) == list(one) and again.schema == one.schema


def test_matches_are_tables(corpus: zg.Corpus) -> None:
    found = corpus.find("sat").to_table()
    assert list(found) == [("cat.txt", 8, 3), ("dog.txt", 8, 3)] and len(found) == 2
    lines = corpus.kwic("sat", width=1).to_table().to_polars()
    assert lines["match"].to_list() == ["sat", "sat"] and lines["offset"].dtype == pl.Int64
    assert list(corpus.find("fox").to_table()) == [] == list(corpus.kwic("fox").to_table())


def test_lengths_are_known_once_they_are_counted(corpus: zg.Corpus, many: zg.Corpus) -> None:
    table = corpus.word_count()
    with pytest.raises(TypeError, match="read to its end"):
        len(table)
    assert table
    assert len(list(table)) == len(table) == 7
    with corpus.edit() as edit:
        edit.append("dog.txt", "something new")
    with pytest.raises(TypeError):
        len(table)
    table.to_arrow()
    assert len(table) == 9
    begun = many.sequence_count(2, per_document=True)
    next(iter(begun))
    with pytest.raises(TypeError):
        len(begun)
    with pytest.raises(ValueError):
        table.head(-1)


def test_wrong_questions(corpus: zg.Corpus) -> None:
    for ask in (
        lambda: corpus.word_count(columns=["counts"]),  # type: ignore[list-item]
        lambda: corpus.word_count(columns=["count", "count"]),
        lambda: corpus.sort(by="length"),  # type: ignore[arg-type]
        lambda: corpus.sort(collation="C"),  # type: ignore[arg-type]
        lambda: corpus.sequence_count(1),
        lambda: corpus.sequence_count(2, by="folder"),
        lambda: corpus.term_vector(by="("),
        lambda: corpus.term_vector(zg.View(stem="klingon")),
    ):
        with pytest.raises(ValueError):
            ask()
    for table in (corpus.word_count(min_docs=1.5), corpus.term_vector(by="none of them")):
        for read in (list, zg.Table.to_arrow, zg.Table.to_polars, pa.table, pl.DataFrame):
            with pytest.raises(zg.InvalidRequest):
                read(table)
        assert "cannot be read" in repr(table)
    with pytest.raises(TypeError, match="unexpected"):
        corpus.word_count(thread=1)  # type: ignore[call-arg]
    with pytest.raises(KeyError):
        corpus.word_count(documents="fox.txt")
    table = corpus.word_count()
    corpus.close()
    for read in (list, len, pa.table, zg.Table.to_polars, lambda one: one.write("x.csv")):
        with pytest.raises(ValueError, match="closed"):
            read(table)
    assert "closed" in repr(table) and "closed" in table._repr_html_()


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def test_a_stream_that_is_dropped_ends_its_work(many: zg.Corpus) -> None:
    table = many.sequence_count(2, per_document=True)
    list(table.head(1))
    time.sleep(0.5)
    before = threads()
    kept = [iter(table) for _ in range(8)]
    kept += [pa.RecordBatchReader.from_stream(table) for _ in range(8)]
    for one in kept:
        next(one) if not isinstance(one, pa.RecordBatchReader) else one.read_next_batch()
    capsules = [table.__arrow_c_stream__() for _ in range(4)]
    assert threads() > before
    del one, kept, capsules
    gc.collect()
    deadline = time.monotonic() + 20
    while threads() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert threads() <= before


def test_threads_share_a_table(many: zg.Corpus) -> None:
    table = many.term_vector(top=20)
    expected = list(table)
    with ThreadPoolExecutor(8) as pool:
        for rows in pool.map(lambda _: list(table), range(24)):
            assert rows == expected
        for frame in pool.map(lambda _: pl.DataFrame(table).rows(), range(8)):
            assert frame == expected
    shared, rows = iter(many.term_vector(top=20)._batches()), []
    reader = pa.RecordBatchReader.from_stream(table)
    other = threading.Thread(target=lambda: rows.extend(reader.read_all().to_pylist()))
    other.start()
    other.join()
    assert [tuple(row.values()) for row in rows] == expected
    assert sum(len(columns[0]) for columns in shared) == len(expected)


def in_child(check: object) -> int:
    """Runs a check in a forked process."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if check() else 1)  # type: ignore[operator]
        finally:
            os._exit(2)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("the forked process hung")


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes(many: zg.Corpus) -> None:
    table = many.term_vector(top=50)
    expected = list(table)
    assert in_child(lambda: list(table) == expected) == 0
    begun = iter(many.term_vector())
    next(begun)

    def reads_on() -> bool:
        try:
            # Batches that the parent has are rows of the child too; then it fails, and does not hang.
            list(begun)
        except zg.Error as error:
            return "forked" in str(error)
        return False

    assert in_child(reads_on) == 0
    assert len(list(begun)) > 8192


def test_a_file_object_is_read_while_the_reader_holds_the_interpreter(path: Path) -> None:
    # Polars reads a stream without letting go of the interpreter, which the file needs.
    code = f"""
import faulthandler, io, polars, pyarrow, duckdb, zgram as zg
faulthandler.dump_traceback_later(60, exit=True)
with open({str(path)!r}, "rb") as file:
    for read in (polars.DataFrame, pyarrow.table, zg.Table.to_polars, list):
        table = zg.open(io.BytesIO(file.read())).term_vector()
        file.seek(0)
        assert len(read(table)) == 9
    words = zg.open(io.BytesIO(file.read())).term_vector()
    assert len(duckdb.sql("select * from words").fetchall()) == 9
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


class Slow(io.BytesIO):
    """A file that takes its time once it is told to."""

    delay = 0.0

    def read(self, size: int | None = -1) -> bytes:
        time.sleep(self.delay)
        return super().read(size)


def interrupted_after(work: object, wait: float = 0.3) -> float:
    """How long after Ctrl-C the exception came."""
    pressed = []

    def press() -> None:
        pressed.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(wait, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()  # type: ignore[operator]
    came = time.monotonic()
    timer.join()
    return came - pressed[0]


@pytest.mark.parametrize(
    "read",
    [list, zg.Table.to_arrow, zg.Table.to_polars, zg.Table.to_pandas, pa.table, pl.DataFrame, repr],
)
def test_ctrl_c_stops_every_reader(path: Path, read: object, tmp_path: Path) -> None:
    file = Slow(path.read_bytes())
    table = zg.open(file).term_vector()
    file.delay = 1.5
    # A tenth of a second, and what a busy machine adds.
    assert interrupted_after(lambda: read(table)) < 1.0  # type: ignore[operator]
    file.delay = 0.0
    assert len(list(table)) == 9


def test_ctrl_c_leaves_no_file(path: Path, tmp_path: Path) -> None:
    file = Slow(path.read_bytes())
    table = zg.open(file).word_count()
    file.delay = 1.0
    assert interrupted_after(lambda: table.write(tmp_path / "w.parquet")) < 0.9
    deadline = time.monotonic() + 20
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == [path]


def test_progress_is_called(many: zg.Corpus) -> None:
    seen: list[tuple[str, int, int]] = []
    table = many.sequence_count(3, per_document=True, progress=lambda *news: seen.append(news))
    for read in (list, zg.Table.to_polars, lambda one: one.to_numpy()):
        seen.clear()
        read(table)
        assert seen and {stage for stage, _, _ in seen} == {"counting"}

    def refuse(*_: object) -> None:
        raise RuntimeError("enough")

    refused = many.sequence_count(3, per_document=True, progress=refuse)
    for read in (list, zg.Table.to_arrow, zg.Table.to_polars):
        with pytest.raises(RuntimeError, match="enough"):
            read(refused)


class Balanced(HTMLParser):
    """Checks that tags are closed in order, and gathers the text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_tables_are_shown(many: zg.Corpus, tmp_path: Path) -> None:
    shown = repr(many.term_vector())
    lines = shown.splitlines()
    assert len(lines) == 12 and lines[-1] == "the first 10 rows"
    known = many.word_count()
    assert f"10 of {len(list(known)):,} rows" in repr(known)
    html = many.word_count(top=3)._repr_html_()
    assert [f"{count:,}" in Balanced(html).text for _, count in many.word_count(top=3)] == [True] * 3
    assert "width:8.00em" in html and "3 rows" in html
    long = {"<b>&" + "näme/" * 40 + "語" * 30 + ".txt": "word " * 3, "\x1b[31m.txt": "word"}
    zg.compress(long, tmp_path / "l.zgram")
    table = zg.open(tmp_path / "l.zgram").term_vector()
    text = Balanced(table._repr_html_()).text
    assert any(name.startswith("<b>&") for name in text) and "\x1b" not in "".join(text)
    from zgram._show import _width

    for line in repr(table).splitlines():
        assert _width(line) <= 80 and "\x1b" not in line
    assert "…" in repr(table)
    assert "nan" in repr(zg.Table("columns_table", ({"a": ["x"], "b": np.array([np.nan])},)))
    scores = zg.Table("columns_table", ({"a": ["x", "y"], "b": np.array([-2.0, np.inf])},))
    assert "inf" in scores._repr_html_() and Balanced(scores._repr_html_())
