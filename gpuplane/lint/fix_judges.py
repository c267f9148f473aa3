"""The clusters whose rules fix manifests, and what they have in common."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from charts_py.objects.document import Document
from gpuplane.lint.cluster_judge import ClusterJudge, where_applied
from policies.custom.rules import custom_rules
from policies.engine import Engine
from policies.rules import RULES


def without_rules(judge: ClusterJudge, names: Iterable[str]) -> ClusterJudge:
    """Return a cluster without some of its rules, so that no fix depends on what these would do."""
    off = frozenset(names)
    workers = {name: _without(engine, off) for name, engine in judge.rules.workers.items()}
    rules = replace(judge.rules, engine=_without(judge.rules.engine, off), workers=workers)
    return replace(judge, rules=rules)


def _without(engine: Engine, names: frozenset[str]) -> Engine:
    rules = (*RULES, *custom_rules(engine.settings))
    kept = [rule for rule in rules if rule.name.value not in names]
    return Engine(engine.settings, kept, engine.offer)


class AppliedJudge(NamedTuple):
    """A cluster in which a document may be applied."""

    name: str
    workers: frozenset[str]
    """The clusters that run its jobs; none where it does so itself."""

    def would_fix(self, found_in: Sequence[str]) -> bool:
        """Whether it is among the clusters in which something is found, or all its workers are."""
        found = frozenset(found_in)
        return self.name in found or (bool(self.workers) and self.workers <= found)


def applied_judges(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> tuple[AppliedJudge, ...]:
    """Return the clusters in which a document may be applied.

    `namespace` takes the place of those that its objects name.
    """
    return tuple(
        AppliedJudge(each.name, frozenset(each.rules.elsewhere(document, namespace)))
        for each in where_applied(judges, document, namespace)
    )
