"""Renders raw runs of `make bench` into Documentation/Performance.md, with the plot.

    render_performance.py [--to FOLDER] Benchmarks/Results/RUN.json…

Replaces the text between the comments "rendered: NAME" and "end of NAME". A later run replaces the
figures that an earlier one has too. Runs of several machines are refused, and runs with failures.
"""

from __future__ import annotations

import math
import pathlib
import re
import sys
import textwrap
from typing import Any

from plot_growth import (
    Point,
    Series,
    Spread,
    digits,
    duration,
    read_arguments,
    read_series,
    size_text,
    write_plot,
)

Run = dict[str, Any]

UNMEASURED = "Not measured yet."


def table(head: list[str], rows: list[list[str]]) -> str:
    """Returns a Markdown table with the first column left-aligned and the others right-aligned."""
    border = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, border, *rows])


def paragraph(words: str) -> str:
    return textwrap.fill(words, 118, break_long_words=False, break_on_hyphens=False)


def latest(runs: list[Run], part: str) -> list[dict[str, Any]]:
    """Returns the rows by name, in order of their first run, with the figures of their last.

    Rows of equal name in one run stay apart. The first runs have some.
    """
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for run in runs:
        seen: dict[str, int] = {}
        for row in run[part]:
            seen[row["name"]] = seen.get(row["name"], 0) + 1
            found[row["name"], seen[row["name"]]] = row
    return list(found.values())


def spread_text(spread: Spread, scale: float = 1) -> str:
    middle = digits(spread.median * scale)
    if spread.runs == 1:
        return middle
    return f"{middle} [{digits(spread.least * scale)}–{digits(spread.most * scale)}]"


# What was measured, and on what.


def machine_part(runs: list[Run]) -> str:
    machine = runs[-1]["machine"]
    rows = [
        ["processor", f"{machine['processor']}, {machine['processors']} cores"],
        ["memory", f"{machine['memory'] / 2**30:.0f} GB"],
        ["system", f"{machine['system']}, kernel {machine['kernel']}"],
        ["Swift", machine["swift"]],
        ["SQLite", machine["sqlite"]],
    ]
    for run in runs:
        started = run["machine"]
        words = f"{started['day']}, commit {started['commit']}"
        words += f", load average {digits(started['load'])} at its start"
        rows.append(["run", words])
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {words} |" for name, words in rows)])


def command_part(runs: list[Run]) -> str:
    sizes = sorted({row["records"] for run in runs for row in run.get("growth", [])})
    records = f"--records {','.join(map(str, sizes))} " if sizes else ""
    command = f"make bench BENCH='{records}--json Benchmarks/Results/DATE.json'"
    render = "python3 Benchmarks/Python/render_performance.py Benchmarks/Results/DATE.json"
    return f"```sh\n{command}\n{render}\n```"


def limits_part(runs: list[Run]) -> str:
    rows = []
    for row in latest(runs, "findings"):
        figure = Spread.read(row["figure"])
        if figure is None:
            continue
        verdict = row["verdict"] if "bound" in row else ""
        measured = f"{spread_text(figure)} {row['unit']}"
        rows.append([row["name"], measured, row.get("bound", ""), verdict, str(figure.runs)])
    return table(["", "measured", "limit", "", "runs"], rows) if rows else UNMEASURED


def programs_part(runs: list[Run]) -> str:
    rows = []
    for row in latest(runs, "measurements"):
        wall, processor, peak = (
            Spread.read(row[key]) for key in ("wallSeconds", "processorSeconds", "peakBytes")
        )
        if wall is None or processor is None or peak is None:
            continue
        scale, unit = (1000, "ms") if wall.median < 1 else (1, "s")
        rows.append(
            [
                row["name"],
                f"{spread_text(wall, scale)} {unit}",
                duration(processor.median),
                f"{digits(peak.most / 1e6)} MB",
                str(wall.runs),
            ]
        )
    head = ["program", "wall time", "processor time", "peak memory", "runs"]
    return table(head, rows) if rows else UNMEASURED


