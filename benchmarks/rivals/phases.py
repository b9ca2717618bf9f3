"""What the rivals in applications share: the command line, words, and the processor time of each part.

A script prints one JSON object: the processor time of its process when its imports were done, when
preprocessing was done (reading, finding words, counting), and when the answer was written.
"""

import json
import re
import sys
import time

from corpus import files

# Words as scikit-learn finds them by default, and bm25s too; zgram is asked for the same with `--sklearn --lower`.
WORD = r"(?u)\b\w\w+\b"

_marks = {}


def mark(name):
    """Notes that a part has ended."""
    _marks[name] = time.process_time()


def read(path):
    with open(path, "rb") as file:
        return file.read().decode(errors="replace")


def documents(folder):
    """Name and words of each document."""
    find = re.compile(WORD).findall
    for name, path in files(folder):
        yield name, find(read(path).lower())


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as out:
        for line in lines:
            out.write(line)
            out.write("\n")


def run(version, applications):
    """Answers as the command line asks, or prints the version."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    application, folder, output, *settings = sys.argv[1:]
    mark("imported")
    applications[application](folder, output, dict(setting.split("=", 1) for setting in settings))
    mark("done")
    json.dump(_marks, sys.stdout)
