"""The commands that remember, in the situations in which they write. Their run is called memory."""

import json


def remembering(*saved):
    """A home with these memories, m3, m5, ..., whose index is made."""

    def prepare(home):
        (home.path / "runs").mkdir()
        for note in saved:
            home.must("memory:save", note)
        home.must("memory:list")

    return prepare


def nothing(_):
    """Not even a folder of runs."""


EXPORT = json.dumps(
    {
        "memories": [{"memoryId": "a", "note": "It rains"}, {"memoryId": "b", "note": "It snows"}],
        "links": [{"from": "a", "to": "b"}],
    }
)
RAIN = ("It rains", "--key", "k")
# The files of the index are swept by commands that only ask. How often it writes differs, so a trap
# at the n-th write of all may not be reached.
RUN_ONLY = "runs/memory"

# (name, command, words, prepare, stdin, traps at calls on paths that hold this)
MEMORY_CASES = (
    ("the first of all", "memory:save", RAIN, nothing, "", "runs"),
    ("the first of all, its mark", "memory:save", RAIN, nothing, "", "memory.mark"),
    ("another", "memory:save", RAIN, remembering("It snows"), "", RUN_ONLY),
    ("changed", "memory:save", (*RAIN, "--id", "m3"), remembering("It snows"), "", RUN_ONLY),
    ("recorded", "memory:recall", ("rain", *RAIN[1:]), remembering("It rains"), "", RUN_ONLY),
    ("two", "memory:link", ("m3", "m5"), remembering("It rains", "It snows"), "", RUN_ONLY),
    ("one", "memory:forget", ("m3",), remembering("It rains", "It snows"), "", RUN_ONLY),
    ("two and a link", "memory:import", ("-",), remembering("It hails"), EXPORT, RUN_ONLY),
)
