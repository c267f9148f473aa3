"""The series of a cluster that works: each pool has a node, with a pod of each namespace that may.

Labels are those that kube-state-metrics, exporters of GPUs and the webhook give; values stand in
promtool's notation (https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from charts_py.components.gpu_metrics import collected_amd_metrics, collected_counters
from charts_py.components.kueue.definition import KUEUE_NAMESPACE, METRICS_SERVICE
from charts_py.components.webhook.server import NAME, NAMESPACE
from charts_py.metrics.series import MetricType, in_metrics, known_series
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpus.model import AMD, NVIDIA

_REPLICAS = 2
_GIB = 2**30
_GROWS = "0+1x{minutes}"
_STAYS = "{value}x{minutes}"

_BUSY: Mapping[str, float] = {
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": 0.8,
    "DCGM_FI_DEV_GPU_UTIL": 80,
    "DCGM_FI_DEV_FB_USED": 60_000,
    "DCGM_FI_DEV_FB_FREE": 20_000,
    "DCGM_FI_DEV_POWER_USAGE": 600,
    "DCGM_FI_DEV_ENFORCED_POWER_LIMIT": 700,
    "DCGM_FI_DEV_GPU_TEMP": 60,
    "DCGM_FI_DEV_GPU_TEMP_LIMIT": 25,
}
"""What is measured of a busy GPU; of what is not named, 0.5."""

_ALSO: Mapping[str, Mapping[str, str]] = {
    "DCGM_EXP_XID_ERRORS_COUNT": {"xid": "94"},
    "DCGM_EXP_CLOCK_EVENTS_COUNT": {"clock_event": "sw_power_cap"},
    "gpu_clock": {"clock_type": "system", "clock_index": "0"},
}
"""Labels that only one metric has."""


@dataclass(frozen=True, slots=True)
class UsingPod:
    """A pod of a namespace, and the pool on which it runs."""

    namespace: TeamNamespace
    pool: PlatformPool
    number: int
    """Which one it is of the namespace's only workload."""

    @property
    def name(self) -> str:
        """As a StatefulSet names its pods."""
        return f"{self.namespace.name}-{self.number}"


def cluster_series(platform: Platform, minutes: int) -> dict[str, str]:
    """Return the values of every series over some minutes, one a minute."""
    series: dict[str, str] = {}
    for name, labels, value in _rows(platform):
        written = ", ".join(f'{label}="{text}"' for label, text in labels.items())
        form = _GROWS if value is None else _STAYS
        series[f"{name}{{{written}}}"] = form.format(value=value, minutes=minutes)
    return series


def using_pods(platform: Platform) -> Iterator[UsingPod]:
    """Yield a pod for each namespace on each pool of its quota."""
    for namespace in platform.namespaces:
        for number, pool in enumerate(namespace.spec.quota.gpus):
            yield UsingPod(namespace, platform.pool(pool), number)


_Row = tuple[str, Mapping[str, str], float | None]
"""Name, labels and value of a series; None: it grows by one a minute."""


def _rows(platform: Platform) -> Iterator[_Row]:
    for pool in platform.pools:
        yield from _node(pool)
        if pool.vendor == NVIDIA:
            yield from _gpus(platform, pool)
        if pool.vendor == AMD:
            yield from _gpus_of_amd(platform, pool)
    for pod in using_pods(platform):
        yield from _pod(pod)
    for replica in range(_REPLICAS):
        yield from _webhook(platform, f"{NAME}-{replica}")
    yield from _kueue(platform)


def _node(pool: PlatformPool) -> Iterator[_Row]:
    node = _node_name(pool)
    yield "kube_node_labels", {"node": node, "label_gpuplane_io_pool": pool.name}, 1
    for resource in pool.facts.resources:
        labels = {"node": node, "resource": in_metrics(resource.name), "unit": "integer"}
        yield "kube_node_status_allocatable", labels, resource.per_node
    for name, unit, value in (("cpu", "core", 96), ("memory", "byte", 768 * _GIB)):
        labels = {"node": node, "resource": name, "unit": unit}
        yield "kube_node_status_allocatable", labels, value


def _pod(pod: UsingPod) -> Iterator[_Row]:
    of_pod = {"namespace": pod.namespace.name, "pod": pod.name}
    resource = in_metrics(pod.pool.facts.resources[0].name)
    bound = {**of_pod, "container": "main", "node": _node_name(pod.pool)}
    for name, unit, value in ((resource, "integer", 1), ("cpu", "core", 8)):
        labels = {**bound, "resource": name, "unit": unit}
        yield "kube_pod_container_resource_requests", labels, value
    yield "kube_pod_status_phase", {**of_pod, "phase": "Running"}, 1
    owner = {"owner_kind": "StatefulSet", "owner_name": pod.namespace.name}
    yield "kube_pod_owner", {**of_pod, **owner}, 1


