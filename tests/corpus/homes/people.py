"""Questions to people, open, answered, of a quorum; work that is claimed, retried, late, held."""

from authoring import go_on

LATER = "2026-01-05T08:20:00Z"


def approvals(home):
    home.begin("open", "council.mjs")
    home.begin("some", "council.mjs")
    home.do("approval:approve", "some", "--key", "quorum", "--by", "ada", "--comment", "fine")
    home.do("approval:approve", "some", "--key", "which", "--option", "later", "--by", "cy")
    home.do("approval:deny", "some", "--key", "plain", "--by", "bob", "--comment", "no")
    home.begin("all-but-one", "council.mjs", hours=1)
    for by in ("ada", "bob"):
        home.do("approval:approve", "all-but-one", "--key", "quorum", "--by", by)
    home.do("approval:approve", "all-but-one", "--key", "plain", "--by", "ada", "--iterate")
    home.do("approval:approve", "all-but-one", "--key", "which", "--option", "now", "--by", "ada")
    home.do("approval:approve", "all-but-one", "--key", "shaped", "--response", "7", "--by", "ada")
    home.begin("expired", "council.mjs", hours=1)
    home.begin("denied", "steps.mjs", steps=0)
    home.clock = LATER


def answer_people(home):
    home.ask("approval:list", "--run", "some")
    home.ask("approval:list", "--limit", "2")
    for key in ("plain", "which", "quorum", "timely", "shaped"):
        home.ask("approval:show", "some", "--key", key)
    home.ask("approval:approve", "open", "--key", "quorum", "--by", "eve")
    home.ask("approval:approve", "open", "--key", "which", "--option", "never")
    digest = home.ask("approval:show", "open", "--key", "plain")["approval"]["digest"]
    home.ask("approval:approve", "open", "--key", "plain", "--expect", digest, "--by", "ada")
    home.ask("approval:approve", "open", "--key", "plain", "--by", "bob")
    home.ask("approval:deny", "open", "--key", "plain", "--by", "bob")
    home.ask("approval:approve", "some", "--key", "quorum", "--by", "bob", "--iterate")
    home.ask("approval:deny", "open", "--key", "quorum", "--by", "cy", "--comment", "no")
    home.clock = "2026-01-05T10:00:00Z"
    home.ask("approval:list")
    home.ask("approval:approve", "expired", "--key", "timely", "--by", "ada")
    home.iterate("expired")


def work(home):
    boom = {"name": "JobFailed", "message": "boom"}
    home.begin("open", "patient.mjs")
    home.begin("busy", "patient.mjs")
    for key in ("timed", "lost", "plain"):
        home.do("task:claim", "busy", "--key", key, "--worker", f"w-{key}", "--lease", "5m")
    home.do("task:progress", "busy", "--key", "plain", "--value-inline", '{"percent":40}',
            "--force")  # fmt: skip
    home.post("busy", "retried", error=boom)
    for _ in range(2):
        home.post("busy", "held", error=boom)
        home.clock = home.clock[:17] + f"{int(home.clock[17:19]) + 5:02}Z"
        home.iterate("busy")
    home.do("task:post", "busy", "--effect-key", "shaped", "--status", "ok", "--force",
            "--value-inline", '{"picture":"no image"}')  # fmt: skip
    home.begin("given-back", "patient.mjs")
    home.do("task:claim", "given-back", "--key", "plain", "--worker", "w", "--lease", "1h")
    home.do("task:extend", "given-back", "--key", "plain", "--force", "--lease", "2h")
    home.do("task:release", "given-back", "--key", "plain", "--force")
    home.do("task:cancel", "given-back", "--key", "lost", "--reason", "not needed")
    home.begin("late", "waits.mjs", **{"from": 4})
    home.do("run:signal", "late", "rare")
    home.iterate("late")
    home.do("task:post", "late", "t1", "--status", "ok", "--value-inline", "1")
    home.begin("lost", "patient.mjs")
    home.do("task:claim", "lost", "--key", "timed", "--worker", "w", "--lease", "1m")
    home.do("task:claim", "lost", "--key", "lost", "--worker", "w", "--lease", "1m")
    home.clock = LATER
    home.iterate("lost")
    home.begin("logged", "steps.mjs")
    log = home.path.parent.parent / "work" / "steps.answers.json"
    home.do("task:post", "logged", "t1", "--status", "ok", "--value-inline", '{"exitCode":0}',
            "--stdout-file", log, "--stderr-file", log, "--key", "p", "--started-at",
            "2026-01-05T08:00:00Z", "--finished-at", "2026-01-05T08:01:00Z")  # fmt: skip


def claims(home):
    token = home.ask("task:claim", "open", "--key", "plain", "--worker", "w")["claim"]["token"]
    home.ask("task:claim", "open", "--key", "plain", "--worker", "other")
    home.ask("task:claim", "open", "--next", "--kind", "ci-job", "--worker", "other")
    home.ask("task:progress", "open", "--key", "plain", "--token", token, "--value-inline", "1")
    home.ask("task:extend", "open", "--key", "plain", "--token", token, "--lease", "1h")
    for key, value, *words in (("plain", "1"), ("plain", "1", "--token", token), ("plain", "2"),
                               ("shaped", "{}")):  # fmt: skip
        home.ask("task:post", "open", "--effect-key", key, "--status", "ok", "--value-inline",
                 value, *words)  # fmt: skip
    home.ask("task:claim", "open", "--key", "timed", "--worker", "w", "--lease", "1h")
    home.ask("task:release", "open", "--key", "timed", "--force")
    home.ask("approval:approve", "busy", "--key", "held", "--by", "ada")
    home.ask("approval:deny", "lost", "--key", "lost", "--by", "ada")
    home.ask("task:list", "busy", "--standing", "claimed")
    home.ask("task:list", "--kind", "ci-job", "--standing", "held")
    home.ask("task:list", "--standing", "available", "--limit", "2")
    home.ask("task:logs", "logged", "t1")
    home.ask("task:logs", "logged", "t1", "--stderr")
    home.clock = "2026-01-05T09:00:00Z"
    home.ask("task:claim", "busy", "--key", "lost", "--worker", "late")
    home.iterate("open")


HOMES = {
    "approvals": (False, approvals, {
        "answer": answer_people, "go-on": go_on(), "late": go_on("open", "expired", late=True),
    }),
    "work": (False, work, {
        "claims": claims, "go-on": go_on(), "late": go_on("open", "busy", "lost", late=True),
    }),
}  # fmt: skip
