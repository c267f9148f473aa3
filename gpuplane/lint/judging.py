"""Judging many files by the rules of clusters."""

from collections.abc import Sequence

from gpuplane.lint.cached_findings import Keep
from gpuplane.lint.cluster_facts import ClusterFacts
from gpuplane.lint.cluster_judge import cluster_judge
from gpuplane.lint.file_findings import FileFindings
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.lint_terms import LintTerms
from gpuplane.lint.processes import spread
from gpuplane.lint.rule_names import rule_names
from policies.admission import Review


def judged_files(
    sources: Sequence[LintSource], clusters: Sequence[ClusterFacts], terms: LintTerms
) -> list[FileFindings]:
    """Return what is found in each of the files."""
    judgement = judgement_of(clusters, terms)
    return [judge_file(source, judgement) for source in sources]


def judged_and_kept(
    sources: Sequence[LintSource], clusters: Sequence[ClusterFacts], terms: LintTerms, keep: Keep
) -> list[FileFindings]:
    """Return and keep what is found in each of the files, on all processors."""
    judgement = judgement_of(clusters, terms)

    def judge(source: LintSource) -> FileFindings:
        found = judge_file(source, judgement)
        keep(source, found)
        return found

    return spread(lambda share: [*map(judge, share)], sources)


def judgement_of(clusters: Sequence[ClusterFacts], terms: LintTerms) -> Judgement:
    """Return by what manifests of these clusters are judged."""
    review = Review(terms.default_namespace, terms.today)
    names = rule_names(rule for each in clusters for rule in each.own_rules)
    return Judgement([*map(cluster_judge, clusters)], review, terms.namespace, names)
