"""The rules of a cluster, ready to judge manifests."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from charts_py.objects.document import Document
from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_facts import ClusterFacts
from policies.document import members, text
from policies.engine import Engine
from policies.manifest_pod import objects
from policies.settings_json import read_settings


@dataclass(frozen=True, slots=True)
class ClusterJudge:
    """A cluster in which manifests may be applied."""

    name: str
    kubernetes: str
    rules: ClusterRules

    def knows(self, namespace: str) -> bool:
        """Whether a team of the cluster has the namespace."""
        return namespace in self.rules.engine.settings.namespaces


def cluster_judge(facts: ClusterFacts) -> ClusterJudge:
    """Return the rules that follow from the settings of a cluster."""
    workers = {name: _engine(settings) for name, settings in facts.workers.items()}
    rules = ClusterRules(_engine(facts.settings), workers, tuple(facts.taken))
    return ClusterJudge(facts.name, facts.kubernetes, rules)


def _engine(settings: str) -> Engine:
    return Engine(read_settings(settings))


def where_applied(
    judges: Sequence[ClusterJudge], document: Document, namespace: str | None
) -> Sequence[ClusterJudge]:
    """Return the clusters that have a namespace of the document; all where none has.

    `namespace` takes the place of those that its objects name.
    """
    named = [namespace] if namespace else [*_namespaces(document)]
    known = [judge for judge in judges if any(map(judge.knows, named))]
    return known or judges


def _namespaces(document: Document) -> Iterable[str]:
    for _, one in objects(document):
        yield text(members(one.get("metadata")).get("namespace"))
