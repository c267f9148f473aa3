"""What culling needs to know of a cluster, and for whom it is."""

from collections.abc import Iterator

from charts_py.cluster_file.addons import GpuCounters
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.team import IdlePods
from charts_py.platform.draft import Draft
from gpus.vendor import AMD

_PATH = ("addons", "idleGpus")


def check_idle_gpus(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each thing that is not said, without which no round can be made."""
    addons, network = draft.cluster.addons, draft.cluster.network
    if addons.idle_gpus is None:
        return
    url, addresses = ("addons", "monitoring", "prometheusUrl"), ("network", "apiServer")
    if addons.monitoring.prometheus_url is None and draft.is_read(url):
        what = "the cluster file does not say where Prometheus answers queries"
        yield Problem(_PATH, what, "only with `addons.monitoring.prometheusUrl`")
    if not network.api_server and draft.is_read(addresses):
        what = "the cluster file does not say where the API server is"
        yield Problem(_PATH, what, "only where `network.apiServer` lists its addresses")
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
