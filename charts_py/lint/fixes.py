"""Fixing what is found in manifests."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from charts_py.lint.cluster_facts import ClusterFacts
from charts_py.lint.document_fixes import DocumentFixes
from charts_py.lint.finding import FindingPlace, LintFinding
from charts_py.lint.fixed_file import FixedFile, UnfixedFinding
from charts_py.lint.judged_file import Judgement, judge_file
from charts_py.lint.judging import judgement_of
from charts_py.lint.lint_source import LintSource
from charts_py.lint.lint_terms import LintTerms
from charts_py.lint.processes import spread
from charts_py.lint.reading_rule import ReadingRule
from charts_py.lint.selected_rules import RuleSelection
from policies.rule_name import RuleName


def fixed_files(
    sources: Sequence[LintSource],
    clusters: Sequence[ClusterFacts],
    terms: LintTerms,
    selection: RuleSelection,
    told: Set[FindingPlace] | None = None,
) -> tuple[FixedFile, ...]:
    """Return files with the findings of the selected rules fixed that are told, or all of them.

    A fix is written only if all clusters in which the object may be applied make it: where they
    differ, such as in a priority class, somebody has to say which of them is meant. A file of which
    a part cannot be read, or is filled in later, stays as it is.
    """
    judgement = replace(judgement_of(clusters, terms), heeds_comments=False)
    off = frozenset(name for name in _rules(clusters) if not selection.has(name))

    def fix(share: Sequence[LintSource]) -> list[FixedFile]:
        return [_fixed(source, judgement, selection, off, told) for source in share]

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
    told: Set[FindingPlace] | None,
) -> FixedFile:
    findings = judge_file(source, judgement).findings
    kept = [one for one in findings if told is None or one.place in told]
    wanted = [one for one in kept if one.fix and selection.has(one.rule)]
    if why := _untouchable(source, findings):
        left = tuple(UnfixedFinding(one, why) for one in wanted)
        return FixedFile(source, source.content, unfixed=left)
    text, fixed, unfixed = source.content.decode(), list[LintFinding](), list[UnfixedFinding]()
    for document in sorted({one.document for one in wanted}):
        fixes = DocumentFixes(source, document, judgement, selection)
        here = [one for one in findings if one.document == document]
        # Left out by a comment or an acknowledgement, so that it is meant as it is.
        meant = {one.rule for one in here if one not in kept}
        text = fixes.write(text, off | meant)
        fixed += fixes.fixed
        unfixed += fixes.unfixed
    return FixedFile(source, text.encode(), tuple(fixed), tuple(unfixed))


def _untouchable(source: LintSource, findings: Sequence[LintFinding]) -> str:
    """Return why a file stays as it is; empty where it need not."""
    if source.leads_out:
        return "it is a link out of the folder that is named; name the file itself"
    for one in findings:
        if one.rule in [*ReadingRule]:
            return f"the file has {one.rule} on line {one.start.line}"
    try:
        source.content.decode()
    except UnicodeDecodeError:
        return "the file is not UTF-8"
    return ""
