"""What a rule does with what it finds."""

from enum import StrEnum


class Mode(StrEnum):
    """What a rule does with what it finds, from nothing to everything."""

    OFF = "off"
    AUDIT = "audit"
    WARN = "warn"
    ENFORCE = "enforce"
