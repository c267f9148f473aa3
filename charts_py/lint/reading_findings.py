"""What keeps manifests from being judged, as findings."""

from charts_py.admission.manifest_file import ManifestObject
from charts_py.admission.manifest_sources import ManifestSource
from charts_py.lint.finding import LintFinding, LintSeverity
from charts_py.lint.reading_rule import ReadingRule
from charts_py.spec.fault import Fault, Mark
from policies.document import members, pointer, shown, text


def stop_finding(source: ManifestSource, fault: Fault) -> LintFinding:
    """Return why a file cannot be read any further."""
    is_template = fault.problem.what.startswith("a template of ")
    rule = ReadingRule.TEMPLATE if is_template else ReadingRule.UNREADABLE_FILE
    return _on_line(source, fault, rule)


def fault_finding(source: ManifestSource, fault: Fault) -> LintFinding:
    """Return what keeps a document from being an object."""
    return _on_line(source, fault, ReadingRule.MALFORMED_MANIFEST)


def part_finding(one: ManifestObject, fault: Fault) -> LintFinding:
    """Return a part of an object that is not what the API has there."""
    at = pointer(*fault.problem.path)
    span = one.span_of(at)
    name = text(members(one.document.get("metadata")).get("name"))
    return LintFinding(
        rule=ReadingRule.UNREAD_PART,
        severity=LintSeverity.ERROR,
        start=Mark(one.mark.file, span.line, span.column),
        end=Mark(one.mark.file, span.line, span.end_column),
        subject=f"{shown(one.document['kind'])} {shown(name)}".rstrip(),
        document=one.index,
        pointer=at,
        message=f"{fault.problem}.",
        remedy="",
    )


def _on_line(source: ManifestSource, fault: Fault, rule: ReadingRule) -> LintFinding:
    """Return a finding without an object, from its column to the end of its line."""
    mark = fault.mark
    lines = source.content.splitlines()
    line = lines[mark.line - 1].decode(errors="replace") if mark.line <= len(lines) else ""
    indentation = len(line) - len(line.lstrip())
    column = mark.column or indentation + 1
    return LintFinding(
        rule=rule,
        severity=LintSeverity.ERROR,
        start=Mark(source.shown_as, mark.line, column),
        end=Mark(source.shown_as, mark.line, max(len(line.rstrip()), column) + 1),
        subject="",
        document=0,
        pointer="",
        message=f"{str(fault.problem)[:1].upper()}{str(fault.problem)[1:]}.",
        remedy="",
    )
