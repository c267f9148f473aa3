"""The rules of a cluster, ready to judge manifests."""

from collections.abc import Callable, Collection, Iterable, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace

from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.lint.lint_run import ClusterFacts
from gpus.nearest import nearest
from policies.custom.rules import custom_rules
from policies.document import members, objects, text
from policies.engine import Engine
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


def cluster_judge(facts: ClusterFacts) -> ClusterJudge:
    engine = Engine(read_settings(facts.settings))
    workers = {name: Engine(read_settings(one)) for name, one in facts.workers.items()}
    policies = ObjectPolicies([dict(each) for each in facts.policies], engine.settings)
    return ClusterJudge(facts, ClusterRules(engine, workers, tuple(facts.taken), policies))


def where_applied(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> Sequence[ClusterJudge]:
    """Return the clusters that have a namespace of the document, or else the nearest to one.

    All where none is near, or where they are named. `namespace` takes the place of those that its
    objects name.
    """
    stated = (members(one.get("metadata")).get("namespace") for _, one in objects(document))
    named = {namespace} if namespace else {*map(text, stated)}
    known = _having(judges, named)
    if known or any(one.facts.is_named for one in judges):
        return known or judges
    all_known = {name for one in judges for name in one.rules.engine.settings.namespaces}
    near = (nearest(name, sorted(all_known))[:1] for name in named)
    return _having(judges, {name for names in near for name in names}) or judges


def _having(judges: Sequence[ClusterJudge], named: AbstractSet[str]) -> Sequence[ClusterJudge]:
    return [one for one in judges if named & one.rules.engine.settings.namespaces.keys()]


def others_beside(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> Callable[[Collection[str]], list[str]]:
    """Return what names the clusters in which a document may be applied, but for some.

    A cluster is among these where all of its workers are, which run its jobs.
    """
    applied = where_applied(judges, document, namespace)
    workers = {each.name: {*each.rules.elsewhere(document, namespace)} for each in applied}

    def others(some: Collection[str]) -> list[str]:
        left = ((name, run_by or {name}) for name, run_by in workers.items() if name not in some)
        return [name for name, run_by in left if not run_by.issubset(some)]

    return others


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
