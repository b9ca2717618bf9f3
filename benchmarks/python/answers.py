"""What the scripts of this folder share: the command line, what a part costs, and answers that can be compared.

`SCRIPT TASK SOURCE ANSWER` answers from SOURCE (zgram's file, or the folder of the texts) and writes into ANSWER what the
answer is, by its hash, and how large. It prints one JSON object: the processor time and the peak memory of the process
when its imports were done and when the answer was in memory.
"""

import hashlib
import json
import os
import resource
import sys
import time

# Libraries of linear algebra, and Polars, would take all cores.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[variable] = "1"

# Words as scikit-learn finds them by default.
WORD = r"(?u)\b\w\w+\b"


def paths(folder):
    """Names and paths of all files below a folder, in the order of zgram's documents."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            found.append((os.path.relpath(path, folder), path))
    return sorted(found, key=lambda pair: os.fsencode(pair[0]))


def read(path):
    with open(path, "rb") as file:
        return file.read().decode(errors="replace")


def of_matrix(matrix, terms):
    """A sparse matrix and its terms, whatever the types of its indices."""
    import numpy

    matrix.sort_indices()
    parts = [matrix.indptr.astype("<i8"), matrix.indices.astype("<i8"), numpy.ascontiguousarray(matrix.data)]
    texts = [" ".join(map(str, matrix.shape)), str(matrix.dtype), "\n".join(terms)]
    return f"{matrix.nnz:,} cells", [*map(bytes, parts), *map(os.fsencode, texts)]


def of_frame(frame):
    """The rows of a data frame, in any order."""
    lines = sorted("\t".join(map(str, row)) for row in frame.rows())
    return f"{len(lines):,} rows", [os.fsencode(line) for line in lines]


def of_bags(words, bags):
    """Bags of words with the words by their numbers."""
    cells = sum(map(len, bags))
    return f"{len(words):,} words, {cells:,} cells", [json.dumps([words, bags]).encode()]


def cost():
    """Seconds of processor time, and bytes of peak memory, so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The kernel counts in kilobytes, but for macOS.
    unit = 1 if sys.platform == "darwin" else 1024
    return {"seconds": time.process_time(), "peak": peak * unit}


def run(version, tasks):
    """Answers as the command line asks, or prints the version."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    task, source, answer = sys.argv[1:]
    imported = cost()
    made, describe = tasks[task](source)
    done = cost()
    size, parts = describe(*made)
    if parts:
        digest = hashlib.sha256()
        for part in parts:
            digest.update(len(part).to_bytes(8, "little") + part)
        size += f" {digest.hexdigest()}"
    with open(answer, "w") as out:
        out.write(size + "\n")
    json.dump({"imported": imported, "done": done}, sys.stdout)