def checks_part(runs: list[Run]) -> str:
    lines = [words for run in runs for words in run["checks"]]
    skipped = [f"Skipped: {words}" for run in runs for words in run["skipped"]]
    items = list(dict.fromkeys(lines + skipped))
    return "\n".join(
        textwrap.fill(
            words[0].upper() + words[1:],
            118,
            initial_indent="- ",
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        for words in items
    )


# How costs grow.


def exponent(first: Point, last: Point) -> float:
    """Returns 1 if the processor time is in proportion to the records, and 0 if it is the same.

    Other load on the machine affects wall time more. It counts where there is no processor time.
    """
    one, other = (point.processor or point.wall for point in (first, last))
    return math.log(other.median / one.median) / math.log(last.records / first.records)


def factor_text(slope: float) -> str:
    """Returns the factor of a cost when the records are ten times as many."""
    return f"{10**slope:.1f} ×"


def sizes_of(series: Series) -> list[int]:
    return sorted({point.records for points in series.values() for point in points})


def growth_table(series: Series) -> str:
    sizes = sizes_of(series)
    rows = []
    for name, points in series.items():
        found = {point.records: point for point in points}
        cells = [name]
        for size in sizes:
            point = found.get(size)
            cells.append(cell(point) if point else "–")
        cells.append(factor_text(exponent(points[0], points[-1])) if len(points) > 1 else "–")
        cells.append(factor_text(exponent(points[-2], points[-1])) if len(points) > 2 else "–")
        rows.append(cells)
    head = [
        "wall time (processor time)",
        *map(size_text, sizes),
        "processor time of ten times the records",
        "the same at the largest sizes",
    ]
    return table(head, rows)


def cell(point: Point) -> str:
    mark = "*" if point.wall.runs == 1 else ""
    processor = f" ({duration(point.processor.median)})" if point.processor else ""
    return f"{duration(point.wall.median)}{mark}{processor}"


def memory_table(series: Series) -> str:
    sizes = sizes_of(series)

    def row(name: str, points: list[Point], value: Any) -> list[str]:
        found = {point.records: value(point) for point in points}
        return [name, *(found.get(size) or "–" for size in sizes)]

    def peak(point: Point) -> str | None:
        return f"{digits(point.peak.most / 1e6)} MB" if point.peak else None

    def file(point: Point) -> str | None:
        return f"{digits(point.file.median / 1e6)} MB" if point.file else None

    def bytes_each(point: Point) -> str | None:
        return f"{digits(point.file.median / point.records)} B" if point.file else None

    def samples(point: Point) -> str | None:
        return f"{point.samples:,}" if point.samples is not None else None

    rows = [row(name, points, peak) for name, points in series.items()]
    imported = series.get("first import", [])
    rows.append(row("size of the store after the first import", imported, file))
    rows.append(row("the same for each record", imported, bytes_each))
    rows.append(row("samples of steps", series.get("steps by day", []), samples))
    rows.append(row("samples of heart rate", series.get("heart rate by day", []), samples))
    return table(["peak memory", *map(size_text, sizes)], rows)


KINDS = [
    (0.15, "hardly depends on the number of records", "hardly depend on the number of records"),
    (0.85, "grows more slowly than the records", "grow more slowly than the records"),
    (1.1, "grows in proportion to the records", "grow in proportion to the records"),
    (math.inf, "grows faster than the records", "grow faster than the records"),
]


def growth_sentences(series: Series) -> str:
    """Says how each cost grows between the two largest sizes, where fixed costs count least."""
    found: dict[int, list[str]] = {}
    for name, points in series.items():
        if len(points) > 1:
            slope = exponent(points[-2], points[-1])
            kind = next(index for index, (limit, *_) in enumerate(KINDS) if slope < limit)
            found.setdefault(kind, []).append(name)
    sizes = sizes_of(series)
    if not found:
        return UNMEASURED
    words = f"Processor times between {size_text(sizes[-2])} and {size_text(sizes[-1])} records:"
    lines = [words, ""]
    for kind in sorted(found):
        names = "; ".join(f"*{name}*" for name in found[kind])
        verb = KINDS[kind][1 if len(found[kind]) == 1 else 2]
        lines.append(
            textwrap.fill(
                f"- These {verb}: {names}." if len(found[kind]) > 1 else f"- {names} {verb}.",
                118,
                subsequent_indent="  ",
                break_on_hyphens=False,
            )
        )
    once = [
        f"{name} at {size_text(point.records)}"
        for name, points in series.items()
        for point in points
        if point.wall.runs == 1
    ]
    several = sorted(
        {point.wall.runs for points in series.values() for point in points if point.wall.runs > 1}
    )
    if several:
        least, most = several[0], several[-1]
        runs = f"Medians of {least} to {most} runs" if least < most else f"Medians of {most} runs"
        runs += f"; * of one run: {', '.join(once)}." if once else "."
        lines += ["", paragraph(runs)]
    return "\n".join(lines)


def growth_part(series: Series) -> str:
    if not series:
        return UNMEASURED
    return "\n\n".join(
        [
            "![Time of each operation by number of records, both axes logarithmic](growth.svg)",
            growth_sentences(series),
            growth_table(series),
            memory_table(series),
        ]
    )


def replaced(document: str, name: str, text: str) -> str:
    pattern = re.compile(f"(<!-- rendered: {name} -->\n).*?(<!-- end of {name} -->)", re.DOTALL)
    result, count = pattern.subn(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", document)
    if count != 1:
        sys.exit(f"Performance.md has {count} parts called {name}.")
    return result


def require_comparable(runs: list[Run]) -> None:
    keys = ("processor", "processors", "memory", "kernel", "swift", "sqlite")
    if len({tuple(run["machine"][key] for key in keys) for run in runs}) > 1:
        sys.exit("The runs are of several machines, or of several versions of Swift or SQLite.")
    failures = [words for run in runs for words in run["failures"]]
    if failures:
        sys.exit("A run has failures: " + " ".join(failures))


def main() -> None:
    runs, folder = read_arguments("Renders raw runs of make bench into Performance.md.")
    require_comparable(runs)
    series = read_series(runs)
    file = folder / "Performance.md"
    template = pathlib.Path(__file__).resolve().parents[2] / "Documentation/Performance.md"
    document = (file if file.exists() else template).read_text(encoding="utf-8")
    parts = {
        "machine": machine_part(runs),
        "command": command_part(runs),
        "limits": limits_part(runs),
        "programs": programs_part(runs),
        "growth": growth_part(series),
        "checks": checks_part(runs),
    }
    for name, text in parts.items():
        document = replaced(document, name, text)
    file.write_text(document, encoding="utf-8")
    if series:
        write_plot(series, folder)


if __name__ == "__main__":
    main()
