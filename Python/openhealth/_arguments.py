"""Arguments of the command, from keyword arguments."""

from __future__ import annotations

import datetime
import os
from typing import Iterable, Optional, Sequence, Union

from ._errors import UsageError

#: A date, an aware or naive time, or text that the command reads: "2024-03-10", "yesterday".
When = Union[str, datetime.date, datetime.datetime]
#: A name, or several.
Names = Union[str, Sequence[str]]


def option(name: str, value: object) -> list[str]:
    """Return ``--name=value``, or nothing for None.

    One word instead of two, so that a value that begins with a dash isn't read as an option.
    """
    if value is None:
        return []
    if isinstance(value, bool) or not isinstance(value, (str, int, os.PathLike)):
        raise TypeError(f"{name} is {type(value).__name__}, not text or a whole number.")
    return [f"--{name}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]


def flag(name: str, value: bool) -> list[str]:
    """Return ``--name`` if the value is true."""
    return [f"--{name}"] if value else []


def names(name: str, values: Optional[Names]) -> list[str]:
    """Return a repeated option."""
    return [word for value in listed(values) for word in option(name, value)]


def listed(values: Optional[Names]) -> list[str]:
    """Return a name or several as a list."""
    if values is None:
        return []
    return [values] if isinstance(values, str) else list(values)


def positional(values: Iterable[str]) -> list[str]:
    """Return arguments that are never read as options, as the last words of a command line."""
    words = list(values)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"A name is {type(word).__name__}, not text.")
    return ["--", *words] if words else []


def date_range(
    from_: Optional[When], to: Optional[When], last: Optional[str], year: Union[int, str, None]
) -> list[str]:
    """Return the options of a range. The command checks that they fit together."""
    if isinstance(year, int) and not isinstance(year, bool):
        year = f"{year:04d}"
    return (
        option("from", when(from_)) + option("to", when(to)) + option("last", last)
        + option("year", year))


def when(value: Optional[When]) -> Optional[str]:
    """Return a date or time as the command reads it.

    An aware time is written in UTC. A naive one has no offset, so the command takes it for what
    clocks show in the time zone of the answer.

    Raises:
        UsageError: A naive time has ``fold=1``, or an aware one is outside the years 1 to 9999 in
            UTC.
        TypeError: The value is something else.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime.datetime):
        if value.utcoffset() is None:
            if value.fold:
                raise UsageError(
                    "A time without a time zone and with fold=1 is ambiguous. Give it a zone.")
            return value.replace(tzinfo=None).isoformat()
        try:
            return value.astimezone(datetime.timezone.utc).isoformat()
        except OverflowError:
            raise UsageError("A time is outside the years 1 to 9999 in UTC.") from None
    if isinstance(value, datetime.date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not a date, a time or text.")
