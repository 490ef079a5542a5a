"""Makes of a run one that version 0.1.0 would have made: without rules and identity, format 1."""

import ctypes
import json
import re
import shutil

_XXH3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
_XXH3.restype = ctypes.c_uint64
_XXH3.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64)
SUM = re.compile(rb',"sum":"[0-9a-f]{16}"}$')
NEW = re.compile(rb',"(?:identity":"[0-9a-f]{32}"|rules":[0-9]+)')


def age(run_dir):
    """Of one segment, as tests write them. What is derived is left to be made again."""
    (segment,) = (run_dir / "journal").glob("*.jsonl")
    header, *records = segment.read_bytes().splitlines()
    lines = [header.replace(b'"version":2', b'"version":1', 1), *(NEW.sub(b"", r) for r in records)]
    total = int(json.loads(header)["previous"], 16)
    with segment.open("wb") as out:
        for line in lines:
            body = SUM.sub(b"", line)
            total = _XXH3(body, len(body), total)
            out.write(body + b',"sum":"%016x"}\n' % total)
    shutil.rmtree(run_dir / "state")
    (run_dir / "state").mkdir()
