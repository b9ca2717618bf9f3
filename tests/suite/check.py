#!/usr/bin/env python3
"""Checks the suite from another language: every case is read and answered once more in Python.

Cases of the scikit-learn view are answered by scikit-learn itself. Stemming and lists of stop words
are left to the other engines, because Python has its own of both; those cases are only read.
"""

import functools
import pathlib
import re
import sys
import tomllib
import unicodedata
from collections import Counter
from fnmatch import fnmatchcase

SUITE = pathlib.Path(__file__).parent
SAMPLES = SUITE / "../../samples/books"
MAX_WORD = 1 << 20
UNSPACED = [(0xE01, 0xE5B), (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C),
            (0x3041, 0x3096), (0x309D, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x9FFF), (0xF900, 0xFAD9),
            (0xFF66, 0xFF9F), (0x20000, 0x323AF)]


def text_of(part):
    if "text" in part:
        once = part["text"].encode()
    elif "bytes" in part:
        once = re.sub(rb"\\(\\|x(..))", lambda m: bytes([int(m[2], 16)]) if m[2] else b"\\",
                      part["bytes"].encode())
    else:
        once = (SAMPLES / part["sample"]).read_bytes()
    return once * part.get("repeat", 1)


@functools.cache
def class_of(character):
    """Whether a character stands in words, and whether it stands there alone."""
    is_word = unicodedata.category(character)[0] in "LNM"
    return is_word, is_word and any(a <= ord(character) <= b for a, b in UNSPACED)


def words_of(text, view):
    if view.get("sklearn"):
        from sklearn.feature_extraction.text import CountVectorizer
        return CountVectorizer(decode_error="replace").build_analyzer()(text)
    words, word, size = [], "", 0
    for character in text.decode(errors="replace") + " ":
        is_word, alone = class_of(character)
        bytes_more = len(character.encode())
        if not is_word or alone or size + bytes_more > MAX_WORD:
            if word:
                words.append(word)
            word, size = "", 0
        if alone:
            words.append(character)
        elif is_word:
            word, size = word + character, size + bytes_more
    return words


def seen(words, view):
    def alike(word):
        if "normalize" in view:
            word = unicodedata.normalize(view["normalize"].upper(), word)
        word = word.lower() if view.get("lower") else word
        return word.casefold() if view.get("fold") else word

    stop = {alike(word) for word in view.get("stop", [])}
    for word in map(alike, words):
        if (len(word) >= view.get("min-len", 0) and word not in stop
                and re.search(view.get("match", ""), word)
                and not ("no-match" in view and re.search(view["no-match"], word))
                and not (view.get("no-digits") and any(map(str.isdecimal, word)))):
            yield word
        else:
            yield None


def row_name(name, question):
    """What rows name for a document: its unit, or itself; None if it is left out."""
    units = question.get("units")
    if units is None:
        return name
    if units == "folder":
        return name.rpartition("/")[0] if "/" in name else "."
    found = re.search(units, name)
    return found and found[1 if found.re.groups else 0]


def answer(documents, question):
    task, view = question["task"], question.get("view", {})
    chosen = question.get("documents", ["*"])
    n = question.get("n", 3) if "sequence" in task or "ranked" in task else 1
    counts = {}
    for name, text in documents:
        name, is_chosen = row_name(name, question), any(fnmatchcase(name, p) for p in chosen)
        if is_chosen and name is not None:
            words = list(seen(words_of(text, view), view))
            # A word that is left out ends a sequence; scikit-learn leaves words out before.
            if question.get("gaps") or view.get("sklearn"):
                words = [word for word in words if word is not None]
            sequences = (tuple(words[i:i + n]) for i in range(len(words) - n + 1))
            found = Counter(sequence for sequence in sequences if None not in sequence)
            counts[name] = counts.get(name, Counter()) + found
    total, spread = sum(counts.values(), Counter()), Counter()
    for found in counts.values():
        spread.update(found.keys())
    limits = question.get("min-docs", 0), question.get("max-docs", len(documents))
    for found in counts.values():
        for words in list(found):
            if not limits[0] <= spread[words] <= limits[1] or total[words] < question.get("min-count", 0):
                del found[words]
    key = lambda words: [word.encode() for word in words]
    order = {name: at for at, name in enumerate(counts)}
    rows = [(words, count, name) for name in counts for words, count in counts[name].items()]
    if task in ("word-count", "sort") or question.get("corpus"):
        rows = [(*row, None) for row in sum(counts.values(), Counter()).items()]
        by_count = task != "sort" or question.get("by") == "count"
        rows.sort(key=lambda row: (-row[1] if by_count else 0, key(row[0])))
        rows = rows[::-1] if question.get("reverse") else rows
    elif task == "inverted-index":
        rows.sort(key=lambda row: (key(row[0]), order[row[2]]))
    elif task == "ranked-inverted-index":
        rows.sort(key=lambda row: (key(row[0]), -row[1], order[row[2]]))
    else:
        rows.sort(key=lambda row: (order[row[2]], -row[1], key(row[0])))
    top = question.get("top", len(rows))
    # Where rows name documents, the first of each document, word or sequence.
    by_item = task in ("inverted-index", "ranked-inverted-index")
    if rows and rows[0][2]:
        taken = Counter()
        group = lambda row: row[0] if by_item else row[2]
        rows = [row for row in rows if not taken.update([group(row)]) and taken[group(row)] <= top]
    else:
        rows = rows[:top]
    return [[" ".join(words), count] + ([name] if name else []) for words, count, name in rows]


def main():
    answered = only_read = wrong = 0
    for path in sorted(SUITE.glob("*.toml")):
        for case in tomllib.loads(path.read_text())["case"]:
            documents = [(document["name"], b"".join(map(text_of, document.get("parts", [document]))))
                         for document in case["documents"]]
            if {"stem", "stop-language"} & set(case["question"].get("view", {})):
                only_read += 1
                continue
            got = answer(documents, case["question"])
            answered += 1
            if got != case["rows"]:
                wrong += 1
                print(f"{path.name}: {case['name']}\n  expected {case['rows']}\n  got      {got}")
    print(f"{answered} cases answered, {wrong} of them otherwise than expected; {only_read} only read")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
