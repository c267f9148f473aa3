"""Which schedules the API server takes."""

import pytest

from gpuplane.lint.cron_schedule import schedule_fault


@pytest.mark.parametrize(
    "schedule",
    [
        "0 2 * * *",
        "*/15 0-6,22 ? jan-MAR mon-fri",
        "5/10 1-5/2 1,15 12 0",
        " 0  2 * * * ",
        "@daily",
        "@every 1h30m",
    ],
)
def test_a_schedule_is_taken(schedule: str) -> None:
    assert schedule_fault(schedule) == ""


@pytest.mark.parametrize(
    ("schedule", "fault"),
    [
        ("60 2 * * *", "has 60 for the minute (0 to 59)"),
        ("0 25 * * *", "has 25 for the hour (0 to 23)"),
        ("0 6-2 * * *", "has 6-2 for the hour (0 to 23)"),
        ("0 2 0 * *", "has 0 for the day of the month (1 to 31)"),
        ("0 2 L * *", "has L for the day of the month (1 to 31)"),
        ("0 2 * 13 *", "has 13 for the month (1 to 12)"),
        ("0 2 * * 7", "has 7 for the day of the week (0 to 6)"),
        ("*/0 2 * * *", "has */0 for the minute (0 to 59)"),
        ("2 * * *", "has 4 fields, not 5"),
        ("0 0 2 * * *", "has 6 fields, not 5"),
        ("@nightly", "is no schedule that has a name"),
        ("TZ=UTC 0 2 * * *", "names a time zone, which belongs into timeZone"),
    ],
)
def test_a_schedule_is_refused_for_a_reason(schedule: str, fault: str) -> None:
    assert schedule_fault(schedule) == fault
