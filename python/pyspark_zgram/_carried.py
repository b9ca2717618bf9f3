"""What travels to the workers as code, so that a worker without the package can say so.

Spark pickles readers and writers. Pickled by reference, their class would have to be imported, and a worker
without it would fail with a bare `ModuleNotFoundError`.
"""

from __future__ import annotations

import pickle
import sys
from typing import Any

from pyspark import cloudpickle


def restore(name: str, state: bytes) -> Any:
    """Makes a reader or writer on a worker."""
    import pickle
    import socket
    import sys

    try:
        import pyarrow  # noqa: F401
        import zgram  # noqa: F401

        from pyspark_zgram import _source, _writer
    except ImportError as error:
        raise ImportError(
            f"the Python of this Spark worker ({sys.executable} on {socket.gethostname()}) cannot import "
            f"zgram: {error}. Install it on every node with: pip install 'zgram[spark]'; or send it with "
            "the job, as docs/spark.md shows"
        ) from None
    made = object.__new__(getattr(_source, name, None) or getattr(_writer, name))
    made.__dict__.update(pickle.loads(state))
    return made


class Carried:
    """A base for what Spark sends to workers."""

    def __reduce__(self) -> tuple[Any, ...]:
        # The state is bytes: its own classes are looked up after the package has been imported.
        return restore, (type(self).__name__, pickle.dumps(self.__dict__))


cloudpickle.register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