def _gpus(platform: Platform, pool: PlatformPool) -> Iterator[_Row]:
    """Yield two rows of each counter: that of a GPU in use, or of an instance, and an idle one."""
    profile, *_ = (name for name, _ in pool.facts.sharing.mig) if pool.facts.sharing.mig else ("",)
    for number, user in enumerate((*_user(platform, pool), {})):
        gpu = {"gpu": f"{number}", "UUID": f"GPU-{pool.name}-{number}", "node": _node_name(pool)}
        instance = {"GPU_I_PROFILE": profile, "GPU_I_ID": "1"} if profile else {}
        for counter in collected_counters(platform):
            labels = {**gpu, **instance, **user, **_ALSO.get(counter.name, {})}
            grows = counter.type is MetricType.COUNTER
            yield counter.name, labels, None if grows else _BUSY.get(counter.name, 0.5)


def _gpus_of_amd(platform: Platform, pool: PlatformPool) -> Iterator[_Row]:
    """Yield two rows of each metric, likewise."""
    for number, user in enumerate((*_user(platform, pool), {})):
        gpu = {"gpu_id": f"{number}", "gpu_partition_id": "0", "gpu_compute_partition_type": "spx"}
        for metric in collected_amd_metrics(platform):
            labels = {**gpu, "node": _node_name(pool), **user, **_ALSO.get(metric.name, {})}
            yield metric.name, labels, 0.5


def _user(platform: Platform, pool: PlatformPool) -> Iterator[Mapping[str, str]]:
    """Yield the labels of the pod that uses a GPU of the pool, where there is one."""
    for pod in islice((pod for pod in using_pods(platform) if pod.pool is pool), 1):
        yield {
            "exported_namespace": pod.namespace.name,
            "exported_pod": pod.name,
            "exported_container": "main",
        }


def _webhook(platform: Platform, pod: str) -> Iterator[_Row]:
    """Yield what a replica serves, one of whose files is broken."""
    of_pod = {"namespace": NAMESPACE, "job": NAME, "pod": pod}
    prefix = "gpuplane_webhook"
    yield "up", of_pod, 1
    for code in ("200", "500"):
        yield f"{prefix}_requests_total", {**of_pod, "path": "/mutate", "code": code}, None
    for le in ("0.001", "0.01", "+Inf"):
        labels = {**of_pod, "path": "/mutate", "le": le}
        yield f"{prefix}_request_seconds_bucket", labels, None
    decided = {**of_pod, "rule": "image-tag", "decision": "warned"}
    yield f"{prefix}_decisions_total", decided, None
    yield f"{prefix}_fixes_total", {**of_pod, "rule": "shared-memory"}, None
    yield f"{prefix}_verdicts_total", {**of_pod, "judged_by": "0a1b2c3d"}, None
    settings = {**of_pod, "cluster": platform.name, "digest": "4e5f6a7b"}
    yield f"{prefix}_settings_info", settings, 1
    yield f"{prefix}_certificate_expiry_timestamp_seconds", of_pod, 30 * 86_400
    yield f"{prefix}_reload_failing", {**of_pod, "what": "settings"}, 1


def _kueue(platform: Platform) -> Iterator[_Row]:
    """Yield what the leading replica serves: each namespace has borrowed, waits and gave way."""
    of_pod = {"namespace": KUEUE_NAMESPACE, "job": METRICS_SERVICE, "replica_role": "leader"}
    for pod in using_pods(platform):
        name = pod.namespace.name
        labels = {
            "cohort": pod.namespace.team_name,
            "cluster_queue": name,
            "preempting_cluster_queue": name,
            "flavor": pod.pool.name,
            "resource": pod.pool.facts.resources[0].name,
            "priority_class": "training",
            "reason": "Preempted",
            "underlying_cause": "",
            "status": "pending",
            "le": "+Inf",
        }
        for metric in known_series().kueue:
            own = {label: labels[label] for label in metric.labels}
            grows = metric.name.endswith(("_total", "_bucket"))
            value = 2 if metric.name == "kueue_cluster_queue_resource_reservation" else 1
            yield metric.name, {**of_pod, **own}, None if grows else value


def _node_name(pool: PlatformPool) -> str:
    return f"{pool.name}-1"
