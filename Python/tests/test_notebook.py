"""The notebook runs, on a simulated person."""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from .support import COMMAND, CommandTestCase, folder, has, needs, simulated

NOTEBOOK = Path(__file__).parents[1] / "examples" / "year.ipynb"
CHARTS = ["nights.png", "resting.png", "steps.png"]


def cells() -> list[dict[str, Any]]:
    """Return the cells of code."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


class Stripped(unittest.TestCase):
    def test_the_notebook_has_no_outputs(self) -> None:
        self.assertGreater(len(cells()), 5)
        for cell in cells():
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))


class Notebook(CommandTestCase):
    def setUp(self) -> None:
        self.folder = tempfile.mkdtemp(dir=folder())
        package = str(NOTEBOOK.parents[1])
        environment = mock.patch.dict(os.environ, {
            "OPENHEALTH_COMMAND": COMMAND or "", "OPENHEALTH_STORE": str(simulated()),
            "MPLBACKEND": "Agg", "MPLCONFIGDIR": self.folder,
            "PYTHONPATH": os.pathsep.join([package, os.environ.get("PYTHONPATH", "")])})
        environment.start()
        self.addCleanup(environment.stop)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def charts(self) -> list[str]:
        """Return the names of the written images."""
        return sorted(
            name for name in os.listdir(self.folder)
            if Path(name).read_bytes().startswith(b"\x89PNG"))

    @needs("pandas", "matplotlib")
    def test_its_cells_run_in_order_and_have_the_numbers_of_the_command(self) -> None:
        names: dict[str, Any] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in cells():
                exec("".join(cell["source"]), names)
        self.assertEqual(self.charts(), CHARTS)
        self.assertGreater(len(names["steps"]), 300)
        self.assertGreater(len(names["resting"]), 5)
        groups, nights = names["groups"], names["nights"]
        after = nights[nights["after_workout"] & nights["asleep"].notna()]
        self.assertEqual(groups["days"][0], len(after))
        self.assertAlmostEqual(groups["average"][0], after["asleep"].mean(), places=6)

    @unittest.skipUnless(
        has("pandas", "matplotlib", "nbclient", "nbformat", "ipykernel"),
        "needs nbclient and ipykernel")
    def test_it_runs_in_jupyter(self) -> None:
        import nbclient
        import nbformat

        notebook = nbformat.read(NOTEBOOK, as_version=4)
        nbclient.NotebookClient(notebook, timeout=300).execute()
        self.assertEqual(self.charts(), CHARTS)
