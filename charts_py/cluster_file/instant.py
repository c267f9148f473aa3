"""Points in time, as cluster files state them."""

import datetime as dt
import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.refused import Refused

_FORMAT = "YYYY-MM-DDThh:mm[:ss] with Z or an offset, as 2026-12-18T18:00:00+01:00"

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?")


def parse_instant(text: str) -> dt.datetime:
    """Return a point in time; raise ValueError where it is none, or has no time zone."""
    instant = dt.datetime.fromisoformat(text.upper())
    if instant.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return instant


def _instant(text: str) -> str:
    written = _RFC_3339.fullmatch(text)
    if written is None:
        raise Refused(f'"{text}" is not a point in time', _FORMAT)
    if written["zone"] is None:
        raise Refused(f'"{text}" has no time zone', _FORMAT, (f"{text}Z",))
    try:
        parse_instant(text)
    except ValueError as error:
        raise Refused(f'"{text}": {error}', _FORMAT) from error
    return text


Instant = Annotated[str, AfterValidator(_instant), Field(examples=["2026-12-18T18:00:00+01:00"])]
"""A date and time with its zone (https://www.rfc-editor.org/rfc/rfc3339), seconds or none."""
