"""A model of a disk that forgets what was not synced: the bytes of a file until its fdatasync, a
name in a directory until the directory's fsync."""

import pathlib
import re

# What the journal is, names, or replays. Everything else is derived and may be lost.
_TRUTH = re.compile(r"runs/[^/]+/((journal|blobs|process)(/.*)?|tasks/t\d+/std(out|err)\.log)")


def is_truth(path):
    return bool(_TRUTH.fullmatch(path)) and not path.endswith(".tmp")


class Disk:
    """`present`: the paths that are there, relative to the root."""

    def __init__(self, root, present=()):
        self.root = str(root)
        self.present = set(present)
        self.bytes = {}  # path: whether what is there was written since it was last in doubt
        self.names = set()

    def doubt(self, path):
        """An earlier sync may have failed, after which the kernel takes the bytes for written: they
        are durable only when they are written again and then synced."""
        self.bytes[path] = False

    def relative(self, path):
        return path.removeprefix(self.root).lstrip("/")

    def apply(self, call):
        if not call.changes or not f"{call.subject}/".startswith(self.root + "/"):
            return
        path = self.relative(call.subject)
        if call.name in ("pwrite64", "write", "ftruncate"):
            self.bytes[path] = True
        elif call.name in ("fsync", "fdatasync"):
            self._sync(path)
        elif call.name.startswith("rename"):
            self._rename(path, self.relative(call.target))
        elif call.name.startswith("unlink"):
            self.present.discard(path)
            self.bytes.pop(path, None)
            self.names.add(path)
        elif path not in self.present:
            self.present.add(path)
            self.names.add(path)

    def _sync(self, path):
        if self.bytes.get(path):
            del self.bytes[path]
        self.names = {
            name for name in self.names if str(pathlib.Path(name).parent) != (path or ".")
        }

    def _rename(self, old, new):
        def moved(path):
            return new + path[len(old) :] if path == old or path.startswith(old + "/") else path

        self.bytes = {moved(path): written for path, written in self.bytes.items()}
        self.names = {moved(path) for path in self.names} | {new}
        self.present = {moved(path) for path in self.present} | {new}

    def unsafe(self):
        """What of the truth a power cut would take."""
        truth = {path for path in self.present | self.names if is_truth(path)}
        folders = {str(parent) for path in truth for parent in pathlib.Path(path).parents}
        return {path for path in {*self.bytes, *self.names} if path in truth or path in folders}
