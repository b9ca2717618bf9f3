"""The six tasks, counted naively from raw text."""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable

Documents = list[tuple[str, bytes]]
Item = tuple[str, ...]
Keep = Callable[[str], str | None]
Bag = list[tuple[str, Counter[Item]]]


def words(raw: bytes) -> list[str]:
    """Runs of letters, digits and marks; each Han, Kana or Thai character by itself."""
    found, run = [], ""
    for one in raw.decode("utf-8", "surrogateescape") + " ":
        is_word = unicodedata.category(one)[0] in "LNM"
        is_alone = "\u4e00" <= one <= "\u9fff" or "\u3041" <= one <= "\u30ff" or "\u0e01" <= one <= "\u0e3a"
        if run and not (is_word and not is_alone):
            found.append(run)
            run = ""
        if is_word and is_alone:
            found.append(one)
        elif is_word:
            run += one
    return found


def bags(documents: Documents, n: int = 1, keep: Keep = lambda word: word, gaps: bool = False) -> Bag:
    """The words, or sequences of words, of each document."""
    counted = []
    for name, raw in documents:
        shown = [keep(word) for word in words(raw)]
        if gaps:
            shown = [word for word in shown if word is not None]
        starts = range(len(shown) - n + 1)
        items = [tuple(shown[at : at + n]) for at in starts]
        whole = [tuple(word for word in item if word is not None) for item in items]
        counted.append((name, Counter(item for item in whole if len(item) == n)))
    return counted


def folders(documents: Bag) -> Bag:
    """The documents of each folder together, in the order of their first documents."""
    together: dict[str, Counter[Item]] = {}
    for name, bag in documents:
        folder = name.rpartition("/")[0] or "."
        together.setdefault(folder, Counter()).update(bag)
    return list(together.items())


def limited(bag: Bag, least: int = 0, from_docs: float = 0, to_docs: float = float("inf")) -> Bag:
    """Without the items that are too rare or too common."""
    total, documents = Counter[Item](), Counter[Item]()
    for _, counts in bag:
        total.update(counts)
        documents.update(counts.keys())
    kept = {item for item in total if total[item] >= least and from_docs <= documents[item] <= to_docs}
    return [(name, Counter({item: n for item, n in counts.items() if item in kept})) for name, counts in bag]


def _key(item: Item) -> tuple[bytes, ...]:
    return tuple(word.encode() for word in item)


def _falling(counts: Iterable[tuple[Item, int]]) -> list[tuple[Item, int]]:
    return sorted(counts, key=lambda row: (-row[1], _key(row[0])))


def totals(bag: Bag, top: int | None = None) -> list[tuple[str, int]]:
    """All documents together, the most frequent first."""
    total = Counter[Item]()
    for _, counts in bag:
        total.update(counts)
    return [(" ".join(item), count) for item, count in _falling(total.items())[:top]]


def in_order(bag: Bag) -> list[tuple[str, int]]:
    return sorted(totals(bag), key=lambda row: row[0].encode())


def by_document(bag: Bag, top: int | None = None) -> list[tuple[str, int, str]]:
    return [
        (" ".join(item), count, name)
        for name, counts in bag
        for item, count in _falling(counts.items())[:top]
    ]


def by_item(bag: Bag, ranked: bool, top: int | None = None) -> list[tuple[str, int, str]]:
    rows = []
    for item in sorted({item for _, counts in bag for item in counts}, key=_key):
        places = [(counts[item], name) for name, counts in bag if item in counts]
        if ranked:
            places.sort(key=lambda place: -place[0])
        rows += [(" ".join(item), count, name) for count, name in places[:top]]
    return rows
