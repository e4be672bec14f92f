"""Data frames of an OpenHealthKit store, from the command ``openhealth``.

Example::

    import openhealth

    steps = openhealth.stats("steps", by="month", last="1y")       # the default store
    store = openhealth.Store("health.sqlite", time_zone="Europe/Berlin")
    nights = store.sleep(last="30d", frame="polars")

The functions of the module are the methods of a `Store` without arguments: the file of
``$OPENHEALTH_STORE``, or the command's default.
"""

from ._errors import (
    CommandNotFoundError,
    MissingPackageError,
    OpenHealthError,
    PartialResultWarning,
    UsageError,
)
from ._frames import Frame, FrameKind
from ._store import Explanation, Store

_default = Store()

compare = _default.compare
daily = _default.daily
explain = _default.explain
samples = _default.samples
sleep = _default.sleep
stats = _default.stats
summary = _default.summary
types = _default.types
workouts = _default.workouts

__all__ = [
    "CommandNotFoundError", "Explanation", "Frame", "FrameKind", "MissingPackageError",
    "OpenHealthError", "PartialResultWarning", "Store", "UsageError", "compare", "daily",
    "explain", "samples", "sleep", "stats", "summary", "types", "workouts",
]
