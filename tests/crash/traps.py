"""The system calls of a command, and traps at them (trap.cc)."""

import collections
import dataclasses
import errno

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
        if every or call.changes or position % 32 == 0:
            yield call, f"kill:{call.name}:{call.nth}"
        if call.size > 1 and call.changes:
            for size in sorted({1, call.size // 2, call.size - 1}):
                yield call, f"tear:{call.name}:{call.nth}:{size}"


# What can go wrong with a call, as errno.
_FAULTS = {
    "write": (errno.ENOSPC, errno.EIO),
    "pwrite64": (errno.ENOSPC, errno.EIO),
    "fsync": (errno.EIO,),
    "fdatasync": (errno.EIO,),
    "ftruncate": (errno.EIO,),
    "rename": (errno.EIO,),
    "renameat": (errno.EIO,),
    "renameat2": (errno.ENOSPC,),
    "unlinkat": (errno.EIO,),
    "mkdir": (errno.EACCES,),
    "mkdirat": (errno.ENOSPC,),
    "flock": (errno.ENOLCK,),
    "openat": (errno.EACCES, errno.EMFILE),
    "openat2": (errno.EACCES, errno.EMFILE),
    "pread64": (errno.EIO,),
    "fstat": (errno.EIO,),
    "newfstatat": (errno.EACCES,),
    "getdents64": (errno.EIO,),
}
# Those that stay: a full disk, a broken one, a folder that one may not write.
_LASTING = {
    "pwrite64": errno.ENOSPC,
    "fdatasync": errno.EIO,
    "fsync": errno.EIO,
    "renameat": errno.EACCES,
}


def faults(calls, home_path, every=False):
    """Traps at the calls that touch the home, each with every fault that it can meet: once, from
    then on, or as a write that takes only a part. Of the reads only a sample."""
    for position, call in enumerate(calls):
        if not (every or call.changes or position % 4 == 0):
            continue
        if not call.subject.startswith(home_path) or call.name not in _FAULTS:
            continue
        for code in _FAULTS[call.name]:
            yield call, f"fail:{call.name}:{call.nth}:{code}"
        if call.name in _LASTING:
            yield call, f"fail:{call.name}:{call.nth}+:{_LASTING[call.name]}"
        if call.size > 1:
            yield call, f"short:{call.name}:{call.nth}:{call.size // 2}"
