"""Wrong input raises Python's own exception with the reason; nothing crashes."""

from pathlib import Path

import pytest

import zgram as zg


def test_files_that_cannot_be_opened(tmp_path: Path, path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        zg.open(tmp_path / "none.zgram")
    assert isinstance(missing.value, zg.Error) and "none.zgram" in str(missing.value)
    assert missing.value.errno and missing.value.filename.endswith("none.zgram")
    foreign = tmp_path / "text.zgram"
    foreign.write_text("no corpus " * 100)
    with pytest.raises(zg.DamagedFile, match="not a zgram file"):
        zg.open(foreign)
    whole = path.read_bytes()
    for cut in (whole[:-1], whole[: len(whole) // 2], b"", whole + b"x"):
        with pytest.raises(OSError):
            zg.open(cut)
    for at in range(0, len(whole), 7):
        damaged = bytearray(whole)
        damaged[at] ^= 0x40
        try:
            zg.open(bytes(damaged)).verify()
        except zg.Error:
            continue
        pytest.fail(f"a flipped bit at {at} went unseen")
    with pytest.raises(TypeError):
        zg.open(7)


def test_a_closed_corpus(path: Path) -> None:
    with zg.open(path) as corpus:
        document = corpus["cat.txt"]
    for ask in (lambda: corpus.count("cat"), lambda: document.text, lambda: len(corpus)):
        with pytest.raises(ValueError, match="closed"):
            ask()
    assert "closed" in repr(corpus)


def test_sources_that_cannot_be_compressed(tmp_path: Path) -> None:
    out = tmp_path / "out.zgram"
    for source, kind, words in [
        (tmp_path / "none", FileNotFoundError, "none"),
        ([("a", "x"), ("a", "y")], ValueError, "twice"),
        ([("a", "x"), 7], ValueError, "document 2"),
        ([("a", 7)], ValueError, "text of document 1"),
        ([{"body": "x"}], ValueError, "no column 'text'"),
        (7, ValueError, "int"),
    ]:
        with pytest.raises(kind, match=words) as raised:
            zg.compress(source, out)
        assert isinstance(raised.value, zg.Error)
        assert list(tmp_path.iterdir()) == []
    zg.compress([], out)
    assert len(zg.open(out)) == 0 and zg.open(out).count("x") == 0
    with pytest.raises(FileExistsError):
        zg.compress([], out)

    def broken() -> object:
        yield "a", "x"
        raise LookupError("in the generator")

    with pytest.raises(LookupError, match="generator"):
        zg.compress(broken(), tmp_path / "b.zgram")
    assert not (tmp_path / "b.zgram").exists()


def test_wrong_options(corpus: zg.Corpus) -> None:
    for view in (
        zg.View(case="upper"),  # type: ignore[arg-type]
        zg.View(stem="klingon"),
        zg.View(match="("),
        zg.View(stop="klingon"),
    ):
        with pytest.raises(ValueError):
            corpus.term_matrix(view)
    with pytest.raises(ValueError):
        corpus.term_matrix(min_df=1.5)
    with pytest.raises(ValueError):
        corpus.term_matrix(vocabulary=[])
    with pytest.raises(ValueError, match="twice"):
        corpus.term_matrix(documents=[0, 0])
