"""The plot that scripts/bench draws."""

import re
import unittest
import xml.etree.ElementTree as xml

import plot

SVG = "{http://www.w3.org/2000/svg}"


def draw(*series, title="Costs"):
    text = plot.svg(title, "records", "ms", [plot.Series(name, points) for name, points in series])
    return xml.fromstring(text)


def texts(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def curve(picture, number=0):
    line = list(picture.iter(f"{SVG}polyline"))[number]
    return [tuple(map(float, point.split(","))) for point in line.get("points").split()]


class Plot(unittest.TestCase):
    def test_a_power_law_is_a_straight_line(self):
        (ax, ay), (bx, by), (cx, cy) = curve(draw(("a", [(10, 1), (100, 10), (1000, 100)])))
        self.assertAlmostEqual(bx - ax, cx - bx, delta=0.2)
        self.assertAlmostEqual(by - ay, cy - by, delta=0.2)
        self.assertLess(ax, bx)
        self.assertGreater(ay, by)  # more is higher up

    def test_the_axes_end_at_whole_decades_around_the_values(self):
        shown = texts(draw(("a", [(20, 0.3), (7_000, 45)])))
        for label in ("10", "100", "1,000", "10,000", "0.1", "1"):
            self.assertIn(label, shown)
        self.assertNotIn("100,000", shown)
        self.assertNotIn("0.01", shown)

    def test_one_value_is_drawn_within_the_picture(self):
        ((x, y),) = curve(draw(("a", [(10, 1)])))
        self.assertTrue(0 <= x <= plot.WIDTH and 0 <= y <= plot.HEIGHT)

    def test_names_do_not_overlap_and_stay_inside(self):
        names = [f"line {i}" for i in range(6)]
        picture = draw(*((name, [(10, 1), (100, 1 + i / 1000)]) for i, name in enumerate(names)))
        places = sorted(float(element.get("y")) for element in picture.iter(f"{SVG}text")
                        if element.text in names)
        self.assertEqual(len(places), len(names))
        for above, below in zip(places, places[1:]):
            self.assertGreaterEqual(below - above, plot.LABEL_HEIGHT)
        self.assertLess(places[-1], plot.HEIGHT)

    def test_words_from_outside_are_escaped(self):
        picture = draw(("<b> & \"c\"", [(10, 1), (100, 2)]), title="</svg>")
        self.assertIn("<b> & \"c\"", texts(picture))
        self.assertIn("</svg>", texts(picture))

    def test_each_point_says_what_it_is(self):
        titles = [element.text for element in draw(("a", [(1000, 2.345)])).iter(f"{SVG}title")]
        self.assertTrue(any(re.fullmatch(r"a, 1,000: 2\.3[45]", title) for title in titles), titles)


if __name__ == "__main__":
    unittest.main()
