"""Fixing what is found in manifests."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from gpuplane.edits.edited_text import CHANGES_MORE, split_documents
from gpuplane.lint.cluster_facts import ClusterFacts
from gpuplane.lint.document_fixes import DocumentFixes
from gpuplane.lint.finding import FindingPlace, LintFinding
from gpuplane.lint.fixed_file import FixedFile, UnfixedFinding
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.judging import judgement_of
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.lint_terms import LintTerms
from gpuplane.lint.processes import spread
from gpuplane.lint.reading_rule import ReadingRule
from gpuplane.lint.selected_rules import RuleSelection
from policies.rule_name import RuleName

_LINE_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
"""What YAML counts as the end of a line."""
_LONE_RETURN = re.compile("\r(?!\n)")


def fixed_files(
    sources: Sequence[LintSource],
    clusters: Sequence[ClusterFacts],
    terms: LintTerms,
    selection: RuleSelection,
    reported: Set[FindingPlace] | None = None,
) -> tuple[FixedFile, ...]:
    """Return files with the findings of the selected rules fixed: those `reported`, or all.

    A fix is written only if all clusters in which the object may be applied make it: where they
    differ, such as in a priority class, somebody has to say which of them is meant. A file of which
    a part cannot be read, or is filled in later, stays as it is.
    """
    judgement = replace(judgement_of(clusters, terms), heeds_comments=False)
    off = frozenset(name for name in _rules(clusters) if not selection.has(name))

    def fix(share: Sequence[LintSource]) -> list[FixedFile]:
        return [_fixed(source, judgement, selection, off, reported) for source in share]

    return tuple(spread(fix, sources))


def _rules(clusters: Sequence[ClusterFacts]) -> Iterator[str]:
    yield from RuleName
    for each in clusters:
        yield from each.own_rules


def _fixed(
    source: LintSource,
    judgement: Judgement,
    selection: RuleSelection,
    off: frozenset[str],
    reported: Set[FindingPlace] | None,
) -> FixedFile:
    findings = judge_file(source, judgement).findings
    kept = [one for one in findings if reported is None or one.place in reported]
    wanted = [one for one in kept if one.fix and selection.has(one.rule)]
    if not wanted:
        return FixedFile(source, source.content)
    if why := _untouchable(source, findings):
        return FixedFile(source, source.content, unfixed=_unfixed(wanted, why))
    meant = _meant(findings, reported)
    off_in = {one.document: off | meant[one.document] for one in wanted}
    return _rewritten(source, judgement, selection, off_in)


def _rewritten(
    source: LintSource,
    judgement: Judgement,
    selection: RuleSelection,
    off_in: Mapping[int, frozenset[str]],
) -> FixedFile:
    """Return a file with documents fixed; `off_in`: for each of them the rules that are off."""
    parts = split_documents(source.content.decode())
    fixed, unfixed, lines = list[LintFinding](), list[UnfixedFinding](), 0
    for document, part in enumerate(parts):
        if document in off_in:
            fixes = DocumentFixes(source, document, lines, judgement, selection)
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


def _meant(
    findings: Sequence[LintFinding], reported: Set[FindingPlace] | None
) -> Mapping[int, Set[str]]:
    """Return the rules that a comment or an acknowledgement leaves out, by document."""
    meant: defaultdict[int, set[str]] = defaultdict(set)
    for one in findings:
        if reported is not None and one.place not in reported:
            meant[one.document].add(one.rule)
    return meant


def _untouchable(source: LintSource, findings: Sequence[LintFinding]) -> str:
    """Return why a file stays as it is; empty where it need not."""
    if source.leads_out:
        return "it is a link out of the folder that is named; name the file itself"
    for one in findings:
        if one.rule in [*ReadingRule]:
            return f"the file has {one.rule} on line {one.start.line}"
    is_old = _LONE_RETURN.search(source.content.decode())
    return "its lines end in a carriage return alone" if is_old else ""
