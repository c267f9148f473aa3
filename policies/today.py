"""The day that exceptions and settings are judged by."""

import datetime as dt


def today() -> dt.date:
    """Return the date in UTC, the same on every replica and machine."""
    return dt.datetime.now(dt.UTC).date()
