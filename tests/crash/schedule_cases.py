"""The commands of schedules, in the situations in which they write. Their run is called schedules,
and a schedule that is fired asks for a command."""

ADD = ("--every", "1h", "--command", "make", "--name", "nightly")


def scheduled(*before):
    """A home with a schedule, which was told these commands since."""

    def prepare(home):
        home.must("schedule:add", *ADD)
        for verb in before:
            home.must(f"schedule:{verb}", "nightly")

    return prepare


def overdue(home):
    """One that should have fired some hours ago."""
    home.must("schedule:add", *ADD, now="2025-12-31T20:30:00Z")


def nothing(_):
    """Not even a folder of runs."""


# (name, command, words, prepare)
SCHEDULE_CASES = (
    ("the first of all", "schedule:add", (*ADD, "--key", "k"), nothing),
    ("another", "schedule:add", ("--every", "2h", "--command", "test", "--key", "k"), scheduled()),
    ("less often", "schedule:edit", ("nightly", "--every", "2h", "--key", "k"), scheduled()),
    ("that is on", "schedule:disable", ("nightly", "--key", "k"), scheduled()),
    ("that is off", "schedule:enable", ("nightly", "--key", "k"), scheduled("disable")),
    ("one", "schedule:run-now", ("nightly", "--key", "k"), scheduled()),
    # By its number: nobody knows the name of one that was removed.
    ("by its number", "schedule:remove", ("1",), scheduled()),
)
