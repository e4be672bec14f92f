"""Errors, warnings, arguments, and the search for the command."""

from __future__ import annotations

import datetime
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import openhealth
from openhealth import _arguments

from .support import COMMAND, CommandTestCase, folder, handmade, run


def pretender(text: str) -> str:
    """Return the path of a program in Python that stands in for the command."""
    path = Path(tempfile.mkdtemp(dir=folder())) / "openhealth"
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


class Arguments(unittest.TestCase):
    def test_dates_and_times_are_written_as_the_command_reads_them(self) -> None:
        zone = datetime.timezone(datetime.timedelta(hours=2, seconds=13))
        cases: list[tuple[Any, Any]] = [
            (None, None), ("yesterday", "yesterday"),
            (datetime.date(987, 1, 2), "0987-01-02"),
            (datetime.datetime(2024, 3, 10, 8, 30), "2024-03-10T08:30:00"),
            (datetime.datetime(2024, 3, 10, 8, 30, 0, 250000), "2024-03-10T08:30:00.250000"),
            (datetime.datetime(2024, 3, 10, 8, 30, tzinfo=zone), "2024-03-10T06:29:47+00:00")]
        for value, text in cases:
            self.assertEqual(_arguments.when(value), text)

    def test_times_that_can_not_be_written_are_refused(self) -> None:
        late = datetime.timezone(datetime.timedelta(hours=14))
        for value in (
            datetime.datetime(2024, 10, 27, 2, 15, fold=1),
            datetime.datetime(1, 1, 1, tzinfo=late),
        ):
            with self.assertRaises(openhealth.UsageError):
                _arguments.when(value)
        for value in (1, 1.5, b"2024", datetime.time(8, 30)):
            with self.assertRaises(TypeError):
                _arguments.when(value)  # type: ignore[arg-type]

    def test_options_are_one_word_each(self) -> None:
        self.assertEqual(_arguments.option("store", "-x --force"), ["--store=-x --force"])
        self.assertEqual(_arguments.names("source", ["a", "--b"]), ["--source=a", "--source=--b"])
        self.assertEqual(_arguments.date_range(None, None, None, 987), ["--year=0987"])
        for value in (True, 1.5, ["a"]):
            with self.assertRaises(TypeError):
                _arguments.option("best", value)


