"""Settings that ask for what the cluster has no use for, and those of its monitoring."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from charts_py.cluster_file.addons import Dashboards, Monitoring
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.hardware import KernelModule
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
)
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""
_NO_FOLDERS = {"", ".", ".."}
"""Steps of a path that name no folder. The sidecar writes to whatever a path names: a `/` at its
beginning and `..` lead out of the folder that Grafana reads (`_get_destination_folder` in
https://github.com/kiwigrid/k8s-sidecar/blob/master/src/resources.py)."""


@dataclass(frozen=True, slots=True)
class _Setting:
    """A setting that the file may lack, and when it does nothing."""

    path: FieldPath
    is_set: Callable[[Draft], bool]
    needs: Callable[[Draft], bool]
    """Whether the cluster has what it is for."""
    reason: str
    """Why it does nothing where the cluster has none of that."""


def _has_pool(draft: Draft, is_meant: Callable[[NodeHardware], bool]) -> bool:
    """Return whether some pool is meant; one whose hardware is unknown may be."""
    return any(pool.hardware is None or is_meant(pool.hardware) for pool in draft.pools)


def _has_nvidia(draft: Draft) -> bool:
    return _has_pool(draft, lambda node: node.model.vendor == NVIDIA)


def _asks_for(draft: Draft, addon: str) -> bool:
    """Return whether the file itself says that an addon is installed, which is the default."""
    addons = draft.cluster.addons
    return addon in addons.model_fields_set and getattr(addons, addon)


def _installs_metrics_server(draft: Draft) -> bool:
    install = draft.cluster.addons.metrics_server.install
    return not draft.provider.brings_metrics_server if install is None else install


_NO_NVIDIA = "no pool has GPUs of nvidia"
_SETTINGS = (
    _Setting(
        ("driver", "version"),
        lambda draft: draft.cluster.driver.version is not None,
        _has_nvidia,
        _NO_NVIDIA,
    ),
    _Setting(
        ("driver", "kernelModule"),
        lambda draft: draft.cluster.driver.kernel_module is not KernelModule.AUTO,
        _has_nvidia,
        _NO_NVIDIA,
    ),
    _Setting(
        ("addons", "gdrcopy"), lambda draft: draft.cluster.addons.gdrcopy, _has_nvidia, _NO_NVIDIA
    ),
    _Setting(
        ("addons", "gpudirectStorage"),
        lambda draft: draft.cluster.addons.gpudirect_storage,
        _has_nvidia,
        _NO_NVIDIA,
    ),
    _Setting(
        ("addons", "idleGpus"),
        lambda draft: draft.cluster.addons.idle_gpus is not None,
        lambda draft: _has_pool(draft, lambda node: node.model.vendor in (NVIDIA, AMD)),
        f"no pool has GPUs of {NVIDIA} or {AMD}, whose use alone is measured",
    ),
    _Setting(
        ("addons", "efaDevicePlugin"),
        lambda draft: _asks_for(draft, "efa_device_plugin"),
        lambda draft: _has_pool(draft, lambda node: node.interconnect is Interconnect.EFA),
        "no pool has the interconnect efa",
    ),
    _Setting(
        ("addons", "computeDomains"),
        lambda draft: _asks_for(draft, "compute_domains"),
        lambda draft: _has_pool(draft, lambda node: bool(node.model.nvlink_domain)),
        "NVLink joins the machines of no pool",
    ),
    _Setting(
        ("addons", "metricsServer", "verifyKubelets"),
        lambda draft: "verify_kubelets" in draft.cluster.addons.metrics_server.model_fields_set,
        _installs_metrics_server,
        "the platform installs no metrics-server here",
    ),
    _Setting(
        ("addons", "topograph"),
        lambda draft: draft.cluster.addons.topograph,
        # A cloud says itself what it has between nodes.
        lambda draft: (
            not draft.provider.makes_nodes
            and _has_pool(draft, lambda node: node.interconnect is Interconnect.INFINIBAND)
        ),
        "no machines of your own have the interconnect infiniband",
    ),
)


def check_without_effect(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each setting that is stated and changes nothing."""
    for setting in _SETTINGS:
        if setting.is_set(draft) and not setting.needs(draft):
            yield Problem(setting.path, f"without effect: {setting.reason}; remove this line")
    if _asks_for(draft, "compute_domains"):
        yield from feature_problem(draft, ("addons", "computeDomains"), Feature.RESOURCE_CLAIMS)
    for pool in draft.pools:
        if pool.spec.nodes.warm > 0 and not draft.provider.makes_nodes:
            what = f"without effect: machines of {draft.provider.name} are always on"
            yield Problem((*pool.path, "nodes", "warm"), f"{what}; remove this line")


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
