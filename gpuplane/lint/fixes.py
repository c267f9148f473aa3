"""Fixing findings in manifests."""

import difflib
import io
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.admission.manifest_file import ManifestObject, read_manifests
from gpuplane.edits.edited_list import edit_document
from gpuplane.edits.edited_text import CHANGES_MORE, DocumentEdit, split_documents
from gpuplane.lint.cluster_judge import others_beside, without_rules
from gpuplane.lint.finding import FindingPlace, LintFinding
from gpuplane.lint.judged_file import Judgement, judge_file, judgement_of
from gpuplane.lint.lint_run import ClusterFacts, LintTerms
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.processes import spread
from gpuplane.lint.report import RuleSelection
from gpuplane.lint.told import told
from gpuplane.lint.writable_fixes import untouchable
from gpuplane.written_files import write_files
from policies.document import holders, objects
from policies.rule_name import RuleName

_NO_NEWLINE = "\\ No newline at end of file"
MAX_ROUNDS = 10
"""Fixes can bring further findings; a document is fixed at most as often in a row."""
_OPEN_SIZE = "its size follows from the memory limit, which is missing"
_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""YAML ends a line at these."""


class UnfixedFinding(NamedTuple):
    finding: LintFinding
    why: str
    """Reads as the end of a sentence."""

    def __str__(self) -> str:
        found = self.finding
        return f"{found.start}: {found.subject}: {found.rule} is not fixed, since {self.why}"

    def placed(self, objects: Sequence[ManifestObject]) -> "UnfixedFinding":
        """Return it at its place in a file that has these objects."""
        found = self.finding
        (one,) = (each for each in objects if each.index == found.document)
        start, end = one.marks_of(found.pointer)
        return self._replace(finding=found._replace(start=start, end=end))


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A manifest before and after its findings are fixed."""

    source: LintSource
    after: bytes
    fixed: tuple[LintFinding, ...] = ()
    """Findings in their former order, each at its former line."""
    unfixed: tuple[UnfixedFinding, ...] = ()

    def unfixed_in(self, content: bytes) -> Sequence[str]:
        """Say what is not fixed, at the lines of the file as it is: with the fixes, or without."""
        if not self.unfixed:
            return ()
        read = read_manifests(content, self.source.shown_as).objects
        return [*dict.fromkeys(str(one.placed(read)) for one in self.unfixed)]

    @property
    def is_changed(self) -> bool:
        return self.after != self.source.content

    def diff(self) -> Iterator[str]:
        """Yield the lines of a unified diff, each with the end that it has in the file."""
        # Python's own `splitlines` would end a line at other characters, too.
        before, after = (
            io.StringIO(each.decode(), newline="\n").readlines()
            for each in (self.source.content, self.after)
        )
        name = _quoted(self.source.shown_as)
        for line in difflib.unified_diff(before, after, name, name):
            yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n"


def _quoted(name: str) -> str:
    """Write the name of a file as git does in a patch, in quotes where it needs some.

    https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath
    """
    if name.isprintable() and not any(each in name for each in '"\\'):
        return name
    return f'"{"".join(map(_octal, os.fsencode(name)))}"'


def _octal(byte: int) -> str:
    letter = chr(byte)
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isascii() and letter.isprintable() else f"\\{byte:03o}"


def fixed_files(
    sources: Sequence[LintSource],
    clusters: Sequence[ClusterFacts],
    terms: LintTerms,
    selection: RuleSelection,
    reported: Mapping[FindingPlace, bool] | None = None,
) -> tuple[FixedFile, ...]:
    """Fix the findings of the selected rules in files: all, or those `reported` with a fix.

    A fix is written only if all clusters in which the object may be applied make it: where they
    differ, such as in a priority class, somebody has to say which of them is meant. A file of which
    a part cannot be read, or is filled in later, stays as it is.
    """
    judgement = replace(judgement_of(clusters, terms), heeds_comments=False)
    off = frozenset(name for name in judgement.names.all if not selection.has(name))

    def fix(share: Sequence[LintSource]) -> list[FixedFile]:
        return [_fixed(source, judgement, off, reported) for source in share]

    return tuple(spread(fix, sources))


def _fixed(
    source: LintSource,
    judgement: Judgement,
    off: frozenset[str],
    reported: Mapping[FindingPlace, bool] | None,
) -> FixedFile:
    judgement = replace(judgement, namespace=judgement.namespace or source.namespace)
    findings = judge_file(source, judgement).findings
    kept = [one for one in findings if reported is None or reported.get(one.place)]
    wanted = [one for one in kept if one.fix and one.rule not in off]
    if not wanted:
        return FixedFile(source, source.content)
    if why := untouchable(source, findings):
        return FixedFile(source, source.content, unfixed=_unfixed(wanted, why))
    # A comment or an acknowledgement leaves out the rules of the others in their documents.
    meant: defaultdict[int, set[str]] = defaultdict(set)
    for one in findings:
        if reported is not None and one.place not in reported:
            meant[one.document].add(one.rule)
    return _rewritten(
        source, judgement, {one.document: off | meant[one.document] for one in wanted}
    )


