"""What the tests share: the command, and stores made with it."""

from __future__ import annotations

import atexit
import functools
import importlib.util
import json
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional

import openhealth

COMMAND = os.environ.get("OPENHEALTH_COMMAND") or shutil.which("openhealth")
FRAMES = ("rows", "pandas", "polars")


def has(*packages: str) -> bool:
    """Return whether packages are installed."""
    return all(importlib.util.find_spec(package) is not None for package in packages)


def needs(*packages: str) -> Any:
    """Skip a test without packages."""
    return unittest.skipUnless(has(*packages), f"needs {' and '.join(packages)}")


def bits(value: Optional[float]) -> Optional[bytes]:
    """Return the bytes of a number, to compare it to the last bit. None if it is missing."""
    return None if value is None or value != value else struct.pack(">d", value)


def records(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a frame of any kind, with None for what is missing."""
    if isinstance(frame, list):
        return frame
    if hasattr(frame, "iter_rows"):
        return list(frame.iter_rows(named=True))
    import pandas

    return [
        {name: None if pandas.isna(value) else value for name, value in row.items()}
        for row in frame.to_dict("records")]


def run(*arguments: str) -> bytes:
    """Run the command, as the package does not, and return its output."""
    done = subprocess.run([COMMAND or "", *arguments], capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{arguments[0]}: {done.stderr.decode()}")
    return done.stdout


def answer(store: Path, *arguments: str) -> dict[str, Any]:
    """Return the JSON of the command about a store."""
    found = json.loads(run(*arguments, "--json", "--store", str(store)))
    assert isinstance(found, dict)
    return found


@functools.lru_cache(maxsize=None)
def folder() -> Path:
    """Return a temporary folder of the test run."""
    path = tempfile.mkdtemp(prefix="openhealth-tests-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(path)


@functools.lru_cache(maxsize=None)
def simulated() -> Path:
    """Return the store of a simulated person in Berlin, with an app that writes day totals."""
    store, export = folder() / "simulated.sqlite", folder() / "simulated.zip"
    run(
        "simulate", "--out", str(export), "--years", "2", "--records", "25000", "--seed", "7",
        "--daily-app", "--time-zone", "Europe/Berlin")
    run("import", str(export), "--store", str(store), "--time-zone", "Europe/Berlin")
    return store


@functools.lru_cache(maxsize=None)
def handmade() -> Path:
    """Return the store of `EXPORT` in Berlin."""
    store, export = folder() / "handmade.sqlite", folder() / "export.xml"
    export.write_text(EXPORT, encoding="utf-8")
    run("import", str(export), "--store", str(store), "--time-zone", "Europe/Berlin")
    return store


def _record(kind: str, source: str, unit: str, start: str, end: str, value: str) -> str:
    attributes = f'unit="{unit}" ' if unit else ""
    return (
        f'<Record type="{kind}" sourceName="{source}" {attributes}creationDate="{end}" '
        f'startDate="{start}" endDate="{end}" value="{value}"/>')


_STEPS = "HKQuantityTypeIdentifierStepCount"
_WEIGHT = "HKQuantityTypeIdentifierBodyMass"
_SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
_STAND = "HKCategoryTypeIdentifierAppleStandHour"

# Clocks in Berlin went forward on 31 March 2024 and back on 27 October 2024.
EXPORT = "\n".join([
    '<?xml version="1.0" encoding="UTF-8"?><HealthData locale="de_DE">',
    '<ExportDate value="2024-11-01 12:00:00 +0100"/>',
    _record(_STEPS, "Phone", "count", "2024-03-30 23:50:00 +0100", "2024-03-31 00:10:00 +0100",
            "25"),
    _record(_STEPS, "Phone", "count", "2024-03-31 01:30:00 +0100", "2024-03-31 03:30:00 +0200",
            "61"),
    _record(_STEPS, "Phone", "count", "2024-03-31 23:00:00 +0200", "2024-03-31 23:10:00 +0200",
            "7"),
    # Nothing on 1 and 2 April.
    _record(_STEPS, "Phone", "count", "2024-04-03 00:00:00 +0200", "2024-04-03 00:07:00 +0200",
            "100"),
    _record(_STEPS, "Phone", "count", "2024-10-27 02:15:00 +0200", "2024-10-27 02:16:00 +0200",
            "11"),
    _record(_STEPS, "Phone", "count", "2024-10-27 02:15:00 +0100", "2024-10-27 02:16:00 +0100",
            "13"),
    _record(_WEIGHT, "Scale", "kg", "2024-04-01 07:00:00 +0200", "2024-04-01 07:00:00 +0200",
            "72.35"),
    _record(_WEIGHT, "Scale", "lb", "2024-04-04 07:00:00 +0200", "2024-04-04 07:00:00 +0200",
            "160.1"),
    _record(_SLEEP, "Watch", "", "2024-03-30 23:00:00 +0100", "2024-03-31 06:30:00 +0200",
            "HKCategoryValueSleepAnalysisAsleepCore"),
    _record(_SLEEP, "Watch", "", "2024-04-02 23:00:00 +0200", "2024-04-03 06:30:00 +0200",
            "HKCategoryValueSleepAnalysisInBed"),
    _record(_STAND, "Watch", "", "2024-04-01 08:00:00 +0200", "2024-04-01 09:00:00 +0200",
            "HKCategoryValueAppleStandHourStood"),
    _record(_STAND, "Watch", "", "2024-04-01 09:00:00 +0200", "2024-04-01 10:00:00 +0200",
            "HKCategoryValueAppleStandHourIdle"),
    "</HealthData>", "",
])


@unittest.skipUnless(
    COMMAND, "The command openhealth is missing: set OPENHEALTH_COMMAND to its path.")
class CommandTestCase(unittest.TestCase):
    """A test that runs the command."""

    def store(self, path: Path, **options: Any) -> openhealth.Store:
        """Return a store that uses the tested command."""
        return openhealth.Store(path, command=COMMAND, **options)

    def kinds(self) -> list[openhealth.FrameKind]:
        """Return the kinds of frames whose packages are installed."""
        return [kind for kind in FRAMES if kind == "rows" or has(kind)]  # type: ignore[misc]
