"""Errors and warnings of the package."""

from __future__ import annotations

from typing import Optional


class OpenHealthError(Exception):
    """The command failed, or its answer can't be used.

    The message is the command's own. It says what happened and what to do, and contains no health
    value.

    Attributes:
        message: The text.
        status: The exit status of the command: 1 for a failure, 64 for wrong usage. It is negative
            if a signal ended the command, and None if the command was not started.
    """

    def __init__(self, message: str, status: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.status = status

    def __reduce__(self) -> tuple[type[OpenHealthError], tuple[str, Optional[int]]]:
        return type(self), (self.message, self.status)


class UsageError(OpenHealthError):
    """An argument is wrong: an unknown type, unit, date, time zone or frame.

    The status is 64 if the command refused the argument, and None if this package did.
    """


class CommandNotFoundError(OpenHealthError):
    """The command ``openhealth`` is not installed, or not where a parameter says."""


class MissingPackageError(OpenHealthError):
    """The frame that was asked for needs a package that isn't installed."""


class PartialResultWarning(UserWarning):
    """The command reported a partial success (exit status 2), or left samples out.

    The result is returned. The message says what is missing.
    """
