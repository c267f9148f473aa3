"""One run of the linter; it imports no more than the run needs, so that a cached one is quick."""

import datetime as dt
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpuplane.lint.acknowledgement_key import acknowledgement_file
from gpuplane.lint.cache import cache_folder
from gpuplane.lint.finding import FileFindings, LintSeverity
from gpuplane.lint.lint_run import ClusterFacts, Keep, LintRun, LintTerms
from gpuplane.lint.lint_source import (
    LintSource,
    has_kustomizations,
    lint_sources,
    may_join,
    named_roots,
)
from gpuplane.lint.report import LintReport, RuleSelection, merged_report
from policies.pod import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from gpuplane.lint.acknowledgements import LintAcknowledgements, Statement
    from gpuplane.lint.fixes import FixedFile


@dataclass(frozen=True, slots=True, kw_only=True)
class LintRequest:
    """The files, clusters and rules that a user asks about."""

    folder: Path
    """The folder of the cluster files."""
    today: dt.date
    paths: Sequence[str] = ()
    charts: Sequence[str] = ()
    values: Sequence[str] = ()
    clusters: Sequence[str] = ()
    """Names of clusters; empty for all where an object may be applied."""
    namespace: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    severity: LintSeverity = LintSeverity.WARNING
    """The lowest severity that is shown and acknowledged."""
    of_objects_only: bool = False
    """Whether files without objects are passed over although they are named."""
    is_cached: bool = True
    statement: "Statement | None" = None
    """The reason for which all findings are acknowledged; None where they are shown."""


@dataclass(frozen=True, slots=True)
class Linted:
    """The files that were read, the rules that judged them, and the findings."""

    sources: Sequence[LintSource]
    clusters: Sequence[ClusterFacts]
    terms: LintTerms
    selection: RuleSelection
    report: LintReport

    def fixed(self) -> "Sequence[FixedFile]":
        from gpuplane.lint.fixes import fixed_files

        fixable = {each.place for each in self.report.findings if each.fix}
        files = {file for file, *_ in fixable}
        sources = [each for each in self.sources if each.shown_as in files]
        reported = {each.place: each.place in fixable for each in self.report.findings}
        return fixed_files(sources, self.clusters, self.terms, self.selection, reported)


def lint_manifests(request: LintRequest, read_stdin: Callable[[int], bytes]) -> Linted:
    """Return what is found, without what was acknowledged; acknowledge it first, where asked to.

    Raises what reading clusters and manifests raises.
    """
    run = LintRun(cache_folder(os.environ) if request.is_cached else None, _load, _judge)
    clusters = run.clusters(request.folder, request.clusters)
    custom_rules = [name for each in clusters for name in each.custom_rules]
    selection = _selection(request, custom_rules)
    sources = [*_read(request, read_stdin), *_rendered(request, clusters)]
    terms = LintTerms(request.today, request.namespace)
    if has_kustomizations(sources):
        from gpuplane.lint.overlays import findings_by_file, split_overlays

        roots = named_roots(request.paths)
        sources, overlays = split_overlays(sources, roots)
        built = run.findings([each.source for each in overlays], clusters, terms)
        files, in_files = findings_by_file(overlays, built, custom_rules, roots)
        terms = _with_told(run, terms, sources)
        found = [*run.findings(sources, clusters, terms), *in_files]
        sources += files
    else:
        terms = _with_told(run, terms, sources)
        found = run.findings(sources, clusters, terms)

    def linted(left: Sequence[FileFindings]) -> Linted:
        report = merged_report(sources, left, selection, [each.name for each in clusters])
        finding = {name for each in report.findings for name in each.clusters}
        judging = (each for each in clusters if each.is_named or each.name in finding)
        not_live = tuple(each.not_live for each in judging if each.not_live)
        report = replace(report, not_live=not_live)
        return Linted(sources, clusters, terms, selection, report)

    acknowledgements = _acknowledgements(request, custom_rules)
    if acknowledgements is None:
        return linted(found)
    if request.statement is not None:
        left = linted(acknowledgements.left_of(found, sources)).report
        acknowledgements.add(left.of_severity(request.severity).findings, request.statement)
    return linted(acknowledgements.left_of(found, sources))


def _with_told(run: LintRun, terms: LintTerms, sources: Sequence[LintSource]) -> LintTerms:
    if not any(map(may_join, sources)):
        return terms
    from gpuplane.lint.siblings import ToldIndex
    from gpuplane.lint.told_beside import told_beside

    told = told_beside(sources, terms.namespace, run.kept("told"))
    return replace(terms, told=ToldIndex(told))


def _acknowledgements(
    request: LintRequest, custom_rules: Sequence[str]
) -> "LintAcknowledgements | None":
    """Return those of the repository; None where it has none, and gets none."""
    file = acknowledgement_file(Path.cwd())
    if request.statement is None and not file.exists():
        return None
    from gpuplane.lint.acknowledgements import LintAcknowledgements

    return LintAcknowledgements(file, custom_rules, request.today)


def _read(request: LintRequest, read_stdin: Callable[[int], bytes]) -> Sequence[LintSource]:
    sources = lint_sources(request.paths, read_stdin)
    if not request.of_objects_only:
        return sources
    return [replace(each, is_named=False) for each in sources]


def _rendered(request: LintRequest, clusters: Sequence[ClusterFacts]) -> Sequence[LintSource]:
    if not request.charts:
        return ()
    from gpuplane.lint.chart_sources import chart_sources

    # Of several clusters the first one that is named decides.
    namespace = request.namespace or DEFAULT_NAMESPACE
    return chart_sources(request.charts, request.values, namespace, clusters[0].kubernetes)


def _selection(request: LintRequest, custom_rules: Sequence[str]) -> RuleSelection:
    if not request.select and not request.ignore:
        return RuleSelection()
    from gpuplane.lint.registry import rule_selection

    return rule_selection(request.select, request.ignore, custom_rules)


def _load(folder: Path, names: Sequence[str]) -> tuple[ClusterFacts, ...]:
    from gpuplane.lint.loaded_clusters import loaded_clusters

    return loaded_clusters(folder, names)


def _judge(
    sources: Sequence[LintSource], clusters: Sequence[ClusterFacts], terms: LintTerms, keep: Keep
) -> Sequence[FileFindings]:
    from gpuplane.lint.judged_file import judged_files

    return judged_files(sources, clusters, terms, keep)
