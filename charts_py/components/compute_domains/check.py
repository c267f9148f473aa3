"""Which GPU drivers NVLink domains work with."""

from collections.abc import Iterator

from charts_py.cluster_file.driver import DriverOwner
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.platform.draft import Draft, DraftPool
from gpus.driver_support import version_key

MIN_DRIVER = "570.158.01"
"""The oldest driver with which the plugin starts (`IMEXDaemonsWithDNSNamesMinDriverVersion` in
https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu, cmd/compute-domain-kubelet-plugin/main.go
at v0.4.1)."""


def check_domain_driver(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where the operator's driver is too old for the component."""
    cluster = draft.cluster
    version, path = cluster.driver.version, ("driver", "version")
    is_known = draft.is_whole(("driver",)) and draft.has_driver_owner
    if version is None or not is_known or draft.driver_owner is not DriverOwner.OPERATOR:
        return
    names = [pool.name for pool in draft.pools if _is_joined(pool)]
    if names and _is_wanted(draft) and version_key(version) < version_key(MIN_DRIVER):
        what = f"{version} is too old for the NVLink domains of pool {names[0]}"
        yield Problem(path, what, f"{MIN_DRIVER} or later, or addons.computeDomains false")


def _is_joined(pool: DraftPool) -> bool:
    return pool.hardware is not None and pool.hardware.model.nvlink_domain is not None


def _is_wanted(draft: Draft) -> bool:
    is_read = draft.is_read(("addons", "computeDomains")) and draft.is_read(("kubernetes",))
    has_claims = has(draft.cluster.kubernetes, Feature.RESOURCE_CLAIMS)
    return is_read and draft.cluster.addons.compute_domains and has_claims
