"""The clusters whose rules fix manifests, and what they have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from charts_py.lint.cluster_judge import ClusterJudge, where_applied
from charts_py.lint.finding import LintFinding
from charts_py.objects.document import Document
from policies.engine import Engine
from policies.own.own_rules import own_rules
from policies.rules import RULES


def without_rules(judge: ClusterJudge, names: Iterable[str]) -> ClusterJudge:
    """Return a cluster without some of its rules, so that no fix depends on what these would do."""
    off = frozenset(names)
    workers = {name: _without(engine, off) for name, engine in judge.rules.workers.items()}
    rules = replace(judge.rules, engine=_without(judge.rules.engine, off), workers=workers)
    return replace(judge, rules=rules)


def _without(engine: Engine, names: frozenset[str]) -> Engine:
    rules = (*RULES, *own_rules(engine.settings))
    kept = [rule for rule in rules if rule.name.value not in names]
    return Engine(engine.settings, kept, engine.offer)


def differing(
    finding: LintFinding,
    judges: Sequence[ClusterJudge],
    document: Document,
    namespace: str | None,
) -> tuple[str, ...]:
    """Return the clusters in which the document may be applied, and which would not fix it so.

    `namespace` takes the place of those that its objects name.
    """
    found = frozenset(finding.clusters)
    return tuple(
        judge.name
        for judge in where_applied(judges, document, namespace)
        if not _is_found(found, judge, document, namespace)
    )


def _is_found(
    found: frozenset[str], judge: ClusterJudge, document: Document, namespace: str | None
) -> bool:
    """Whether a cluster is among those found, or all that run its jobs are."""
    workers = judge.rules.elsewhere(document, namespace)
    return judge.name in found or (bool(workers) and workers.keys() <= found)
