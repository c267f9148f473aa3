"""Workloads that hold GPUs and have not used them end, or it is said that they would.

Every ten minutes a round asks Prometheus for the GPUs by which the alert `GpuplaneGpuIdle` fires,
and the API server for who made their pods. In namespaces with `idlePods: end` it scales down,
stops or evicts those that use none of their GPUs; with the action `observe` it only says so. It has
a namespace of its own, and no rights outside of such namespaces.
"""

from collections.abc import Iterator

from charts_py.cluster_file.addons import GpuCounters
from charts_py.cluster_file.fault import Fault, Problem
from charts_py.cluster_file.team import IdlePods
from charts_py.components.api_server_addresses import check_known_addresses
from charts_py.components.definition import Definition
from charts_py.components.idle_gpus.objects import (
    OWN_NAMESPACE,
    ROUNDS,
    access,
    culled_namespaces,
    settings,
)
from charts_py.components.network_rules import to_prometheus
from charts_py.components.webhook.server import image_warnings, registries
from charts_py.objects.document import Document
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.model import AMD

_PATH = ("addons", "idleGpus")


def check_idle_gpus(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each thing that is not said, without which no round can be made."""
    addons = draft.cluster.addons
    if addons.idle_gpus is None:
        return
    url = ("addons", "monitoring", "prometheusUrl")
    if addons.monitoring.prometheus_url is None and draft.is_read(url):
        what = "the cluster file does not say where Prometheus answers queries"
        yield Problem(_PATH, what, "only with `addons.monitoring.prometheusUrl`")
    yield from check_known_addresses(draft, _PATH)
    if not addons.monitoring.service_monitors:
        what = "idle GPUs are known by rules, which serviceMonitors: false leaves out"
        yield Problem(_PATH, f"without effect: {what}; remove one of the two")
    elif addons.monitoring.gpu_counters is GpuCounters.EXPORTER and not _may_have_amd(draft):
        what = "the exporter's own counters do not tell which GPUs are idle"
        allowed = "only with `addons.monitoring.gpuCounters` health or profiling"
        yield Problem(_PATH, what, allowed)


def _may_have_amd(draft: Draft) -> bool:
    """Return whether some pool has GPUs whose exporter always reports their use."""
    return any(pool.hardware is None or pool.hardware.model.vendor == AMD for pool in draft.pools)


def check_idle_pods(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace whose idle pods should end, and nothing ends them."""
    if draft.cluster.addons.idle_gpus is not None or not draft.is_read(_PATH):
        return
    for path, _, namespace in draft.namespaces():
        if namespace.idle_pods is IdlePods.END:
            what = "nothing looks for idle pods"
            yield Problem((*path, "idlePods"), what, "end only with `addons.idleGpus`")


def _objects(platform: Platform) -> Iterator[Document]:
    culling = settings(platform)
    yield from ROUNDS.objects(platform, culling, to_prometheus(culling.prometheus_url))
    yield from access(culling.action, culling.namespaces)


def _warnings(platform: Platform) -> Iterator[Fault]:
    """Yield a warning where no namespace is looked at, and of the image as the webhook does."""
    if not culled_namespaces(platform):
        what = "looks at nothing, since no namespace lets its idle pods end"
        yield platform.fault(_PATH, what, "idlePods: end of a namespace")
    if not platform.cluster.admission.has_webhook:
        yield from image_warnings(platform)


IDLE_GPUS = Definition(
    name="idle-gpus",
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.idle_gpus is not None,
    fields=(
        "addons.idleGpus",
        "addons.monitoring.prometheusUrl",
        "network.apiServer",
        "network.dnsAddress",
        "teams.NAME.namespaces.NAME.idlePods",
        "webhook.image",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("team",),
    # Last: Argo CD waits for no round that fails.
    wave=Wave.EXTENSIONS,
    namespace=OWN_NAMESPACE,
    objects=_objects,
    registries=registries,
    checks=(check_idle_gpus, check_idle_pods),
    warnings=_warnings,
)
