"""Fixes that are not written because of the file that they would be written to, or of its text."""

import re
from collections.abc import Iterator, Sequence

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.edits.edited_list import edit_document
from gpuplane.edits.edited_text import DocumentEdit, split_documents
from gpuplane.lint.finding import LintFinding, ReadingRule
from gpuplane.lint.lint_source import LintSource

_STOPPING = frozenset(ReadingRule) - {ReadingRule.UNREAD_GPUS, ReadingRule.UNKNOWN_NAMESPACE}
"""Rules on what may be read otherwise than it is meant."""
_LONE_RETURN = re.compile("\r(?!\n)")
_UNUSUAL = re.compile(r"(?:^|[\s\[{,])[&*!]\S|[\[{,]\s*#|#[^\n]*\n\s*[\]}]", re.MULTILINE)
"""An anchor, an alias, a tag, or a comment in braces: only these keep a fix from being written."""


def untouchable(source: LintSource, findings: Sequence[LintFinding]) -> str:
    """Return why a file stays as it is; empty where it can be fixed."""
    if source.leads_out:
        return "it is outside of the folder that is named; name the file itself"
    for one in findings:
        if one.rule in _STOPPING:
            return f"the file has {one.rule} on line {one.start.line}"
    is_old = _LONE_RETURN.search(source.content.decode())
    return "its lines end in a carriage return alone" if is_old else ""


def with_writability(
    source: LintSource, findings: Sequence[LintFinding]
) -> tuple[LintFinding, ...]:
    """Say of each finding with a fix whether the file takes it."""
    if not any(one.fix for one in findings):
        return tuple(findings)
    if untouchable(source, findings):
        return tuple(one._replace(is_writable=False) for one in findings)
    left = {id(one) for one in _unwritten(source.content.decode(), findings)}
    return tuple(one._replace(is_writable=False) if id(one) in left else one for one in findings)


def _unwritten(text: str, findings: Sequence[LintFinding]) -> Iterator[LintFinding]:
    if not _UNUSUAL.search(text):
        return
    for document, part in enumerate(split_documents(text)):
        fixable = [one for one in findings if one.document == document and one.fix]
        edits = [DocumentEdit(0, one.fix) for one in fixable]
        left = {id(each.edit) for each in edit_document(part, edits, ManifestLoader).left}
        yield from (one for one, edit in zip(fixable, edits, strict=True) if id(edit) in left)
