"""Finds and runs the command ``openhealth``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any, Optional, Sequence, Union

from ._errors import CommandNotFoundError, OpenHealthError, PartialResultWarning, UsageError

Command = Union[str, "os.PathLike[str]"]

_PARTIAL = 2
_USAGE = 64
_INSTALL = (
    "Install it from the repository of OpenHealthKit with: make install. If it is in a folder "
    "outside the search path, set OPENHEALTH_COMMAND or the parameter command to its path."
)


def find(command: Optional[Command]) -> str:
    """Return the path of the command: the parameter, ``$OPENHEALTH_COMMAND``, or the search path.

    A parameter or variable that names no program is an error, so that no other version runs
    unnoticed.

    Raises:
        CommandNotFoundError: There is no such program.
    """
    variable = os.environ.get("OPENHEALTH_COMMAND")
    name = os.fspath(command) if command is not None else variable or "openhealth"
    path = shutil.which(os.path.expanduser(name))
    if path is None:
        origin = "" if command is not None else " of $OPENHEALTH_COMMAND" if variable else ""
        raise CommandNotFoundError(f"The command “{name}”{origin} was not found. {_INSTALL}")
    # Without a folder, `which` may return a path relative to the current one.
    return str(Path(path).absolute())


def run(command: Optional[Command], arguments: Sequence[str]) -> bytes:
    """Run the command without a shell and return its standard output.

    Raises:
        CommandNotFoundError: The command can't be found or started.
        UsageError: The command refused the arguments.
        OpenHealthError: The command failed.

    Warns:
        PartialResultWarning: The command exited with 2.
    """
    path = find(command)
    try:
        done = subprocess.run(
            [path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, check=False)
    except OSError as error:
        raise CommandNotFoundError(f"{path} can't be started: {error.strerror}.") from error
    except ValueError:
        raise UsageError(
            "An argument contains a character that no program can be given: U+0000 or half of a "
            "surrogate pair.") from None
    message = _message(done.stderr)
    if done.returncode == _PARTIAL:
        warnings.warn(
            message or "The result is incomplete.", PartialResultWarning, stacklevel=depth())
    elif done.returncode == _USAGE:
        raise UsageError(message or "The arguments are wrong.", done.returncode)
    elif done.returncode < 0:
        raise OpenHealthError(
            f"The command was ended by signal {-done.returncode}.", done.returncode)
    elif done.returncode != 0:
        raise OpenHealthError(message or "The command failed.", done.returncode)
    return done.stdout


def answer(command: Optional[Command], arguments: Sequence[str]) -> dict[str, Any]:
    """Run the command with ``--json`` and return the object that it prints.

    Raises:
        OpenHealthError: As for `run`, or the output is not a JSON object.
    """
    output = run(command, arguments)
    try:
        found = json.loads(output)
    except ValueError:
        found = None
    # Outside the handler, so that the error has no context that contains the output.
    if not isinstance(found, dict):
        raise OpenHealthError(
            "The command's answer is not a JSON object. Is it another program, or another version?")
    return found


def _message(errors: bytes) -> str:
    """Return the message on standard error without the command's name and its usage lines."""
    text = errors.decode("utf-8", "replace").strip()
    text = text.split("\nUsage:")[0].strip()
    for prefix in ("openhealth: ", "Error: "):
        if text.startswith(prefix):
            text = text[len(prefix):]
    return text


def depth() -> int:
    """Return the `stacklevel` with which a warning points at the first caller outside."""
    folder = os.path.dirname(__file__)
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        frame = frame.f_back
        level += 1
    return level
