"""Draws how each cost grows with the number of records, from raw runs of `make bench`.

    plot_growth.py [--to FOLDER] RUN.json…

Writes growth.svg to FOLDER, by default Documentation. Both axes are logarithmic. Each line ends
with its name and its value at the largest size. A thin line shows how a cost in proportion to the
records would grow.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import sys
from dataclasses import dataclass
from html import escape
from typing import Any

WIDTH, HEIGHT = 840, 600
LEFT, RIGHT, TOP, BOTTOM = 64, 516, 56, 548
LABEL_GAP = 17.0
LABEL_LEFT = RIGHT + 30

# Colours in light and dark, by group. Labels identify the lines, colours only the groups.
GROUPS = {
    "import": ("#0369A1", "#38BDF8"),
    "statistics": ("#C2410C", "#FB923C"),
    "page": ("#4338CA", "#818CF8"),
    "watcher": ("#0F766E", "#2DD4BF"),
}

STYLE_LIGHT = """
.card { fill: #FFFFFF }
.text { fill: #1B1F24 }
.quiet { fill: #56606B }
.grid { stroke: #E3E6EA }
.reference { stroke: #56606B }
.line { fill: none; stroke-width: 2 }
.leader { fill: none; stroke-width: 1; opacity: 0.6 }
"""

STYLE_DARK = """
.card { fill: #1B1F24 }
.text { fill: #F4F5F7 }
.quiet { fill: #A9B2BC }
.grid { stroke: #333A42 }
.reference { stroke: #A9B2BC }
"""


def group_styles(theme: int) -> str:
    """Returns the colours of all groups, without variables, which some programs can't read."""
    return "".join(
        f".{group} path {{ stroke: {colours[theme]} }}\n"
        f".{group} circle, .{group} text {{ fill: {colours[theme]} }}\n"
        for group, colours in GROUPS.items()
    )


STYLE = (
    f"{STYLE_LIGHT}{group_styles(0)}"
    f"@media (prefers-color-scheme: dark) {{{STYLE_DARK}{group_styles(1)}}}"
)


@dataclass(frozen=True)
class Spread:
    """The median and the range of repeated runs."""

    median: float
    least: float
    most: float
    runs: int

    @staticmethod
    def read(value: dict[str, Any]) -> Spread | None:
        """Returns nothing without runs: Swift writes their median as text."""
        if not value["runs"]:
            return None
        return Spread(value["median"], value["least"], value["most"], value["runs"])


@dataclass(frozen=True)
class Point:
    """The cost of one operation at one size."""

    records: int
    wall: Spread
    processor: Spread | None
    peak: Spread | None
    file: Spread | None
    samples: int | None


Series = dict[str, list[Point]]


def read_series(runs: list[dict[str, Any]]) -> Series:
    """Returns each operation with its points by size. Of one size in two runs, the last counts."""
    found: dict[str, dict[int, Point]] = {}
    for row in (row for run in runs for row in run.get("growth", [])):
        wall = Spread.read(row["wallSeconds"])
        if wall is None:
            continue
        point = Point(
            row["records"],
            wall,
            Spread.read(row["processorSeconds"]),
            Spread.read(row["peakBytes"]),
            Spread.read(row["fileBytes"]),
            row.get("samples"),
        )
        found.setdefault(row["name"], {})[point.records] = point
    return {name: [points[size] for size in sorted(points)] for name, points in found.items()}


def digits(value: float) -> str:
    """Returns a number with three significant digits, as the benchmarks print it."""
    if value == 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


def duration(seconds: float) -> str:
    return f"{digits(seconds * 1000)} ms" if seconds < 1 else f"{digits(seconds)} s"


def size_text(records: int) -> str:
    if records >= 1_000_000 and records % 100_000 == 0:
        return f"{records / 1e6:g} million"
    return f"{records:,}"


def group(name: str) -> str:
    """Returns the group of an operation; “first page after an import” is a page."""
    if "page" in name:
        return "page"
    if "import" in name:
        return "import"
    return "watcher" if "mirrored" in name else "statistics"


def label_places(wanted: list[float]) -> list[float]:
    """Returns places for labels that are at least LABEL_GAP apart and near those wanted."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = [0.0] * len(wanted)
    last = -math.inf
    for index in order:
        last = max(wanted[index], last + LABEL_GAP)
        places[index] = last
    # Labels that were pushed below the axis are moved up again.
    last = BOTTOM + LABEL_GAP
    for index in reversed(order):
        last = min(places[index], last - LABEL_GAP)
        places[index] = last
    return places


class Plot:
    def __init__(self, series: Series) -> None:
        self.series = series
        self.sizes = sorted({point.records for points in series.values() for point in points})
        seconds = [point.wall.median for points in series.values() for point in points]
        # Above the highest value there is place for the reference.
        self.decades = range(
            math.floor(math.log10(min(seconds))), math.ceil(math.log10(max(seconds)) + 0.5) + 1
        )
        self.margin = 0.04

    def x(self, records: float) -> float:
        first, last = math.log10(self.sizes[0]), math.log10(self.sizes[-1])
        share = (math.log10(records) - first) / ((last - first) or 1)
        return LEFT + (RIGHT - LEFT) * (self.margin + share * (1 - self.margin))

    def y(self, seconds: float) -> float:
        first, last = self.decades[0], self.decades[-1]
        return BOTTOM - (BOTTOM - TOP) * (math.log10(seconds) - first) / (last - first)

    def axes(self) -> list[str]:
        lines = []
        for decade in self.decades:
            y = self.y(10**decade)
            unit = f"{10 ** (decade + 3):g} ms" if decade < 0 else f"{10**decade:,} s"
            lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>')
            lines.append(
                f'<text class="quiet" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">'
                f"{unit}</text>"
            )
        for size in self.sizes:
            x = self.x(size)
            lines.append(f'<path class="grid" d="M{x:.1f} {TOP}V{BOTTOM}"/>')
            lines.append(
                f'<text class="quiet" x="{x:.1f}" y="{BOTTOM + 20}" text-anchor="middle">'
                f"{size_text(size)}</text>"
            )
        middle = (LEFT + RIGHT) / 2
        lines.append(
            f'<text class="quiet" x="{middle}" y="{BOTTOM + 40}" text-anchor="middle">'
            "records in the export</text>"
        )
        return lines

    def reference(self) -> list[str]:
        """The line of a cost in proportion to the records, in the free area above all others."""
        first, last = self.sizes[0], self.sizes[-1]
        seconds = 10 ** self.decades[-1] * 0.8
        start = seconds * first / last
        x, y = self.x(last), self.y(seconds)
        slope = math.degrees(math.atan2(self.y(start) - y, x - self.x(first)))
        middle = (self.x(first) + x) / 2
        above = (self.y(start) + y) / 2 - 6
        return [
            (
                f'<path class="reference" stroke-dasharray="4 4" '
                f'd="M{self.x(first):.1f} {self.y(start):.1f}L{x:.1f} {y:.1f}"/>'
            ),
            (
                f'<text class="quiet" text-anchor="middle" transform="translate({middle:.1f} '
                f'{above:.1f}) rotate({-slope:.1f})">'
                "linear: ten times the records, ten times the time</text>"
            ),
        ]

    def lines(self) -> list[str]:
        names = sorted(self.series, key=lambda name: -self.series[name][-1].wall.median)
        ends = [self.y(self.series[name][-1].wall.median) for name in names]
        drawn = []
        for name, end, place in zip(names, ends, label_places(ends)):
            points = self.series[name]
            path = "L".join(f"{self.x(p.records):.1f} {self.y(p.wall.median):.1f}" for p in points)
            drawn.append(f'<g class="{group(name)}">')
            drawn.append(f'<path class="line" d="M{path}"/>')
            for point in points:
                words = f"{name}, {size_text(point.records)} records: {duration(point.wall.median)}"
                drawn.append(
                    f'<circle cx="{self.x(point.records):.1f}" '
                    f'cy="{self.y(point.wall.median):.1f}" r="3.5"><title>{escape(words)}</title>'
                    "</circle>"
                )
            start = self.x(points[-1].records) + 5
            drawn.append(
                f'<path class="leader" d="M{start:.1f} {end:.1f}L{LABEL_LEFT - 4} {place:.1f}"/>'
            )
            drawn.append(
                f'<text x="{LABEL_LEFT}" y="{place + 4:.1f}">{escape(name)}, '
                f"{duration(points[-1].wall.median)}</text></g>"
            )
        return drawn

    def description(self) -> str:
        words = [
            f"{name}: {duration(points[0].wall.median)} at {size_text(points[0].records)} records"
            + (
                f", {duration(points[-1].wall.median)} at {size_text(points[-1].records)}"
                if len(points) > 1
                else ""
            )
            for name, points in self.series.items()
        ]
        return "Seconds by number of records, both axes logarithmic. " + "; ".join(words) + "."

    def svg(self) -> str:
        title = "How the cost of each operation grows with the number of records"
        return "\n".join(
            [
                (
                    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                    'role="img" aria-labelledby="title description">'
                ),
                f'<title id="title">{title}</title>',
                f'<desc id="description">{escape(self.description())}</desc>',
                f"<style>{STYLE}</style>",
                '<rect class="card" width="100%" height="100%" rx="12"/>',
                (
                    '<g font-family="system-ui, -apple-system, Segoe UI, Roboto, sans-serif" '
                    'font-size="13">'
                ),
                (
                    f'<text class="text" x="{LEFT - 48}" y="32" font-size="17" font-weight="600">'
                    "Time by number of records</text>"
                ),
                *self.axes(),
                *self.reference(),
                *self.lines(),
                "</g>",
                "</svg>",
                "",
            ]
        )


def read_arguments(description: str) -> tuple[list[dict[str, Any]], pathlib.Path]:
    """Returns the runs of the files that are named, and the folder to write to."""
    parser = argparse.ArgumentParser(description=description)
    documentation = pathlib.Path(__file__).resolve().parents[2] / "Documentation"
    parser.add_argument("--to", metavar="FOLDER", type=pathlib.Path, default=documentation)
    parser.add_argument("runs", metavar="RUN.json", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in arguments.runs]
    return runs, arguments.to


def write_plot(series: Series, folder: pathlib.Path) -> None:
    (folder / "growth.svg").write_text(Plot(series).svg(), encoding="utf-8")


def main() -> None:
    runs, folder = read_arguments("Draws how each cost grows with the number of records.")
    series = read_series(runs)
    if not series:
        sys.exit("No run has the suite growth.")
    write_plot(series, folder)


if __name__ == "__main__":
    main()