def _rewritten(
    source: LintSource, judgement: Judgement, off_in: Mapping[int, frozenset[str]]
) -> FixedFile:
    """Fix the documents of a file; `off_in` has the rules that are off for each."""
    parts = split_documents(source.content.decode())
    fixed, unfixed, lines = list[LintFinding](), list[UnfixedFinding](), 0
    told_by = [
        (one.index, each)
        for one in read_manifests(source.content, source.shown_as).objects
        for each in told([one.document], source.shown_as, judgement.namespace)
    ]
    for document, part in enumerate(parts):
        if document in off_in:
            others = tuple(each for index, each in told_by if index != document)
            beside = replace(judgement, other_documents=others)
            fixes = DocumentFixes(source, document, lines, beside)
            parts[document] = fixes.write(part, off_in[document])
            fixed += fixes.fixed
            unfixed += fixes.unfixed
        lines += len(_LINE_BREAK.findall(parts[document]))
    text = "".join(parts)
    if fixed and split_documents(text) != parts:
        left = (*unfixed, *_unfixed(fixed, CHANGES_MORE))
        return FixedFile(source, source.content, unfixed=left)
    return FixedFile(source, text.encode(), tuple(fixed), tuple(unfixed))


def _unfixed(findings: Sequence[LintFinding], why: str) -> tuple[UnfixedFinding, ...]:
    return tuple(UnfixedFinding(one, why) for one in findings)


@dataclass(slots=True)
class DocumentFixes:
    """The fixes of one document, and the findings that are not fixed.

    It is judged alone: otherwise all documents of a file would be, again for each of them.
    """

    source: LintSource
    document: int
    lines_above: int
    judgement: Judgement
    fixed: list[LintFinding] = field(default_factory=list)
    unfixed: list[UnfixedFinding] = field(default_factory=list)
    _errors: Sequence[LintFinding] = ()
    """Those of the last judgement, and those that could not be fixed."""
    _unlimited: Sequence[str] = ()
    """The places of missing memory limits, by the last judgement."""
    _refused: Mapping[str, LintFinding] = field(default_factory=dict)
    """An error that an object keeps, by the JSON Pointer to the object."""

    def write(self, text: str, off: frozenset[str]) -> str:
        """Fix the text of the document, without the rules that are off.

        Nothing is written into an object that keeps an error: what it needs depends on what its
        author makes of that.
        """
        written = self._write(text, off)
        tried, (read,) = self.fixed, read_manifests(text.encode(), self.source.shown_as).objects
        places = {place for place, _ in objects(read.document)}
        object_of = {
            one.pointer: next(place for place in holders(one.pointer) if place in places)
            for one in (*tried, *self._errors)
        }
        self._refused = {object_of[one.pointer]: one for one in self._errors}
        in_vain = [one for one in tried if object_of[one.pointer] in self._refused]
        if not in_vain:
            return written
        # What keeps the error of an object from being fixed is the reason for its other fixes.
        self.fixed, self.unfixed = (
            [],
            [one for one in self.unfixed if self._is_refused(one.finding)],
        )
        written = self._write(text, off)
        for one in in_vain:
            error = self._refused[object_of[one.pointer]]
            self.unfixed.append(UnfixedFinding(one, f"the object keeps the error {error.rule}"))
        return written

    def _write(self, text: str, off: frozenset[str]) -> str:
        """Each fix relies on those before it.

        After one that cannot be written, the document is judged again without its rule.
        """
        rounds = 0
        while rounds < MAX_ROUNDS and (found := self._fixable(text, off)):
            left = self._left(text, found)
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
        # With empty lines above, its findings have the lines that they have in the file.
        content = "\n" * self.lines_above + text
        source = replace(self.source, content=content.encode())
        found = judge_file(source, replace(self.judgement, judges=judges)).findings
        here = [one._replace(document=self.document) for one in found if one.rule not in off]
        self._unlimited = [one.pointer for one in here if one.rule == RuleName.MEMORY_LIMIT]
        unfixed = [each.finding for each in self.unfixed]
        self._errors = [one for one in (*here, *unfixed) if one.keeps_fixes_out]
        return [one for one in here if one.fix and not self._is_refused(one)]

    def _is_refused(self, one: LintFinding) -> bool:
        return any(place in self._refused for place in holders(one.pointer))

    def _left(self, text: str, found: Sequence[LintFinding]) -> UnfixedFinding | None:
        """Return the first finding that waits, or that not all clusters would fix in this way."""
        (written,) = read_manifests(text.encode(), self.source.shown_as).objects
        judgement = self.judgement
        others = others_beside(judgement.judges, written.document, judgement.namespace)
        for one in found:
            if self._has_open_size(one):
                return UnfixedFinding(one, _OPEN_SIZE)
            if differing := others(one.clusters):
                return UnfixedFinding(one, f"{', '.join(differing)} would fix it differently")
        return None

    def _has_open_size(self, one: LintFinding) -> bool:
        """Return whether a volume has a size that somebody's memory limit is to decide."""
        spec = one.pointer.removesuffix("volumes")
        is_open = one.rule == RuleName.SHARED_MEMORY and one.pointer != spec
        return is_open and any(each.startswith(spec) for each in self._unlimited)


def _edited(text: str, findings: Sequence[LintFinding]) -> tuple[str, UnfixedFinding | None]:
    """Write fixes into the text of a document; return the first that cannot be written, too."""
    edits = [DocumentEdit(0, one.fix) for one in findings]
    edited = edit_document(text, edits, ManifestLoader)
    left = {id(alone.edit): alone.why for alone in edited.left}
    for finding, edit in zip(findings, edits, strict=True):
        if id(edit) in left:
            return edited.text, UnfixedFinding(finding, left[id(edit)])
    return edited.text, None


def write_fixed(files: Sequence[FixedFile]) -> None:
    """Write the changed files, all or none; raise OSError.

    A file that has changed since it was read is not overwritten.
    """
    changed = {Path(each.source.shown_as): each for each in files if each.is_changed}
    if changed:
        parents = [file.absolute().parent for file in changed]
        before = {file: each.source.content for file, each in changed.items()}
        after = {file: each.after for file, each in changed.items()}
        write_files(Path(os.path.commonpath(parents)), after, before)