class Errors(CommandTestCase):
    def test_wrong_usage_has_the_commands_message_and_status_64(self) -> None:
        store = self.store(handmade())
        cases: list[tuple[str, Any]] = [
            ("Did you mean stepCount", lambda: store.stats("stepsCount")),
            ("unit", lambda: store.stats("steps", unit="kg")),
            ("last", lambda: store.stats("steps", last="soon")),
            ("--from", lambda: store.stats("steps", from_="2024-01-01", year=2024)),
            ("later than", lambda: store.samples("steps", from_="2025-01-01", to="2024-01-01")),
            ("by", lambda: store.stats("steps", by="decade")),  # type: ignore[arg-type]
            ("best", lambda: store.stats("steps", best=-5)),
            ("activity", lambda: store.workouts(activity="flying")),
            ("time zone", lambda: self.store(handmade(), time_zone="Europe/Brelin").types()),
            ("not a date", lambda: store.explain("steps", "2024-02-30")),
            ("period", lambda: store.compare("steps", "some day")),
            ("limit", lambda: store.samples("steps", limit=-1)),
        ]
        for text, call in cases:
            with self.subTest(text), self.assertRaises(openhealth.UsageError) as caught:
                call()
            self.assertEqual(caught.exception.status, 64)
            self.assertIn(text.lower(), str(caught.exception).lower())
            self.assertNotIn("Usage:", str(caught.exception))
            self.assertFalse(str(caught.exception).startswith(("openhealth:", "Error:")))

    def test_what_the_package_refuses_has_no_status(self) -> None:
        store = self.store(handmade())
        for call in (
            lambda: store.stats("steps", gaps=True, by="week"),
            lambda: store.stats("steps", gaps=True, best=3),
            lambda: store.types(frame="sqlite"),  # type: ignore[arg-type]
            lambda: store.summary(period="decade"),  # type: ignore[arg-type]
            lambda: store.stats("steps\0"), lambda: store.stats("\ud800"),
        ):
            with self.assertRaises(openhealth.UsageError) as caught:
                call()
            self.assertIsNone(caught.exception.status)

    def test_a_store_that_is_not_there_is_an_error_that_says_what_to_do(self) -> None:
        with self.assertRaises(openhealth.OpenHealthError) as caught:
            self.store(folder() / "nobody.sqlite").types()
        self.assertEqual(caught.exception.status, 1)
        self.assertNotIsInstance(caught.exception, openhealth.UsageError)
        self.assertIn("import export.zip", caught.exception.message)

    def test_errors_can_be_pickled(self) -> None:
        error = pickle.loads(pickle.dumps(openhealth.UsageError("a", 64)))
        self.assertEqual((type(error), error.message, error.status),
                         (openhealth.UsageError, "a", 64))

    def test_partial_success_is_a_warning_and_the_result_is_returned(self) -> None:
        command = pretender(
            "sys.stderr.write('openhealth: One file is missing.\\n')\n"
            "print('{\"types\":[],\"timeZone\":\"UTC\",\"buckets\":[]}')\nsys.exit(2)")
        store = openhealth.Store("x", command=command, frame="rows")
        with self.assertWarnsRegex(openhealth.PartialResultWarning, "^One file is missing.$") as it:
            self.assertEqual(store.types(), [])
        self.assertEqual(os.path.basename(it.filename), "test_errors.py")

    def test_samples_left_out_of_statistics_are_a_warning(self) -> None:
        command = pretender(
            "print('{\"type\":\"T\",\"unit\":\"count\",\"timeZone\":\"UTC\",\"buckets\":["
            "{\"start\":\"2024-01-01T00:00:00+00:00\",\"end\":\"2024-01-02T00:00:00+00:00\","
            "\"sum\":null,\"fromTotals\":{\"apple\":5,\"own\":4,\"provisional\":true}}],"
            "\"skipped\":{\"unconvertible\":2,\"malformed\":0,\"notBegun\":1}}')")
        for kind in self.kinds():
            store = openhealth.Store("x", command=command, frame=kind)
            with self.assertWarnsRegex(openhealth.PartialResultWarning, "unit is unknown.*: 2"):
                frame = store.stats("T")
            row = frame[0] if kind == "rows" else (
                frame.row(0, named=True) if kind == "polars" else frame.iloc[0])
            self.assertEqual((row["apple_total"], row["recorded_sum"]), (5, 4))
            self.assertTrue(row["is_provisional"])
            self.assertNotEqual(row["sum"], 0)

    def test_an_answer_that_is_no_json_is_an_error_without_its_content(self) -> None:
        for text in ("print('steps 4711')", "print('[4711]')", "pass"):
            with self.assertRaises(openhealth.OpenHealthError) as caught:
                openhealth.Store("x", command=pretender(text)).types()
            self.assertNotIn("4711", str(caught.exception))
            self.assertIsNone(caught.exception.__context__)

    def test_a_signal_is_an_error(self) -> None:
        with self.assertRaises(openhealth.OpenHealthError) as caught:
            openhealth.Store("x", command=pretender("os.kill(os.getpid(), 9)")).types()
        self.assertEqual(caught.exception.status, -9)
        self.assertIn("signal 9", str(caught.exception))

    def test_a_time_zone_that_python_lacks_is_an_error_that_says_what_to_do(self) -> None:
        command = pretender(
            "print('{\"types\":[],\"timeZone\":\"Mars/Jezero\",\"buckets\":[]}')")
        for kind in self.kinds():
            with self.assertRaisesRegex(openhealth.OpenHealthError, "Mars/Jezero.*tzdata"):
                openhealth.Store("x", command=command, frame=kind).types()

    def test_no_warning_without_a_reason(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for kind in self.kinds():
                store = self.store(handmade(), frame=kind)
                store.stats("steps", gaps=True)
                store.samples("sleep")
                store.samples("steps", merged=True)
                store.daily(gaps=True)
                store.sleep()


class Commands(CommandTestCase):
    def test_a_missing_command_says_how_to_install_it(self) -> None:
        for name in ("no-such-openhealth", str(folder() / "openhealth"), str(folder())):
            with self.assertRaises(openhealth.CommandNotFoundError) as caught:
                openhealth.Store(handmade(), command=name).types()
            self.assertIn("make install", str(caught.exception))
            self.assertIsNone(caught.exception.status)
        with mock.patch.dict(os.environ, {"PATH": str(folder())}):
            os.environ.pop("OPENHEALTH_COMMAND", None)
            with self.assertRaises(openhealth.CommandNotFoundError):
                openhealth.types()

    def test_the_parameter_precedes_the_variable_and_that_the_search_path(self) -> None:
        def named(name: str) -> str:
            return pretender(
                f"print('{{\"timeZone\":\"UTC\",\"buckets\":[],\"types\":[{{\"type\":\"{name}\","
                "\"unit\":null,\"samples\":1,\"first\":\"2024-01-01\",\"last\":\"2024-01-01\"}]}')")

        def found(store: openhealth.Store) -> str:
            return str(store.types(frame="rows")[0]["type"])

        path = os.path.dirname(named("path"))
        with mock.patch.dict(os.environ, {"PATH": path + os.pathsep + os.environ["PATH"]}):
            os.environ.pop("OPENHEALTH_COMMAND", None)
            self.assertEqual(found(openhealth.Store()), "path")
            os.environ["OPENHEALTH_COMMAND"] = named("variable")
            self.assertEqual(found(openhealth.Store()), "variable")
            self.assertEqual(found(openhealth.Store(command=named("parameter"))), "parameter")
            os.environ["OPENHEALTH_COMMAND"] = str(folder() / "missing")
            with self.assertRaisesRegex(openhealth.CommandNotFoundError, "OPENHEALTH_COMMAND"):
                openhealth.types()

    def test_the_functions_of_the_module_read_the_default_store(self) -> None:
        with mock.patch.dict(os.environ, {
            "OPENHEALTH_COMMAND": COMMAND or "", "OPENHEALTH_STORE": str(handmade()),
        }):
            self.assertEqual(
                openhealth.stats("steps", frame="rows"),
                self.store(handmade()).stats("steps", frame="rows"))
            for name in ("samples", "sleep", "workouts", "explain", "types", "summary", "compare",
                         "daily"):
                self.assertTrue(callable(getattr(openhealth, name)))

    def test_odd_names_never_reach_a_shell_and_are_never_options(self) -> None:
        odd = folder() / "it's \"odd\" $(touch x); ü\n*"
        odd.mkdir()
        expected = self.store(handmade()).types(frame="rows")
        for name in ("-x.sqlite", "--store=y.sqlite", "a b.sqlite", "`id`.sqlite", "~.sqlite"):
            path = odd / name
            run("import", str(folder() / "export.xml"), f"--store={path}",
                "--time-zone", "Europe/Berlin")
            self.assertEqual(self.store(path).types(frame="rows"), expected)
        here = os.getcwd()
        try:
            os.chdir(odd)
            self.assertEqual(
                openhealth.Store("-x.sqlite", command=COMMAND).types(frame="rows"), expected)
        finally:
            os.chdir(here)
        run("import", str(folder() / "export.xml"), f"--store={odd / 'persons.sqlite'}",
            "--as", "Zoë O'Neil", "--time-zone", "Europe/Berlin")
        person = self.store(odd / "persons.sqlite", person="Zoë O'Neil")
        self.assertEqual(person.types(frame="rows"), expected)
        for type in ("--help", "-h", "--version", "; touch x", "$(touch x)", "", "--"):
            with self.assertRaises(openhealth.UsageError):
                self.store(handmade()).stats(type)
        with self.assertRaises(openhealth.OpenHealthError):
            self.store(handmade()).stats("steps", source="--json")
        self.assertNotIn("x", os.listdir(odd))

    def test_a_path_of_the_home_folder_is_found(self) -> None:
        with mock.patch.dict(os.environ, {"HOME": str(handmade().parent)}):
            store = openhealth.Store(f"~/{handmade().name}", command=COMMAND)
            self.assertTrue(store.types(frame="rows"))

    def test_no_temporary_file_is_left(self) -> None:
        own = Path(tempfile.mkdtemp(dir=folder()))
        with mock.patch.object(tempfile, "tempdir", str(own)):
            self.store(handmade()).samples("steps")
            self.store(handmade()).daily()
            with self.assertRaises(openhealth.UsageError):
                self.store(handmade()).samples("nothing")
        self.assertEqual(os.listdir(own), [])


class Imports(unittest.TestCase):
    def test_the_package_imports_nothing_but_the_standard_library(self) -> None:
        program = (
            "import sys, openhealth\n"
            "print([name for name in ('pandas', 'polars', 'pyarrow', 'duckdb', 'numpy') "
            "if name in sys.modules])")
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=True,
            cwd=Path(openhealth.__file__).parents[1])
        self.assertEqual(done.stdout.decode().strip(), "[]")

    def test_the_types_are_strict(self) -> None:
        try:
            import mypy  # noqa: F401
        except ImportError:
            self.skipTest("needs mypy")
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder() / "mypy")],
            capture_output=True, check=False, cwd=Path(openhealth.__file__).parents[1])
        self.assertEqual(done.returncode, 0, done.stdout.decode())
