"""A line plot as SVG: both axes logarithmic, one line for each series, its name at its end."""

import dataclasses
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 520
LEFT, RIGHT, TOP, BOTTOM = 70, 240, 56, 56
COLOURS = ["#1b6ca8", "#c1440e", "#2e7d32", "#6a1b9a", "#8d6e00", "#455a64"]
LABEL_HEIGHT = 15
STYLE = ("text{font:12px sans-serif;fill:#333}.title{font-size:15px;font-weight:600}"
         ".grid{stroke:#ddd}.line{fill:none;stroke-width:2}.mark{stroke:#fff}")


@dataclasses.dataclass
class Series:
    name: str
    points: list  # of (x, y), both above 0


class Axis:
    """Maps a range of values, widened to whole decades, to pixels."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(math.ceil(math.log10(max(values))), self.low + 1)
        self.begin, self.end = begin, end

    def at(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def decades(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def spread(wanted, least, most):
    """Places near the wanted ones, in their order, that do not overlap."""
    places = []
    for place in wanted:
        places.append(max(place, least if not places else places[-1] + LABEL_HEIGHT))
    for i in range(len(places) - 1, -1, -1):
        below = most if i == len(places) - 1 else places[i + 1] - LABEL_HEIGHT
        places[i] = min(places[i], below)
    return places


def text(x, y, words, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{escape(words)}</text>'


def grid(x_axis, y_axis, x_title, y_title):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = []
    for value in x_axis.decades():
        x = x_axis.at(value)
        parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>')
        parts.append(text(x, bottom + 18, f"{value:,.0f}", ' text-anchor="middle"'))
    for value in y_axis.decades():
        y = y_axis.at(value)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(text(LEFT - 8, y + 4, f"{value:,g}", ' text-anchor="end"'))
    parts.append(text((LEFT + right) / 2, HEIGHT - 14, x_title, ' text-anchor="middle"'))
    middle = (TOP + bottom) / 2
    parts.append(text(18, middle, y_title,
                      f' text-anchor="middle" transform="rotate(-90 18 {middle:.1f})"'))
    return parts


def curve(series, colour, x_axis, y_axis):
    places = [(x_axis.at(x), y_axis.at(y)) for x, y in series.points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = [f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}">'
             f"<title>{escape(series.name)}, {at:,g}: {value:.3g}</title></circle>"
             for (x, y), (at, value) in zip(places, series.points)]
    return [f'<polyline class="line" stroke="{colour}" points="{line}"/>', *marks]


def names(lines, y_axis):
    """The series from the top of the picture down, each with the place of its name."""
    lines = sorted(lines, key=lambda line: y_axis.at(line[0].points[-1][1]))
    wanted = [y_axis.at(series.points[-1][1]) + 4 for series, _ in lines]
    return zip(lines, spread(wanted, TOP + 4, HEIGHT - BOTTOM + 4))


def svg(title, x_title, y_title, all_series):
    """The picture as a text. The series are not empty."""
    points = [point for series in all_series for point in series.points]
    x_axis = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    y_axis = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    lines = [(series, COLOURS[i % len(COLOURS)]) for i, series in enumerate(all_series)]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             f"<title>{escape(title)}</title><style>{STYLE}</style>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             text(LEFT, 30, title, ' class="title"'), *grid(x_axis, y_axis, x_title, y_title)]
    for series, colour in lines:
        parts += curve(series, colour, x_axis, y_axis)
    for (series, colour), y in names(lines, y_axis):
        x = x_axis.at(series.points[-1][0]) + 10
        parts.append(text(x, y, series.name, f' style="fill:{colour}"'))
    return "\n".join([*parts, "</svg>"]) + "\n"
