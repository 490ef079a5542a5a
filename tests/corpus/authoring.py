"""How homes of the corpus are made, and commands on them are chosen: only `make` needs it.

A home is a function that gives commands through `Home.do`, and functions for its courses, which
give commands to a copy of it; the rows of these, answered, are what the test plays again.
"""

import json
import os

import player

TASK_OK = {"success": True, "exitCode": 0, "stderr": ""}
ENDED = ("completed", "failed", "halted", "cancelled")


def result_of(action):
    """What the outside world answers: the same to the same question."""
    label = action["label"]
    if action["kind"] == "model":
        usage = {"promptTokens": 7, "completionTokens": 3}
        return {"text": label, "sessionId": "s1", "usage": usage}
    if action["kind"] in ("worker", "branch", "compaction"):
        return {"summary": label}
    if action["kind"] == "shell":
        return {**TASK_OK, "stdout": label}
    return {"image": label}


class Home:
    """A home in the course in which it is made, or in another one. Its runs are simulated, unless
    it is a `real` one."""

    def __init__(self, name, course="make", real=False):
        self.name, self.course, self.real = name, course, real
        self.clock = player.NOW
        self.rows = []

    @property
    def path(self):
        return player.home_path(self.name)

    def ask(self, *words, stdin="", now=True):
        """One command, whatever it answers; the document. Without `now` it is not told the time."""
        given = [str(word) for word in words]
        behind = given.index("--") if "--" in given else len(given)
        clock = ["--now", self.clock] if now and not self.real else []
        given[behind:behind] = ["--json", *clock]
        row = {"home": self.name, "course": self.course, "words": given}
        if self.clock != player.NOW:
            row["clock"] = self.clock
        if stdin:
            row["stdin"] = stdin
        self.rows.append(player.play(row, len(self.rows) + 1))
        return self.rows[-1]["said"]

    def do(self, *words, exit=0, **options):
        """A command that must end so."""
        said = self.ask(*words, **options)
        if self.rows[-1]["exit"] != exit:
            raise AssertionError(f"{self.name}/{self.course}: {self.rows[-1]}")
        return said

    def create(self, run, entry, *words, **inputs):
        given = [f"--input={name}={json.dumps(value)}" for name, value in inputs.items()]
        simulated = () if self.real else ("--simulated",)
        what = ("--process", entry) if "." not in entry else ("--entry", entry)
        return self.do("run:create", "--run-id", run, *what, *simulated, *given, *words)

    def begin(self, run, entry, *words, **inputs):
        """Creates and iterates it once."""
        self.create(run, entry, *words, **inputs)
        return self.iterate(run)

    def iterate(self, run, *words):
        return self.ask("run:iterate", run, *words)

    def post(self, run, effect, value=None, *words, error=None):
        """By the effect's id, or by its key."""
        named = (effect,) if effect[1:].isdigit() else ("--effect-key", effect)
        if error is not None:
            given = ("--status", "error", "--error-inline", json.dumps(error))
        else:
            given = ("--status", "ok", "--value-inline", json.dumps(value))
        return self.do("task:post", run, *named, *given, *words)

    def write(self, name, content):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))

    def taken(self):
        """Whether the last command was."""
        return self.rows[-1]["exit"] == 0

    def answer(self, run, action):
        """Does what an open effect asks for, as the outside world would; whether that was taken."""
        if "childRunId" in action:
            return self.drive(action["childRunId"])
        if action["kind"] == "sleep":
            return False
        if action["kind"] != "breakpoint":
            words = ("--status", "ok", "--force", "--value-inline", json.dumps(result_of(action)))
            self.ask("task:post", run, action["effectId"], *words)
            return self.taken()
        for by in ("ada", "bob"):
            words = ("--by", by, "--response", "yes")
            answered = self.ask("approval:approve", run, action["effectId"], *words)
            if not answered.get("missing"):
                break
        return self.taken()

    def drive(self, run, late=False, rounds=8):
        """Takes a run as far as the outside world can, in so many rounds at most: it answers, and
        when there is nothing to answer time passes. `late`: time passes first. Whether anything was
        done."""
        done = False
        for _ in range(rounds):
            state = self.iterate(run)
            if state.get("error") or state["status"] in ENDED or state["status"] == "paused":
                return True
            until = (state["until"][:19] + "Z") if "until" in state else ""
            if not (late and until > self.clock) and self.answers(run, state):
                done = True
            elif until > self.clock:
                self.clock = until
            else:
                break
        return done

    def answers(self, run, state):
        taken = [self.answer(run, action) for action in state["nextActions"]]
        for name in state.get("awaits", []):
            if "." not in name:
                self.ask("run:signal", run, name, "--value-inline", '"bye"')
                taken.append(self.taken())
        return any(taken)


ACROSS = (
    ("inbox", "--all"),
    ("run:list", "--all"),
    ("task:list", "--all"),
    ("approval:list", "--all"),
    ("event:list", "--all"),
    ("index:status",),
)


def runs_of(home, folder="runs"):
    path = home.path / folder
    return sorted(entry.name for entry in path.iterdir()) if path.exists() else []


def read_everything(home):
    """What every home is asked: across its runs with the index that it has and with a new one; all
    about each run; one effect of each sort."""
    for words in ACROSS:
        home.ask(*words)
    home.ask("index:rebuild")
    for words in ACROSS:
        home.ask(*words)
    seen = set()
    for run in runs_of(home):
        read_run(home, run, seen)


def read_run(home, run, seen):
    status = home.ask("run:status", run)
    home.ask("run:verify", run)
    home.ask("run:events", run, "--all")
    if status.get("state") in ENDED or not seen:
        home.ask("run:output", run)
    if "." not in run:
        home.ask("run:tree", run)
    if (home.path / "logs" / f"{run}.jsonl").exists():
        home.ask("run:logs", run)
    for task in home.ask("task:list", run, "--all").get("tasks", []):
        sort = (task["kind"], task["status"], task.get("standing"))
        if sort not in seen:
            seen.add(sort)
            home.ask("task:show", run, task["effectId"])


def go_on(*runs, late=False):
    """The course in which these runs are driven on, by default all, and the journals that come of
    it are read. `late`: what waits for an answer waits until its time is over."""

    def course(home):
        for run in runs or runs_of(home):
            if "." not in run or runs:
                home.drive(run, late)
        before = player.journals(player.CORPUS / "pristine" / home.name)
        for run, sum in player.journals(home.path)["runs"].items():
            if before["runs"].get(run) != sum:
                home.ask("run:events", run, "--all")
                home.ask("run:verify", run)

    return course


def standing_time(folder, clock=player.NOW):
    """Gives all files one time: archives are the same however long it took to make them."""
    at = player.seconds(clock) - 3600
    for root, _, files in os.walk(folder, topdown=False):
        for name in [*files, "."]:
            os.utime(os.path.join(root, name), (at, at), follow_symlinks=False)
