"""Schedules of CronJobs, as the API server reads them.

`ParseStandard` in https://github.com/robfig/cron/blob/v3.0.1/parser.go, which
`validateScheduleFormat` calls in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/apis/batch/validation/validation.go
"""

import re
from typing import NamedTuple

from policies.document import shown

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_NAMED = re.compile(r"@(yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)")
_RANGE = re.compile(r"(?P<first>[*?]|\w+)(-(?P<last>\w+))?(/(?P<step>\d+))?", re.ASCII)


class _Field(NamedTuple):
    name: str
    least: int
    most: int
    names: tuple[str, ...] = ()

    def number(self, written: str) -> int:
        """Return what a number or a name stands for; -1 where that is nothing."""
        if written.lower() in self.names:
            return self.names.index(written.lower()) + self.least
        return int(written) if written.isdecimal() else -1

    def takes(self, written: str) -> bool:
        found = _RANGE.fullmatch(written)
        if found is None or int(found["step"] or 1) == 0:
            return False
        if found["first"] in ("*", "?"):
            return True
        first = self.number(found["first"])
        last = self.number(found["last"]) if found["last"] else first
        return self.least <= first <= last <= self.most


_FIELDS = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day of the month", 1, 31),
    _Field("month", 1, 12, _MONTHS),
    _Field("day of the week", 0, 6, _DAYS),
)


def schedule_fault(schedule: str) -> str:
    """Return what is wrong with a schedule, as the end of a sentence; empty where nothing is."""
    if "TZ" in schedule:
        return "names a time zone, which belongs into timeZone"
    if schedule.startswith("@"):
        return "" if _NAMED.fullmatch(schedule) else "is no schedule that has a name"
    written = schedule.split()
    if len(written) != len(_FIELDS):
        return f"has {len(written)} fields, not {len(_FIELDS)}"
    for field, ranges in zip(_FIELDS, written, strict=True):
        for each in filter(None, ranges.split(",")):
            if not field.takes(each):
                return f"has {shown(each)} for the {field.name} ({field.least} to {field.most})"
    return ""
