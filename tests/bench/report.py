"""The table that the bench prints."""

import dataclasses


@dataclasses.dataclass
class Row:
    """One line of the table. `ok` is None where no budget is set."""

    what: str
    measured: str
    budget: str = ""
    ok: bool | None = None
    ratio: str = ""
    floor: str = ""

    def verdict(self):
        return "" if self.ok is None else "ok" if self.ok else "missed"

    def document(self):
        """For --json."""
        return dataclasses.asdict(self)

    def cells(self):
        return [self.what, self.measured, self.floor, self.ratio, self.budget, self.verdict()]


HEADINGS = ["what", "measured", "floor", "ratio", "budget", ""]


def ms(value):
    return f"{value:.2f} ms" if value < 100 else f"{value:,.0f} ms"


def within_factor(what, timing, floor, factor):
    """A command that may take a multiple of the floor."""
    ratio = timing.median / floor.median
    return Row(what, ms(timing.median), f"{factor} x floor", ratio <= factor, f"{ratio:.1f}",
               ms(floor.median))


def within_margin(what, timing, floor, margin_ms):
    """A command that may take some milliseconds more than the floor."""
    above = timing.median - floor.median
    return Row(what, ms(timing.median), f"floor + {margin_ms} ms", above <= margin_ms,
               f"+ {above:.2f} ms", ms(floor.median))


def table(rows, headings=HEADINGS):
    """As Markdown, aligned."""
    lines = [headings, *(row.cells() for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(headings))]
    text = [" | ".join(cell.ljust(width) for cell, width in zip(line, widths)) for line in lines]
    text.insert(1, " | ".join("-" * width for width in widths))
    return "\n".join(f"| {line} |" for line in text)
