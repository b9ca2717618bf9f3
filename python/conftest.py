"""A small corpus for every test and every example in the documentation."""

from pathlib import Path
from typing import Any

import pytest

import zgram as zg

TEXTS = {
    "cat.txt": "The cat sat. The cat ran.\n",
    "dog.txt": "The dog sat.\n",
    "notes/one.txt": "a note\n",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A corpus file of three documents."""
    path = tmp_path / "pets.zgram"
    zg.compress(TEXTS, path)
    return path


@pytest.fixture
def corpus(path: Path) -> zg.Corpus:
    return zg.open(path)


@pytest.fixture(autouse=True)
def names_of_examples(
    doctest_namespace: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What examples in docstrings may use."""
    folder = tmp_path_factory.mktemp("examples")
    path = folder / "example.zgram"
    zg.compress(TEXTS, path)
    doctest_namespace.update(
        zg=zg, View=zg.View, corpus=zg.open(path), path=path, folder=folder
    )
