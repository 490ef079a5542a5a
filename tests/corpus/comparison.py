"""Compares what two programs answered.

A difference lies in the document of a command, or in a journal (its command is then `journal`), at
a JSON pointer. A rule names differences by `pointer`, in which `*` stands for one step and `**` for
any number of them, and, optionally, by `command`, `home` and `course`, with `*` for any characters.
Where lists differ in length what they have in common is left out, and the rest compared in order.
"""

import dataclasses
import difflib
import fnmatch
import functools
import json
import re

ABSENT = "(absent)"


@dataclasses.dataclass(frozen=True)
class Difference:
    home: str
    course: str
    words: tuple
    pointer: str  # of the document; "exit": the exit code
    was: object
    now: object

    @property
    def command(self):
        return self.words[0]

    def __str__(self):
        values = (json.dumps(value, ensure_ascii=False) for value in (self.was, self.now))
        was, now = (text if len(text) < 300 else text[:300] + "..." for text in values)
        where = f"{self.home}/{self.course}: {' '.join(self.words)}  {self.pointer or '(all)'}"
        return f"{where}\n    was  {was}\n    now  {now}"


@functools.cache
def pointer_pattern(pattern):
    text = "".join(
        "(?:/[^/]*)*" if step == "**" else "/" + re.escape(step).replace(r"\*", "[^/]*")
        for step in pattern.split("/")[1:]
    )
    return re.compile((text if "/" in pattern else re.escape(pattern)) + r"\Z")


class Rules:
    """The entries of a file, each an object with its `reason`, and which of them were of use."""

    MEMBERS = {"command", "home", "course", "pointer", "reason"}

    def __init__(self, entries):
        self.entries = entries
        self.used = set()
        for entry in entries:
            if not entry.get("reason") or not entry.get("pointer") or set(entry) - self.MEMBERS:
                raise ValueError(f"it needs a pointer and a reason, and nothing unknown: {entry}")

    @classmethod
    def of_file(cls, path):
        return cls(json.loads(path.read_text()))

    def cover(self, difference):
        """Whether an entry names it; all that do are then of use."""
        found = [number for number, entry in enumerate(self.entries) if names(entry, difference)]
        self.used.update(found)
        return bool(found)

    def unused(self):
        return [entry for number, entry in enumerate(self.entries) if number not in self.used]


def names(entry, difference):
    fits = (fnmatch.fnmatchcase(getattr(difference, key), entry.get(key, "*"))
            for key in ("command", "home", "course"))  # fmt: skip
    return all(fits) and bool(pointer_pattern(entry["pointer"]).match(difference.pointer))


def step(name):
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def pairs(was, now):
    """(place, element or ABSENT, element or ABSENT) of two lists."""
    if len(was) == len(now):
        yield from ((place, *both) for place, both in enumerate(zip(was, now)))
        return
    texts = [[json.dumps(element, sort_keys=True) for element in side] for side in (was, now)]
    matcher = difflib.SequenceMatcher(None, *texts, autojunk=False)
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        for offset in range(max(a_end - a, b_end - b)):
            old = was[a + offset] if a + offset < a_end else ABSENT
            new = now[b + offset] if b + offset < b_end else ABSENT
            yield (a if new is ABSENT else b) + offset, old, new


def unequal(was, now, pointer=""):
    """(pointer, was, now) of each smallest part that is not the same."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in [*was, *(name for name in now if name not in was)]:
            yield from unequal(was.get(name, ABSENT), now.get(name, ABSENT), pointer + step(name))
    elif isinstance(was, list) and isinstance(now, list):
        for place, old, new in pairs(was, now):
            yield from unequal(old, new, pointer + step(place))
    elif type(was) is not type(now) or was != now:
        yield pointer, was, now


def differences(was, now):
    """Those of two answered rows."""
    place = (was["home"], was["course"])
    if "journals" in was:
        for found in unequal(was["journals"], now["journals"]):
            yield Difference(*place, ("journal",), *found)
        return
    words = tuple(was["words"])
    if was["exit"] != now["exit"]:
        yield Difference(*place, words, "exit", was["exit"], now["exit"])
    for found in unequal(was["said"], now["said"]):
        yield Difference(*place, words, *found)


def undeclared(rows, answers, ignored, changes):
    """The differences that neither set of rules names."""
    found = []
    for was, now in zip(rows, answers, strict=True):
        for difference in differences(was, now):
            # Both are asked: an entry of either is of use.
            if not ignored.cover(difference) | changes.cover(difference):
                found.append(difference)
    return found
