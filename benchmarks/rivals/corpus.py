"""What the Python rivals share: the command line, and the files of a folder."""

import os
import sys


def files(folder):
    """Names and paths of all files below a folder, in a stable order; a file is the only one of itself."""
    if os.path.isfile(folder):
        return [(os.path.basename(folder), folder)]
    found = []
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            found.append((os.path.relpath(path, folder), path))
    return found


def run(version, answer):
    """Answers as the command line asks, or tells the version."""
    if sys.argv[1:] == ["--version"]:
        print(version)
        return
    task, folder, output, *threads = sys.argv[1:]
    answer(task, folder, output, int(threads[0]) if threads else 1)
