"""Days, as options name them."""

import datetime as dt
import re

import typer

_WRITTEN = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def calendar_day(text: str) -> dt.date:
    """Return the day that an option names; raises BadParameter for what is none."""
    if not _WRITTEN.fullmatch(text):
        raise typer.BadParameter(f'"{text}" is not a day; allowed: YYYY-MM-DD')
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text} is not in the calendar; allowed: YYYY-MM-DD") from None
