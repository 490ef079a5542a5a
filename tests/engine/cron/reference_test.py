"""Cron expressions, generated, before other implementations: croniter in UTC, and in zones a search
minute by minute with Python's own zoneinfo. REPRISE_NIGHTLY=1 takes many more."""

import datetime
import os
import random
import subprocess
import sys
import unittest
import zoneinfo

from croniter import croniter

PROGRAM = sys.argv.pop(1)
UTC = datetime.timezone.utc
MINUTE = datetime.timedelta(minutes=1)
COUNT = 100 if os.environ.get("REPRISE_NIGHTLY") else 1
MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
DAYS = "SUN MON TUE WED THU FRI SAT".split()
ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/St_Johns",
         "Africa/Casablanca", "Asia/Kathmandu", "Pacific/Apia", "America/Havana", "Asia/Tehran"]


def answers(questions):
    """Of (expression, zone, time, count): a list of times each, or a refusal."""
    lines = "".join(f"{e}\t{z}\t{int(t.timestamp())}\t{n}\n" for e, z, t, n in questions)
    out = subprocess.run([PROGRAM], input=lines, capture_output=True, text=True, check=True)
    return [
        [datetime.datetime.fromtimestamp(int(word), UTC) for word in line.split()]
        if line[:1].isdigit() else line
        for line in out.stdout.splitlines()
    ]


class Expressions:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def value(self, low, high, names):
        number = self.random.randint(low, high)
        if names and self.random.random() < 0.4:
            name = names[number % len(names) if low == 0 else number - 1]
            return self.random.choice([name, name.lower()])
        return str(number)

    def part(self, low, high, names):
        kind = self.random.random()
        if kind < 0.5:
            return self.value(low, high, names)
        first = self.random.randint(low, high - 1)
        last = self.random.randint(first, high)
        text = f"{first}-{last}"
        return text if kind < 0.8 else f"{text}/{self.random.randint(1, max(1, (high - low) // 2))}"

    def field(self, low, high, names=None, star=0.4, stepped=True):
        if self.random.random() < star:
            steps = stepped and self.random.random() < 0.5
            return f"*/{self.random.randint(2, (high - low) // 2 + 1)}" if steps else "*"
        parts = self.random.choice([1, 1, 2, 3])
        return ",".join(self.part(low, high, names) for _ in range(parts))

    def next(self):
        # Days that are all named are a star for croniter.
        while True:
            words = self.any().split()
            expanded = croniter(" ".join(words)).expanded
            if all(expanded[at] != ["*"] or words[at].startswith("*") for at in (2, 4)):
                return " ".join(words)

    def any(self):
        # "*/2" in a field of days is a star for crontab(5), and none for croniter: it is compared
        # where that makes no difference.
        day = self.field(1, 31, star=0.6)
        weekday = self.field(0, 6, DAYS, star=0.6, stepped=day == "*")
        if weekday != "*" and day.startswith("*/"):
            day = "*"
        return " ".join([self.field(0, 59), self.field(0, 23), day,
                         self.field(1, 12, MONTHS, star=0.6), weekday])

    def time(self):
        return datetime.datetime(2020, 1, 1, tzinfo=UTC) + datetime.timedelta(
            seconds=self.random.randrange(20 * 365 * 86400))


def expected_by_croniter(expression, start, count):
    try:
        search = croniter(expression, start)
        return [search.get_next(datetime.datetime) for _ in range(count)]
    except Exception:  # it has several for what has no next time
        return "INVALID_CRON"


class Clock:
    """The rule in the plainest words: every minute that a zone's clock shows, and when. All days
    fit."""

    def __init__(self, expression, zone):
        self.zone = zoneinfo.ZoneInfo(zone)
        minutes, hours = croniter(expression).expanded[:2]
        self.minutes = set(minutes)
        self.every_hour = hours == ["*"]
        self.hours = set(range(24)) if self.every_hour else set(hours)

    def fits(self, local):
        return local.minute in self.minutes and local.hour in self.hours

    def after(self, start, until):
        """The occurrences in (start, until]."""
        times = []
        at = start.replace(second=0, microsecond=0)
        shown = set()  # what the clock showed before
        local = None
        while at <= until:
            before = local
            local = at.astimezone(self.zone).replace(tzinfo=None)
            fires = self.fits(local) and (self.every_hour or local not in shown)
            if before is not None and not self.every_hour:
                skipped = before + MINUTE
                while skipped < local:  # the clock jumped
                    fires = fires or self.fits(skipped)
                    skipped += MINUTE
            shown.add(local)
            if fires and at > start:
                times.append(at)
            at += MINUTE
        return times


class Reference(unittest.TestCase):
    def test_expressions_have_the_next_times_that_croniter_gives(self):
        expressions = Expressions(26)
        questions = [(expressions.next(), "UTC", expressions.time(), 4)
                     for _ in range(1500 * COUNT)]
        refused = 0
        for question, found in zip(questions, answers(questions)):
            expression, _, start, count = question
            expected = expected_by_croniter(expression, start, count)
            refused += found == "INVALID_CRON"
            self.assertEqual(found, expected, f"{expression} after {start}")
        self.assertLess(refused, len(questions) / 10)

    def test_zones_have_the_times_that_a_search_by_the_minute_finds(self):
        expressions = Expressions(27)
        questions, searches = [], []
        for index in range(24 * COUNT):
            zone = ZONES[index % len(ZONES)]
            minute = expressions.random.choice(["30", "*/20", "5,45", "0"])
            hour = expressions.random.choice(["*", "2", "1-3", "0,2", "*/2", "23", "1", "0"])
            expression = f"{minute} {hour} * * *"
            change = self.change(zone, expressions.random)
            start = change - datetime.timedelta(hours=30, minutes=expressions.random.randrange(60))
            questions.append((expression, zone, start, 60))
            searches.append((Clock(expression, zone), start, change + datetime.timedelta(hours=30)))
        for question, found, (clock, start, until) in zip(questions, answers(questions), searches):
            # What the clock showed in the day before is known to the search, too.
            before = start - datetime.timedelta(days=1)
            expected = [time for time in clock.after(before, until) if time > start]
            self.assertTrue(expected)
            self.assertEqual([t for t in found if t <= until], expected[:60], question)

    @staticmethod
    def change(zone, chance):
        """A moment at which the zone's clock changes, to the minute."""
        rules = zoneinfo.ZoneInfo(zone)
        at = datetime.datetime(2011 if zone == "Pacific/Apia" else chance.randint(2000, 2035),
                               chance.randint(1, 6), 1, tzinfo=UTC)
        end = at + datetime.timedelta(days=400)
        offset = at.astimezone(rules).utcoffset()
        while at < end and at.astimezone(rules).utcoffset() == offset:
            at += datetime.timedelta(days=1)
        at -= datetime.timedelta(days=1)
        while at < end and at.astimezone(rules).utcoffset() == offset:
            at += MINUTE
        return at


if __name__ == "__main__":
    unittest.main()
