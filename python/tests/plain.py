"""Answers over plain text, slow and obviously correct: what the tests compare zgram with."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable

# Characters of scripts without spaces, each a word of its own; tests/suite/README.md defines words.
UNSPACED = [
    (0xE01, 0xE5B), (0x3005, 0x3007), (0x3021, 0x3029), (0x3031, 0x3035), (0x3038, 0x303C),
    (0x3041, 0x3096), (0x309D, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x9FFF), (0xF900, 0xFAD9),
    (0xFF66, 0xFF9F), (0x20000, 0x323AF),
]  # fmt: skip

#: Where words are in a text: offset and length in bytes, and the word.
Places = list[tuple[int, int, str]]


def places(text: bytes) -> Places:
    """All words of a text with their places. Bytes that are no UTF-8 separate words."""
    found: Places = []
    offset, start, word = 0, 0, ""
    for character in text.decode("utf-8", "surrogateescape") + " ":
        is_word = unicodedata.category(character)[0] in "LNM"
        is_alone = is_word and any(first <= ord(character) <= last for first, last in UNSPACED)
        size = len(character.encode("utf-8", "surrogateescape"))
        if word and (is_alone or not is_word):
            found.append((start, offset - start, word))
            word = ""
        if is_alone:
            found.append((offset, size, character))
        elif is_word:
            start, word = (start, word + character) if word else (offset, character)
        offset += size
    return found


def words(text: bytes, seen: Callable[[str], str] = str) -> list[str]:
    """The words of a text, in order, each as `seen`."""
    return [seen(word) for _, _, word in places(text)]


def matches(text: bytes, phrase: str, seen: Callable[[str], str] = str) -> list[tuple[int, int]]:
    """Where a phrase occurs in a text: offsets and lengths in bytes. Matches may overlap."""
    wanted, here = words(phrase.encode(), seen), places(text)
    found = []
    for at in range(len(here) - len(wanted) + 1):
        part = here[at : at + len(wanted)]
        if [seen(word) for _, _, word in part] == wanted:
            found.append((part[0][0], part[-1][0] + part[-1][1] - part[0][0]))
    return found


def context(text: bytes, offset: int, length: int, width: int) -> tuple[bytes, bytes, bytes]:
    """A match with the text of up to `width` words on each side; with fewer words, all that is there."""
    before = [at for at, _, _ in places(text) if at < offset]
    after = [at + size for at, size, _ in places(text) if at >= offset + length]
    start = before[-width] if 0 < width < len(before) else 0 if width else offset
    end = after[width - 1] if 0 < width <= len(after) else len(text) if width else offset + length
    return text[start:offset], text[offset : offset + length], text[offset + length : end]


def lines(text: bytes, first: int, last: int) -> bytes:
    """The lines from `first` to `last`, counted from 1, with their ends."""
    parts = text.split(b"\n")
    found = [part + b"\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    return b"".join(found[first - 1 : last])


def counts(texts: Iterable[bytes], seen: Callable[[str], str] = str) -> Counter[str]:
    """How often each word occurs in some texts."""
    return Counter(word for text in texts for word in words(text, seen))
