"""Text analytics directly on compressed text.

A corpus is a file that holds many documents in compressed form. It is counted, searched and edited
without decompressing it.

>>> import zgram as zg
>>> summary = zg.compress({"a.txt": "the cat sat", "b.txt": "the dog sat"}, folder / "pets.zgram")
>>> summary.documents
2
>>> corpus = zg.open(folder / "pets.zgram")
>>> corpus.count("the")
2
>>> corpus["a.txt"].text
'the cat sat'
"""

from ._compress import Summary, compress
from ._corpus import Corpus, Facts, open
from ._documents import Document, Documents
from ._edit import Compaction, Edit
from ._errors import (
    AlreadyExists,
    DamagedFile,
    DocumentNotFound,
    Error,
    FileError,
    InvalidRequest,
    Locked,
    NoPermission,
    NotFound,
    OutOfRange,
)
from ._matches import Line, Matches
from ._matrix import Matrix
from ._table import Table
from ._view import View
from ._words import Words
from ._zgram import __version__

__all__ = [
    "AlreadyExists",
    "Compaction",
    "Corpus",
    "DamagedFile",
    "Document",
    "DocumentNotFound",
    "Documents",
    "Edit",
    "Error",
    "Facts",
    "FileError",
    "InvalidRequest",
    "Line",
    "Locked",
    "Matches",
    "Matrix",
    "NoPermission",
    "NotFound",
    "OutOfRange",
    "Summary",
    "Table",
    "View",
    "Words",
    "__version__",
    "compress",
    "open",
]
