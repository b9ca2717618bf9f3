"""Reading with Spark: the rows of all shards are those of one corpus of all documents."""

import math
from pathlib import Path
from typing import Any

import pytest
from test_parts import in_shards, options
from test_suite import CASES, ROOT

import zgram as zg

BOOKS = sorted((ROOT / "samples/books").rglob("*.txt"))


def documents() -> list[tuple[str, bytes]]:
    """Parts of the sample books, and documents that are hard: empty, not UTF-8, with odd names."""
    found: list[tuple[str, bytes]] = [("a/empty.txt", b""), ("b/latin.txt", "caf\xe9 au lait caf\xe9".encode("latin-1"))]
    for book in BOOKS:
        start = book.read_bytes()[:60_000]
        for number in range(4):
            name = f"{book.parent.name}/{book.stem}-{number}.txt"
            found.append((name, start[number * 15_000 : (number + 1) * 15_000]))
    found.append(("z/na\u00efve name.txt", "Die Stra\u00dfenbahnf\u00fchrer, two words \u4f60\u597d".encode()))
    return sorted(found, key=lambda pair: pair[0].encode())


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> zg.Corpus:
    """All documents in one file."""
    path = tmp_path_factory.mktemp("one") / "all.zgram"
    zg.compress(documents(), path)
    return zg.open(path)


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same documents in three shards, one of which has several segments. The path has a space."""
    folder = tmp_path_factory.mktemp("sh\u00e4rds of books") / "three parts"
    folder.mkdir()
    every = documents()
    third = len(every) // 3
    for number, part in enumerate((every[:third], every[third : 2 * third], every[2 * third :])):
        memory = 2 << 20 if number == 1 else None
        zg.compress(part, folder / f"part-{number}.zgram", memory=memory)
    return str(folder)


def load(spark: Any, shards: str, task: str, **options: Any) -> Any:
    reader = spark.read.format("zgram").option("task", task)
    return reader.options(**{name.replace("_", "-"): str(value) for name, value in options.items()}).load(shards)


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.collect()]


def test_shards_have_several_segments(shards: str) -> None:
    from zgram._parts.plan import parts

    assert len(parts([shards])) > 3


def test_words_are_counted_without_a_shuffle(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    frame = load(spark, shards, "word-count")
    assert frame.schema.simpleString() == "struct<word:string,count:bigint>"
    assert rows(frame) == list(corpus.word_count())
    columns = "count,documents,per_million"
    many = load(spark, shards, "word-count", columns=columns, top=50, lower=True, min_docs="0.2")
    view = zg.View(case="lower")
    wanted = corpus.word_count(view, top=50, min_docs=0.2, columns=columns.split(","))
    assert rows(many) == list(wanted)


def test_words_are_divided_into_ranges(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    frame = load(spark, shards, "sort", partitions=3)
    assert frame.rdd.getNumPartitions() == 3
    assert sorted(rows(frame), key=lambda row: row[0].encode()) == list(corpus.sort())


@pytest.mark.parametrize("task", ["term-vector", "inverted-index", "sequence-count", "ranked-inverted-index"])
def test_rows_of_documents_need_no_merging(spark: Any, shards: str, corpus: zg.Corpus, task: str) -> None:
    method = getattr(corpus, task.replace("-", "_"))
    more: dict[str, Any] = {"per_document": True} if task == "sequence-count" else {}
    found = rows(load(spark, shards, task, lower=True, stop="the,and"))
    wanted = list(method(view=zg.View(case="lower", stop=["the", "and"]), **more))
    assert sorted(found) == sorted(wanted)
    assert len(found) > 1000


def test_documents(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    found = rows(load(spark, shards, "documents"))
    assert found == [
        (name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"), len(one), one.text)
        for name, one in zip(corpus.documents.names, corpus.documents, strict=True)
    ]
    chosen = load(spark, shards, "documents", documents='["z/*", "a/empty.txt"]', text=False, shard=True)
    assert [(row[0], Path(row[2]).name) for row in rows(chosen)] == [
        ("a/empty.txt", "part-0.zgram"),
        ("z/na\u00efve name.txt", "part-2.zgram"),
    ]


def test_filters_are_pushed_down(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    frame = load(spark, shards, "inverted-index").where("word = 'the' and count > 3")
    filters = [line for line in frame._jdf.queryExecution().toString().split("Physical Plan")[1].split("\n") if "Filter" in line]
    assert filters and not any("= the" in line for line in filters)
    assert rows(frame) == [row for row in corpus.inverted_index(zg.View(match="^the$")) if row[1] > 3]
    name = corpus.documents.names[3]
    one = load(spark, shards, "term-vector").where(f"document = '{name}' and word in ('the', 'of', 'no such')")
    wanted = corpus.term_vector(documents=[name])
    assert rows(one) == [row for row in wanted if row[0] in ("the", "of")]
    total = load(spark, shards, "word-count").where("word = 'whale'")
    assert rows(total) == [row for row in corpus.word_count() if row[0] == "whale"]


def same(found: Any, wanted: Any) -> None:
    assert rows(found) == list(wanted)


def test_limits_concern_all_shards(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    from pyspark_zgram import read

    view = zg.View(case="fold", min_len=3)
    same(
        read(spark, shards, "inverted-index", fold=True, min_len=3, min_docs=4, max_docs=0.6, top=2),
        corpus.inverted_index(view, min_docs=4, max_docs=0.6, top=2),
    )
    same(
        read(spark, shards, "sequence-count", n=2, corpus=True, min_count=3, columns=["count", "documents"]),
        corpus.sequence_count(2, min_count=3, columns=["count", "documents"]),
    )
    same(
        read(spark, shards, "term-vector", fold=True, min_len=3, min_docs=0.3, top=4),
        corpus.term_vector(view, min_docs=0.3, top=4),
    )


def cells(matrix: zg.Matrix, top: int | None = None) -> list[tuple[str, str, Any]]:
    """Rows of a matrix as Spark has them."""
    found = []
    for name, row in zip(matrix.documents, matrix, strict=True):
        shown = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        found += [(shown, matrix.terms[column], value) for column, value in row]
    return found


def test_matrices(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    from pyspark_zgram import read

    view = zg.View(case="lower")
    assert sorted(rows(load(spark, shards, "matrix", lower=True))) == sorted(cells(corpus.term_matrix(view)))
    found = read(spark, shards, "matrix", n=(1, 2), min_docs=2, max_features=300)
    assert rows(found) == cells(corpus.term_matrix(ngram_range=(1, 2), min_df=2, max_features=300))


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"scheme": "paper"}, {"scheme": "paper"}),
        ({"scheme": "gensim", "min_docs": 2}, {"scheme": "gensim", "min_df": 2}),
        (
            {"scheme": "sklearn", "sublinear": True, "norm": "l1"},
            {"scheme": "sklearn", "sublinear_tf": True, "norm": "l1", "fit_transform": False},
        ),
        ({"scheme": "sklearn"}, {"scheme": "sklearn", "fit_transform": False}),
    ],
)
def test_weights_are_equal_to_the_last_bit(
    spark: Any, shards: str, corpus: zg.Corpus, options: dict[str, Any], arguments: dict[str, Any]
) -> None:
    from pyspark_zgram import read

    found = rows(read(spark, shards, "tf-idf", lower=True, **options))
    wanted = cells(corpus.tfidf(zg.View(case="lower"), **arguments))
    assert sorted(found) == sorted(wanted)
    ranks = [(row[0], -row[2], row[1].encode()) for row in found]
    assert all(a[1:] <= b[1:] for a, b in zip(ranks, ranks[1:]) if a[0] == b[0])


@pytest.mark.parametrize(
    "options", [{}, {"weighting": "flat", "window": 4, "left": True}, {"boundary": "line", "lower": True}]
)
def test_pairs_are_equal_to_the_last_bit(spark: Any, shards: str, corpus: zg.Corpus, options: dict[str, Any]) -> None:
    from pyspark_zgram import read

    given = dict(options)
    side = "left" if given.pop("left", False) else "both"
    view = zg.View(case="lower") if given.pop("lower", False) else None
    near = corpus.cooccurrence(view, side=side, **given)  # type: ignore[arg-type]
    wanted = {(near.terms[row], near.terms[at]): value for row, line in enumerate(near) for at, value in line}
    frame = read(spark, shards, "cooccurrence", ordered=False, **options) if options else load(spark, shards, "cooccurrence")
    found = rows(frame)
    assert {row[:2]: row[2] for row in found} == wanted
    assert len(found) == len(wanted)
    assert not any(math.isnan(value) for value in wanted.values())


def test_bytes_in_place_of_paths(spark: Any, shards: str, corpus: zg.Corpus) -> None:
    from pyspark_zgram import read

    same(read(spark, shards, "word-count", via="bytes", lower=True), corpus.word_count(zg.View(case="lower")))
    found = read(spark, shards, "ranked-inverted-index", via="bytes", n=2, top=1, min_docs=3)
    same(found, corpus.ranked_inverted_index(2, top=1, min_docs=3))


def test_suite_over_shards(spark: Any, tmp_path: Path) -> None:
    """The shared suite, each case in shards, as far as it needs a shuffle or a window: `test_parts` has the rest.

    Spark reads the bytes here. That starts no process to plan each question, so it is quick.
    """
    from pyspark_zgram import read

    answered = 0
    for number, parameter in enumerate(CASES):
        case: dict[str, Any] = parameter.values[0]  # type: ignore[assignment]
        named = options(case["question"])
        # Every question with limits or top, and some of the others.
        has_limits = any(name in named for name in ("top", "min-count", "min-docs", "max-docs"))
        if "units" in named or not (has_limits or number % 5 == 0):
            continue
        folder = in_shards(case, tmp_path / str(number))
        frame = read(spark, str(folder), named.pop("task"), via="bytes", **named)
        assert [list(row) for row in rows(frame)] == case["rows"], case["name"]
        answered += 1
    assert answered > 30
