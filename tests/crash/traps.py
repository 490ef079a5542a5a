"""The system calls of a command, and traps at them (trap.cc)."""

import collections
import dataclasses

from bench import TRAP, fresh_path


@dataclasses.dataclass(frozen=True)
class Call:
    """The `nth` call of `name` in a command, counted over all its threads."""

    name: str
    nth: int
    changes: bool
    size: int
    subject: str
    target: str = ""  # of a rename

    def __str__(self):
        return f"{self.name} #{self.nth} ({self.subject or 'nothing'})"


def list_calls(home, words, **options):
    """The answer of the command, and its calls in order."""
    log = fresh_path()
    answer = home.run(*words, before=(TRAP, str(log), "list"), **options)
    counts = collections.Counter()
    calls = []
    for line in log.read_text(errors="replace").splitlines():
        name, changes, size, subject, *target = line.split("\t")
        counts[name] += 1
        calls.append(
            Call(name, counts[name], changes == "changes", int(size), subject, "".join(target))
        )
    log.unlink()
    return answer, calls


def spring(home, words, trap, **options):
    """The answer of the command, and whether the trap was sprung."""
    log = fresh_path()
    answer = home.run(*words, before=(TRAP, str(log), trap), **options)
    sprung = "sprung" in log.read_text()
    log.unlink()
    return answer, sprung


def kills(calls, every=False):
    """Traps that kill at these calls: at each that changes something, torn writes included, and at
    a sample of the others."""
    for position, call in enumerate(calls):
        if every or call.changes or position % 16 == 0:
            yield call, f"kill:{call.name}:{call.nth}"
        if call.size > 1 and call.changes:
            for size in sorted({1, call.size // 2, call.size - 1}):
                yield call, f"tear:{call.name}:{call.nth}:{size}"
