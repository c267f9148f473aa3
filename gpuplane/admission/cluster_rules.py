"""The admission rules that apply to manifests in one cluster."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from charts_py.objects.document import Document
from policies.document import members, text
from policies.engine import Engine
from policies.job_priority import kind_of
from policies.manifest_pod import objects
from policies.settings import JobKind

_KEPT = (JobKind("apps", "StatefulSet"), JobKind("leaderworkerset.x-k8s.io", "LeaderWorkerSet"))
"""Jobs without `managedBy`; the manager of MultiKueue has pods of its own for them, too
(https://github.com/kubernetes-sigs/kueue, pkg/controller/jobs/leaderworkerset and statefulset at
v0.19.2)."""


@dataclass(frozen=True, slots=True)
class ClusterRules:
    """The rules of a cluster, and of its workers where other clusters run its jobs."""

    engine: Engine
    """The rules as the cluster's webhook applies them."""
    workers: Mapping[str, Engine] = field(default_factory=dict)
    """By the name of the cluster that runs jobs for it."""
    taken: tuple[str, ...] = ()
    """Namespaces whose jobs the workers run."""

    def elsewhere(self, manifest: Document, namespace: str | None) -> Mapping[str, Engine]:
        """Return the rules of the clusters that run all jobs of a manifest; empty for its own.

        `namespace` takes the place of the one that an object names.
        """
        made = [made_by for _, made_by in objects(manifest)]
        is_taken = made and all(self._is_taken(each, namespace) for each in made)
        return self.workers if is_taken else {}

    def _is_taken(self, made_by: Document, namespace: str | None) -> bool:
        place = namespace or text(members(made_by.get("metadata")).get("namespace"))
        return place in self.taken and kind_of(made_by) in self._taken_kinds()

    def _taken_kinds(self) -> Iterator[JobKind]:
        priority = self.engine.settings.queue_priority
        return (kind for kind in (priority.jobs if priority else ()) if kind not in _KEPT)
