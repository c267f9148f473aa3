"""What the linter finds in a manifest, and where."""

from dataclasses import dataclass
from enum import StrEnum

from charts_py.spec.fault import Mark
from policies.operation import Operation


class LintSeverity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """Admission refuses it, or it cannot be read."""
    WARNING = "warning"
    """It is admitted, and likely not what its author wants."""
    NOTE = "note"
    """Admission changes it without a word."""


@dataclass(frozen=True, slots=True)
class LintFinding:
    """Something in an object of a manifest that is not as it should be."""

    rule: str
    severity: LintSeverity
    start: Mark
    """With line and column of the field, or of the nearest field that should hold it."""
    end: Mark
    """Where the key of that field ends; the column is the first one behind it."""
    subject: str
    """The object: `Job train`; empty for a file that cannot be read."""
    pointer: str
    """JSON Pointer from the object to what is wrong, or to where something is missing."""
    message: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do; empty where the message says it."""
    fix: tuple[Operation, ...] = ()
    """The JSON Patch on the object that fixes it; empty where only its author can."""
