"""The rules of a cluster, ready to judge manifests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.lint.lint_run import ClusterFacts
from policies.custom.rules import custom_rules
from policies.document import members, text
from policies.engine import Engine
from policies.manifest_admission import objects
from policies.rules import RULES
from policies.settings_json import read_settings


@dataclass(frozen=True, slots=True)
class ClusterJudge:
    """A cluster in which manifests may be applied, and its rules."""

    facts: ClusterFacts
    rules: ClusterRules

    @property
    def name(self) -> str:
        return self.facts.name

    def lacks(self, namespace: str) -> frozenset[str]:
        """Return what an object in that namespace lacks, if it is meant for this cluster."""
        is_meant = self.facts.is_named or namespace in self.rules.engine.settings.namespaces
        return frozenset(self.facts.lacks if is_meant else ())


def cluster_judge(facts: ClusterFacts) -> ClusterJudge:
    engine = Engine(read_settings(facts.settings))
    workers = {name: Engine(read_settings(one)) for name, one in facts.workers.items()}
    policies = ObjectPolicies([dict(each) for each in facts.policies], engine.settings)
    return ClusterJudge(facts, ClusterRules(engine, workers, tuple(facts.taken), policies))


def where_applied(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> Sequence[ClusterJudge]:
    """Return the clusters that have a namespace of the document; all where none has.

    `namespace` takes the place of those that its objects name.
    """
    stated = (members(one.get("metadata")).get("namespace") for _, one in objects(document))
    named = [namespace] if namespace else [*map(text, stated)]
    known = [one for one in judges if {*named} & one.rules.engine.settings.namespaces.keys()]
    return known or judges


class AppliedJudge(NamedTuple):
    """A cluster in which a document may be applied."""

    name: str
    workers: frozenset[str]
    """The clusters that run its jobs; none where it does so itself."""

    def would_fix(self, found_in: Sequence[str]) -> bool:
        """Whether it, or each of its workers, is among the clusters that have a finding."""
        found = frozenset(found_in)
        return self.name in found or (bool(self.workers) and self.workers <= found)


def applied_judges(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> tuple[AppliedJudge, ...]:
    return tuple(
        AppliedJudge(each.name, frozenset(each.rules.elsewhere(document, namespace)))
        for each in where_applied(judges, document, namespace)
    )


def without_rules(judge: ClusterJudge, names: Iterable[str]) -> ClusterJudge:
    """Leave out rules of a cluster, so that no fix depends on them."""
    off = frozenset(names)
    workers = {name: _without(engine, off) for name, engine in judge.rules.workers.items()}
    rules = replace(judge.rules, engine=_without(judge.rules.engine, off), workers=workers)
    return replace(judge, rules=rules)


def _without(engine: Engine, names: frozenset[str]) -> Engine:
    rules = (*RULES, *custom_rules(engine.settings))
    kept = [rule for rule in rules if rule.name.value not in names]
    return Engine(engine.settings, kept, engine.offer)
