"""What the linter finds in a manifest, and where."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from charts_py.cluster_file.fault import Mark
from policies.operation import Operation

FindingPlace: TypeAlias = tuple[str, int, str, str]
"""The file, the index of the document, the JSON Pointer in it, and the rule."""


class LintSeverity(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """Admission refuses it, or it cannot be read."""
    WARNING = "warning"
    """It is admitted, and likely not what its author wants."""
    NOTE = "note"
    """Admission adds what is missing, or only records it."""


class LintFinding(NamedTuple):
    """Something in an object of a manifest that is not as it should be."""

    rule: str
    severity: LintSeverity
    start: Mark
    """With line and column of the field, or of the nearest field that should hold it."""
    end: Mark
    """Where the key of that field ends; the column is the first one behind it."""
    subject: str
    """The object: `Job train`; empty for a file that cannot be read."""
    document: int
    """Index of the document in its file, empty ones counted."""
    pointer: str
    """JSON Pointer from the document to what is wrong, or to where something is missing."""
    message: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do; empty where the message says it."""
    fix: tuple[Operation, ...] = ()
    """The JSON Patch on the document that fixes it, after those of the findings before this one;
    empty where only its author can."""
    clusters: tuple[str, ...] = ()
    """Those in which it is so, sorted; empty where it is so without any."""
    is_agreed: bool = True
    """Whether all clusters in which the object may be applied would fix it so."""
    content: str = ""
    """Digest of what it is about, by which it is acknowledged; empty where it cannot be."""

    @property
    def place(self) -> FindingPlace:
        """Where it is, and of which rule."""
        return self.start.file, self.document, self.pointer, self.rule

    @property
    def full_message(self) -> str:
        """On one line: `Job train: The pod names no priority class. (training)`."""
        subject = f"{self.subject}: " if self.subject else ""
        remedy = f" {self.remedy}" if self.remedy else ""
        where = f" ({', '.join(self.clusters)})" if self.clusters else ""
        return f"{subject}{self.message}{remedy}{where}"
