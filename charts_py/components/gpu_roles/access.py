"""What the members of a team may do in its namespaces, on every platform."""

from collections.abc import Iterator

from charts_py.platform.additions import Access, Use
from charts_py.spec.kubernetes_version import Feature, KubernetesVersion, has

_RUN = (
    Access("", ("configmaps", "persistentvolumeclaims", "pods", "services"), Use.RUN),
    Access("apps", ("deployments", "statefulsets"), Use.RUN),
    Access("autoscaling", ("horizontalpodautoscalers",), Use.RUN),
    Access("batch", ("cronjobs", "jobs"), Use.RUN),
    Access("jobset.x-k8s.io", ("jobsets",), Use.RUN),
    Access("kubeflow.org", ("mpijobs", "pytorchjobs"), Use.RUN),
    Access("leaderworkerset.x-k8s.io", ("leaderworkersets",), Use.RUN),
    Access("ray.io", ("rayclusters", "rayjobs", "rayservices"), Use.RUN),
    Access("trainer.kubeflow.org", ("trainjobs",), Use.RUN),
)
_CLAIMS = Access("resource.k8s.io", ("resourceclaims", "resourceclaimtemplates"), Use.RUN)

_SURROUNDINGS = (
    Access("", ("events", "limitranges", "pods/log", "resourcequotas"), Use.READ),
    Access("apps", ("replicasets",), Use.READ),
    Access("discovery.k8s.io", ("endpointslices",), Use.READ),
    Access("events.k8s.io", ("events",), Use.READ),
    Access("metrics.k8s.io", ("pods",), Use.READ),
    Access("networking.k8s.io", ("networkpolicies",), Use.READ),
    Access("policy", ("poddisruptionbudgets",), Use.READ),
    Access("trainer.kubeflow.org", ("trainingruntimes",), Use.READ),
)
"""What explains why something does not run, or is not reached. The cluster file decides the bounds
among it, so that nobody in a team writes them."""

_SUBRESOURCES = (
    Access("apps", ("deployments/scale", "statefulsets/scale"), Use.CHANGE),
    Access("leaderworkerset.x-k8s.io", ("leaderworkersets/scale",), Use.CHANGE),
    Access("", ("pods/attach", "pods/exec", "pods/portforward"), Use.CONNECT),
)

_ADMINISTERED = (
    # Users can mount a secret and run as a service account, but not read the one or make the other.
    Access("", ("secrets", "serviceaccounts"), Use.ADMINISTER),
    # Can stop the draining of a node.
    Access("policy", ("poddisruptionbudgets",), Use.ADMINISTER),
    # Who has access. Groups are bound by the cluster file alone.
    Access("rbac.authorization.k8s.io", ("rolebindings", "roles"), Use.AUDIT),
)


def team_access(version: KubernetesVersion) -> Iterator[Access]:
    """Yield the rights of every team, whatever components there are."""
    yield from _RUN
    if has(version, Feature.RESOURCE_CLAIMS):
        yield _CLAIMS
    yield from (*_SURROUNDINGS, *_SUBRESOURCES, *_ADMINISTERED)
