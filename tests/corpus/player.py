"""Gives the program the commands of the corpus, in the world of world.py, and keeps its answers.

    player.py QUESTIONS ANSWERS     plays the rows of a file (JSON lines), writes them, answered

A row is one command: `home` and `course`, `words`, and, where they differ from the default,
`clock`, `stdin`, `env`; its answer is `exit` and `said` (a document, a list of them, or text). Each
course of a home begins with the home as it was made. A row `{"home", "course", "journals"}` ends
it: the sum of each journal.
"""

import calendar
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

CORPUS = pathlib.Path("/corpus")
NOW = "2026-01-05T08:00:00Z"  # a Monday
TIMEOUT_S = 120


def seconds(clock):
    return calendar.timegm(time.strptime(clock, "%Y-%m-%dT%H:%M:%SZ"))


def environment(home, clock, chance):
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/corpus/user",
        "USER": "tester",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "XDG_CACHE_HOME": "/tmp/cache",
        "REPRISE_HOME": f"/corpus/homes/{home}",
        "ASAN_OPTIONS": "report_globals=0:detect_leaks=0:verify_asan_link_order=0",
        "LD_PRELOAD": "/standstill.so",
        "CORPUS_CLOCK": str(seconds(clock)),
        "CORPUS_CHANCE": chance,
    }


def understood(text):
    """A document, a list of documents, one a line, or the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()]
    except json.JSONDecodeError:
        return text


def play(row, number):
    """The row, answered. `number` counts the commands of its course."""
    chance = f"{row['home']} {row['course']} {number}"
    env = environment(row["home"], row.get("clock", NOW), chance)
    done = subprocess.run(
        [os.environ["CORPUS_PROGRAM"], *row["words"]],
        input=row.get("stdin", ""),
        capture_output=True,
        text=True,
        cwd=CORPUS / "work",
        env={**env, **row.get("env", {})},
        timeout=TIMEOUT_S,
        check=False,
    )
    answer = {"exit": done.returncode, "said": understood(done.stdout)}
    return {**row, **answer}


def home_path(home):
    return CORPUS / "homes" / home


def restore(home):
    """Puts the home in place as it was made, times of files included."""
    shutil.rmtree(home_path(home), ignore_errors=True)
    shutil.copytree(CORPUS / "pristine" / home, home_path(home), symlinks=True)


def journals(folder):
    """The sum of each journal of a home: of the runs, and of those in the archive."""
    sums = {}
    for journal in sorted(folder.glob("*/*/journal")):
        content = b"".join(segment.read_bytes() for segment in sorted(journal.glob("*.jsonl")))
        of_folder = sums.setdefault(journal.parent.parent.name, {})
        of_folder[journal.parent.name] = hashlib.sha256(content).hexdigest()
    return sums


def played(rows):
    """Each row, answered."""
    course, number = None, 0
    for row in rows:
        if course != (row["home"], row["course"]):
            course, number = (row["home"], row["course"]), 0
            restore(row["home"])
        if "words" in row:
            number += 1
            yield play(row, number)
        else:
            yield {**row, "journals": journals(home_path(row["home"]))}


def main(questions, answers):
    os.umask(0o077)
    with open(questions) as asked, open(answers, "w") as told:
        for row in played(json.loads(line) for line in asked):
            told.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
