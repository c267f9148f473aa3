"""Settings that ask for what the cluster has no use for, and those of its monitoring."""

from collections.abc import Callable, Iterable, Iterator

from charts_py.cluster_file.addons import Dashboards, Monitoring
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import DriverUpgrade, KernelModule
from charts_py.cluster_file.kubernetes_version import Feature
from charts_py.objects.metadata import MANAGED_BY
from charts_py.platform.draft import Draft, feature_problem
from charts_py.platform.name_rule import NameRule, check_name
from charts_py.platform.provider_facts import NodeHardware
from gpus.instance_type import Interconnect
from gpus.model import AMD, NVIDIA

_LABEL = NameRule(
    "a label",
    r"([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?",
    253 + len("/") + 63,
    "release",
)
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
_NO_FOLDERS = {"", ".", ".."}
"""Steps of a path that name no folder. The sidecar writes to whatever a path names: a `/` at its
beginning and `..` lead out of the folder that Grafana reads (`_get_destination_folder` in
https://github.com/kiwigrid/k8s-sidecar/blob/master/src/resources.py)."""


def check_without_effect(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each setting that is stated and changes nothing."""
    for path, is_stated, is_of_use, reason in _settings(draft):
        if is_stated and not is_of_use:
            what = f"without effect: {reason}; remove this line"
            yield Problem(tuple(path.split(".")), what)
    addons = draft.cluster.addons
    if "compute_domains" in addons.model_fields_set and addons.compute_domains:
        yield from feature_problem(draft, ("addons", "computeDomains"), Feature.RESOURCE_CLAIMS)
    for pool in draft.pools:
        if pool.spec.nodes.warm > 0 and not draft.provider.makes_nodes:
            what = f"without effect: machines of {draft.provider.name} are always on"
            yield Problem((*pool.path, "nodes", "warm"), f"{what}; remove this line")


def _settings(draft: Draft) -> Iterable[tuple[str, object, bool, str]]:
    """Return settings, each with whether it is stated, whether it is of use, and why it is not."""
    driver, addons = draft.cluster.driver, draft.cluster.addons
    server, asks_for = addons.metrics_server, addons.model_fields_set
    nvidia, no_nvidia = _has_pool(draft, _made_by(NVIDIA)), f"no pool has GPUs of {NVIDIA}"
    measured = _has_pool(draft, _made_by(NVIDIA, AMD))
    joined = _has_pool(draft, lambda node: bool(node.model.nvlink_domain))
    # A cloud says itself what it has between nodes.
    infiniband = not draft.provider.makes_nodes and _has_pool(draft, _uses(Interconnect.INFINIBAND))
    brings_server = draft.provider.brings_metrics_server
    installed = not brings_server if server.install is None else server.install
    return (
        ("driver.version", driver.version, nvidia, no_nvidia),
        ("driver.kernelModule", driver.kernel_module is not KernelModule.AUTO, nvidia, no_nvidia),
        ("driver.upgrade", driver.upgrade != DriverUpgrade(), nvidia, no_nvidia),
        ("addons.gdrcopy", addons.gdrcopy, nvidia, no_nvidia),
        ("addons.gpudirectStorage", addons.gpudirect_storage, nvidia, no_nvidia),
        (
            "addons.idleGpus",
            addons.idle_gpus,
            measured,
            f"no pool has GPUs of {NVIDIA} or {AMD}, whose use alone is measured",
        ),
        # These are on by default, so that only what the file says itself counts.
        (
            "addons.efaDevicePlugin",
            "efa_device_plugin" in asks_for and addons.efa_device_plugin,
            _has_pool(draft, _uses(Interconnect.EFA)),
            "no pool has the interconnect efa",
        ),
        (
            "addons.computeDomains",
            "compute_domains" in asks_for and addons.compute_domains,
            joined,
            "NVLink joins the machines of no pool",
        ),
        (
            "addons.metricsServer.verifyKubelets",
            "verify_kubelets" in server.model_fields_set,
            installed,
            "the platform installs no metrics-server here",
        ),
        (
            "addons.topograph",
            addons.topograph,
            infiniband,
            "no machines of your own have the interconnect infiniband",
        ),
    )


def _has_pool(draft: Draft, is_meant: Callable[[NodeHardware], bool]) -> bool:
    """Return whether some pool is meant; one whose hardware is unknown may be."""
    return any(pool.hardware is None or is_meant(pool.hardware) for pool in draft.pools)


def _made_by(*vendors: str) -> Callable[[NodeHardware], bool]:
    return lambda node: node.model.vendor in vendors


def _uses(network: Interconnect) -> Callable[[NodeHardware], bool]:
    return lambda node: node.interconnect is network


def check_monitoring(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for collection that the provider lacks, and for names no label can have."""
    path, monitoring = ("addons", "monitoring"), draft.cluster.addons.monitoring
    prometheus, allowed = monitoring.prometheus, draft.provider.prometheus
    if prometheus is not None and prometheus not in allowed:
        what = f'"{prometheus}" collects no metrics on {draft.cluster.provider}'
        yield Problem((*path, "prometheus"), what, ", ".join(allowed))
    for name in monitoring.labels:
        yield from check_name(_LABEL, (*path, "labels", name), name)
    if monitoring.dashboards is not None:
        yield from _check_dashboards((*path, "dashboards"), monitoring, monitoring.dashboards)


def _check_dashboards(
    path: FieldPath, monitoring: Monitoring, asked: Dashboards
) -> Iterator[Problem]:
    for name in asked.labels:
        yield from check_name(_LABEL, (*path, "labels", name), name)
        if name in MANAGED_BY:
            yield Problem((*path, "labels", name), "every object has this label", "another label")
    if asked.folder is not None and _NO_FOLDERS & {*asked.folder.split("/")}:
        what = f'"{asked.folder}" is no folder below those of Grafana'
        yield Problem((*path, "folder"), what, 'names, with "/" between them')
    if not monitoring.service_monitors:
        what = "without effect: what they show is recorded by rules, which serviceMonitors: false"
        yield Problem(path, f"{what} leaves out; remove one of the two")
