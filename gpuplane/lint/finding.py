"""What the linter finds in a manifest, and where."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from charts_py.cluster_file.fault import Mark
from charts_py.objects.document import Document
from policies.document import members, shown, text
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


@dataclass(frozen=True, slots=True)
class FileFindings:
    """What is found in a file."""

    findings: tuple[LintFinding, ...]
    """By object, in the order in which rules find them."""
    objects: int = 0
    gpu_workloads: Mapping[str, int] = field(default_factory=dict)
    """How many objects ask for GPUs, by kind."""
    ignored: Mapping[str, int] = field(default_factory=dict)
    """How many findings comments leave out, by rule."""
    acknowledged: Mapping[str, int] = field(default_factory=dict)
    """How many findings somebody has acknowledged, by rule; kept in no cache."""


class ObjectFinding(NamedTuple):
    """Something in an object, or in one of a List, that is not as it should be in a cluster."""

    rule: str
    severity: LintSeverity
    subject: str
    pointer: str
    """JSON Pointer from the document."""
    message: str
    remedy: str
    fix: tuple[Operation, ...]
    """On the document."""


class ReadingRule(StrEnum):
    """What keeps a manifest, or a part of it, from being judged."""

    UNREADABLE_FILE = "unreadable-file"
    TEMPLATE = "template"
    MALFORMED_MANIFEST = "malformed-manifest"
    UNREAD_PART = "unread-part"
    UNFILLED_PLACEHOLDER = "unfilled-placeholder"
    IGNORE_COMMENT = "ignore-comment"
    ACKNOWLEDGEMENT = "acknowledgement"

    @property
    def summary(self) -> str:
        """A full sentence: what is true of a file that passes."""
        return _SUMMARIES[self]


_SUMMARIES = {
    ReadingRule.UNREADABLE_FILE: "The file can be opened and is YAML or JSON in UTF-8.",
    ReadingRule.TEMPLATE: "The file holds manifests, not a template that renders them.",
    ReadingRule.MALFORMED_MANIFEST: "Each document is an object that an API server can read.",
    ReadingRule.UNREAD_PART: "Metadata and pod templates have the types of the Kubernetes API.",
    ReadingRule.UNFILLED_PLACEHOLDER: "Values that the rules judge are filled in.",
    ReadingRule.IGNORE_COMMENT: "Comments ignore rules that find something, and say why.",
    ReadingRule.ACKNOWLEDGEMENT: "Acknowledged findings are still there, and unchanged.",
}


def to_json(found: FileFindings) -> str:
    """Return what is found as JSON, without the name of the file."""
    rows = [_row(finding) for finding in found.findings]
    others = found.objects, dict(found.gpu_workloads), dict(found.ignored)
    return json.dumps([rows, *others], separators=(",", ":"))


def from_json(text: str, file: str) -> FileFindings:
    """Return what is found in a file; `text` is what `to_json` has written."""
    rows, objects, kinds, ignored = json.loads(text)
    findings = tuple(_finding(*row, file=file) for row in rows)
    return FileFindings(findings, objects, kinds, ignored)


def _row(finding: LintFinding) -> list[Any]:
    return [
        finding.rule,
        finding.severity,
        (finding.start.line, finding.start.column),
        (finding.end.line, finding.end.column),
        finding.subject,
        finding.document,
        finding.pointer,
        finding.message,
        finding.remedy,
        finding.fix,
        finding.clusters,
        finding.is_agreed,
        finding.content,
    ]


def _finding(
    rule: str,
    severity: str,
    start: tuple[int, int],
    end: tuple[int, int],
    *others: Any,
    file: str,
) -> LintFinding:
    subject, document, pointer, message, remedy, fix, clusters, is_agreed, content = others
    return LintFinding(
        rule,
        LintSeverity(severity),
        Mark(file, *start),
        Mark(file, *end),
        subject,
        document,
        pointer,
        message,
        remedy,
        tuple(Operation(*operation) for operation in fix),
        tuple(clusters),
        is_agreed,
        content,
    )


def object_subject(one: Document) -> str:
    """Return kind and name of an object: `Job train`."""
    metadata = members(one.get("metadata"))
    name = text(metadata.get("name")) or text(metadata.get("generateName"))
    return f"{shown(text(one.get('kind')))} {shown(name)}".rstrip()
