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
from ._cooccurrence import Cooccurrence
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
    WordNotFound,
)
from ._matches import Line, Matches
from ._matrix import Matrix
from ._ranking import Ranker, Ranking
from ._rows import Rows
from ._table import Table
from ._topics import Topics
from ._vectors import WordVectors
from ._view import View
from ._vocabulary import Vocabulary
from ._words import Words
from ._zgram import __version__

__all__ = [
    "AlreadyExists",
    "Compaction",
    "Cooccurrence",
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
    "Ranker",
    "Ranking",
    "Rows",
    "Summary",
    "Table",
    "Topics",
    "View",
    "Vocabulary",
    "WordNotFound",
    "WordVectors",
    "Words",
    "__version__",
    "compress",
    "open",
]
