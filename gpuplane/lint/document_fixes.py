"""Fixing what is found in one document of a manifest."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.admission.manifest_file import read_manifests
from gpuplane.edits.edited_list import edit_document
from gpuplane.edits.edited_text import DocumentEdit
from gpuplane.lint.finding import LintFinding
from gpuplane.lint.fix_judges import applied_judges, without_rules
from gpuplane.lint.fixed_file import UnfixedFinding
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.selected_rules import RuleSelection

MAX_ROUNDS = 10
"""How often in a row a document is fixed again, since fixes have brought further findings."""


@dataclass(slots=True)
class DocumentFixes:
    """What is fixed in a document, and what is not.

    It is read alone: with all others of its file, each of them would be judged once for every one.
    """

    source: LintSource
    """The file."""
    document: int
    """Its index in the file."""
    lines_above: int
    """Those of the file that are above it."""
    judgement: Judgement
    selection: RuleSelection
    fixed: list[LintFinding] = field(default_factory=list)
    unfixed: list[UnfixedFinding] = field(default_factory=list)

    def write(self, text: str, off: frozenset[str]) -> str:
        """Return the text of the document, fixed but for rules that are off.

        Each fix relies on those before it. Behind one that is not written, the others are asked for
        again, as if its rule did not exist.
        """
        rounds = 0
        while rounds < MAX_ROUNDS and (found := self._fixable(text, off)):
            left = self._differing(text, found)
            agreed = found if left is None else found[: found.index(left.finding)]
            edited, alone = _edited(text, agreed)
            while alone is not None:
                left, agreed = alone, agreed[: agreed.index(alone.finding)]
                edited, alone = _edited(text, agreed)
            text, rounds = edited, rounds + 1
            self.fixed += agreed
            if left is not None and not agreed:
                self.unfixed.append(left)
                off, rounds = off | {left.finding.rule}, 0
        return text

    def _fixable(self, text: str, off: frozenset[str]) -> Sequence[LintFinding]:
        judges = [without_rules(judge, off) for judge in self.judgement.judges]
        # Empty lines make its findings stand where they do in the file.
        content = "\n" * self.lines_above + text
        source = replace(self.source, content=content.encode())
        found = judge_file(source, replace(self.judgement, judges=judges)).findings
        here = (one._replace(document=self.document) for one in found if one.fix)
        return [one for one in here if self.selection.has(one.rule) and one.rule not in off]

    def _differing(self, text: str, found: Sequence[LintFinding]) -> UnfixedFinding | None:
        """Return the first finding whose fix not all clusters make."""
        (written,) = read_manifests(text.encode(), self.source.shown_as).objects
        judgement = self.judgement
        applied = applied_judges(judgement.judges, written.document, judgement.namespace)
        for one in found:
            if others := [each.name for each in applied if not each.would_fix(one.clusters)]:
                return UnfixedFinding(one, f"{', '.join(others)} would not fix it so")
        return None


def _edited(text: str, findings: Sequence[LintFinding]) -> tuple[str, UnfixedFinding | None]:
    """Return the text of a document with fixes, and the first that could not be written."""
    edits = [DocumentEdit(0, one.fix) for one in findings]
    edited = edit_document(text, edits, ManifestLoader)
    left = {id(alone.edit): alone.why for alone in edited.left}
    for finding, edit in zip(findings, edits, strict=True):
        if id(edit) in left:
            return edited.text, UnfixedFinding(finding, left[id(edit)])
    return edited.text, None
