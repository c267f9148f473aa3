"""The admission rules that apply to manifests in one cluster."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from charts_py.objects.document import Document
from gpuplane.admission.object_policies import NO_POLICIES, ObjectPolicies
from policies.document import members, objects, text
from policies.engine import Engine
from policies.settings import JobKind, kind_of

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
    """Engines of the clusters that run jobs for it, by their names."""
    taken: tuple[str, ...] = ()
    """Namespaces whose jobs the workers run."""
    policies: ObjectPolicies = NO_POLICIES
    """The API server's policies that judge what none of the rules does."""

    def elsewhere(self, manifest: Document, namespace: str | None) -> Mapping[str, Engine]:
        """Return the rules of the clusters that run all jobs of a manifest; empty for its own.

        `namespace` takes the place of the one that an object names.
        """
        priority = self.engine.settings.queue_priority
        kinds = [kind for kind in (priority.jobs if priority else ()) if kind not in _KEPT]
        made = [made_by for _, made_by in objects(manifest)]
        places = [namespace or text(members(one.get("metadata")).get("namespace")) for one in made]
        is_taken = all(place in self.taken for place in places)
        return self.workers if made and is_taken and {*map(kind_of, made)} <= {*kinds} else {}
