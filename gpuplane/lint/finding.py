"""Findings of the linter: in an object, with their place in a file, and of a whole file."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from charts_py.cluster_file.fault import Mark
from charts_py.objects.document import Document
from policies.document import name_of, shown, text
from policies.operation import Operation
from policies.rule_name import RuleName

FindingPlace: TypeAlias = tuple[str, int, str, str]
"""File, index of the document, JSON Pointer in it, and rule."""


class LintSeverity(StrEnum):
    ERROR = "error"
    """Admission refuses it, it never starts or lacks what it states, or it cannot be read."""
    WARNING = "warning"
    """It is admitted, and likely not what its author wants."""
    NOTE = "note"
    """Admission adds what is missing, or only records it."""


class LintFinding(NamedTuple):
    """Something in an object of a manifest that is not as it should be."""

    rule: str
    severity: LintSeverity
    start: Mark
    """Line and column of the field, or of the nearest field that should hold it."""
    end: Mark
    """The end of that field's key; the column is the first one behind it."""
    message: str
    """A full sentence with culprit, field and reason."""
    remedy: str = ""
    """A full sentence that tells the author what to do; empty where the message says it."""
    subject: str = ""
    """The object: `Job train`; empty for a finding on a file or a comment."""
    document: int = 0
    """Index of the document in its file; empty ones count."""
    pointer: str = ""
    """JSON Pointer from the document to what is wrong, or to where something is missing."""
    fix: tuple[Operation, ...] = ()
    """The JSON Patch on the document that fixes it, after the fixes of the findings before;
    empty where only its author can fix it."""
    clusters: tuple[str, ...] = ()
    """The clusters in which it is found, sorted; empty where none matters."""
    is_writable: bool = True
    """Whether its fix can be written: all clusters in which the object may be applied would fix it
    so, and its file takes it."""
    content: str = ""
    """Digest of its content, by which it is acknowledged; empty where it cannot be."""

    @property
    def place(self) -> FindingPlace:
        return self.start.file, self.document, self.pointer, self.rule

    @property
    def object(self) -> tuple[str, int, str]:
        """File, document and name of what it is found in."""
        return self.start.file, self.document, self.subject

    @property
    def keeps_fixes_out(self) -> bool:
        """Whether what else its object needs depends on what its author makes of it.

        Nothing depends on who runs a container.
        """
        is_of_user = self.rule == RuleName.POD_SECURITY and self.pointer.endswith("/runAsNonRoot")
        return self.severity is LintSeverity.ERROR and not is_of_user

    @property
    def full_message(self) -> str:
        """On one line: `Job train: The pod names no priority class. (training)`."""
        subject = f"{self.subject}: " if self.subject else ""
        remedy = f" {self.remedy}" if self.remedy else ""
        where = f" ({', '.join(self.clusters)})" if self.clusters else ""
        return f"{subject}{self.message}{remedy}{where}"


@dataclass(frozen=True, slots=True)
class ObjectCounts:
    objects: int = 0
    gpu_workloads: Mapping[str, int] = field(default_factory=dict)
    """Those that ask for GPUs, by kind."""
    unread_gpus: Mapping[str, int] = field(default_factory=dict)
    """Those that ask for GPUs where no pod is read, by kind."""
    unjudged: Mapping[str, int] = field(default_factory=dict)
    """Those of which no rule reads more than the version, by kind."""
    patches: int = 0
    """Those that are taken for patches, and not judged by what they lack."""

    def __add__(self, other: "ObjectCounts") -> "ObjectCounts":
        return ObjectCounts(
            self.objects + other.objects,
            _added(self.gpu_workloads, other.gpu_workloads),
            _added(self.unread_gpus, other.unread_gpus),
            _added(self.unjudged, other.unjudged),
            self.patches + other.patches,
        )


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return dict(sorted((Counter(one) + Counter(other)).items()))


@dataclass(frozen=True, slots=True)
class FileFindings:
    findings: tuple[LintFinding, ...]
    """Findings by object, in the order of the rules."""
    counts: ObjectCounts = ObjectCounts()
    ignored: Mapping[str, int] = field(default_factory=dict)
    """Number of findings that comments leave out, by rule."""
    acknowledged: Mapping[str, int] = field(default_factory=dict)
    """Number of acknowledged findings by rule; no cache keeps it."""


class ObjectFinding(NamedTuple):
    """A finding in an object, or in one of a List, before its place in a file is known."""

    rule: str
    severity: LintSeverity
    subject: str
    pointer: str
    message: str
    remedy: str
    fix: tuple[Operation, ...]


class ReadingRule(StrEnum):
    """Rules on what keeps a manifest, or a part of it, from being judged."""

    UNREADABLE_FILE = "unreadable-file"
    TEMPLATE = "template"
    UNBUILT_OVERLAY = "unbuilt-overlay"
    MALFORMED_MANIFEST = "malformed-manifest"
    UNREAD_PART = "unread-part"
    UNREAD_GPUS = "unread-gpus"
    UNKNOWN_NAMESPACE = "unknown-namespace"
    UNFILLED_PLACEHOLDER = "unfilled-placeholder"
    IGNORE_COMMENT = "ignore-comment"
    ACKNOWLEDGEMENT = "acknowledgement"


def to_json(found: FileFindings) -> str:
    """Return findings as JSON, without the name of the file."""
    rows = []
    for rule, severity, start, end, *others in found.findings:
        rows.append([rule, severity, (start.line, start.column), (end.line, end.column), *others])
    return json.dumps([rows, asdict(found.counts), found.ignored], separators=(",", ":"))


def from_json(text: str, file: str) -> FileFindings:
    """Read the findings that `to_json` has written, as those of a file of this name."""
    rows, counts, ignored = json.loads(text)
    findings = tuple(_finding(row, file) for row in rows)
    return FileFindings(findings, ObjectCounts(**counts), ignored)


def _finding(row: Sequence[Any], file: str) -> LintFinding:
    rule, severity, start, end, *others = row
    marks = Mark(file, *start), Mark(file, *end)
    read = LintFinding(rule, LintSeverity(severity), *marks, *others)
    fix = tuple(Operation(*operation) for operation in read.fix)
    return read._replace(fix=fix, clusters=tuple(read.clusters))


def object_subject(one: Document) -> str:
    return f"{shown(text(one.get('kind')))} {shown(name_of(one))}".rstrip()
