"""The objects of culling: its rounds, its rights, whom it reaches, and its settings."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.team import IdlePods
from charts_py.components.access import cluster_role, policy_rule, role_binding
from charts_py.components.gpu_usage.definition import GPU_IDLE, usage_alert
from charts_py.components.rounds import Rounds
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from culling.settings import Action, Queries, Settings
from policies.settings import PodSecurity

ROUNDS = Rounds("cull", "gpuplane-culling", minutes=10)
"""The shortest `idleMinutes` is that long; what is idle waits for as long at most."""
OWN_NAMESPACE = PlatformNamespace(ROUNDS.namespace, PodSecurity.RESTRICTED)
_SCALED = {
    "apps": ("deployments", "replicasets", "statefulsets"),
    "leaderworkerset.x-k8s.io": ("leaderworkersets",),
}
"""Culling scales these to 0, by API group."""
_FRESH_SECONDS = 180
"""Two evaluations at the interval of a minute, which is Prometheus' default, and one to spare."""
_ON_ROW = "on (node, UUID, gpu_id, GPU_I_ID, namespace, pod)"


def access(action: Action, namespaces: Iterable[str]) -> Iterator[Document]:
    rules = [*_read(), *(_end() if action is Action.END else ())]
    yield cluster_role(ROUNDS.name, rules)
    for namespace in namespaces:
        yield role_binding(ObjectMeta(ROUNDS.name, namespace), ROUNDS.name, [ROUNDS.subject])


def _read() -> Iterator[dict[str, Any]]:
    yield policy_rule("", ("pods",), "get", "list")
    yield policy_rule("", ("events",), "create")
    yield policy_rule("batch", ("jobs",), "get")
    yield policy_rule("kubeflow.org", ("notebooks",), "get")
    for group, resources in _SCALED.items():
        yield policy_rule(group, resources, "get")


def _end() -> Iterator[dict[str, Any]]:
    yield policy_rule("", ("pods/eviction",), "create")
    yield policy_rule("kubeflow.org", ("notebooks",), "patch")
    for group, resources in _SCALED.items():
        yield policy_rule(group, resources, "patch")


@cache
def queries() -> Queries:
    # What the alert fires by, as long as Prometheus goes on to record it.
    last_used = "time() - timestamp(gpu:gpuplane_last_used:timestamp_seconds)"
    idle = f"({usage_alert(GPU_IDLE).expression}) and {last_used} < {_FRESH_SECONDS}"
    size = f"(gpu:gpuplane_size:gpus and {_ON_ROW} ({idle}))"
    # A team whose pods are scraped can report GPUs that do not exist, and name a pod of others.
    on_its_nodes = "and on (namespace, pod, node) pod:gpuplane_allocated_gpus:sum"
    not_idle = f'(gpu:gpuplane_size:gpus{{pod!=""}} unless {_ON_ROW} ({idle}))'
    # The idle GPUs of pods all of whose GPUs are idle, on the nodes where they hold GPUs.
    idle_alone = f"{size} {on_its_nodes} unless on (namespace, pod) {not_idle}"
    return Queries(
        idle_gpus=f"sum by (namespace, pod) ({idle_alone})",
        idle_minutes=f"min by (namespace, pod) ({idle})",
        held_gpus="sum by (namespace, pod) (pod:gpuplane_allocated_gpus:sum)",
        capacity="sum(pool:gpuplane_capacity_gpus:sum)",
    )


def settings(platform: Platform) -> Settings:
    """Return the settings of culling; raises RenderError without what the checks ask for."""
    addons = platform.cluster.addons
    if addons.idle_gpus is None or addons.monitoring.prometheus_url is None:
        raise RenderError("addons.idleGpus needs addons.monitoring.prometheusUrl")
    return Settings(
        prometheus_url=addons.monitoring.prometheus_url,
        namespaces=culled_namespaces(platform),
        action=addons.idle_gpus.action,
        max_percent=addons.idle_gpus.max_percent,
        queries=queries(),
    )


def culled_namespaces(platform: Platform) -> tuple[str, ...]:
    found = (each for each in platform.namespaces if each.spec.idle_pods is IdlePods.END)
    return tuple(each.name for each in found)
