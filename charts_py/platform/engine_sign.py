"""What shows that NetworkPolicies are enforced in a cluster."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from charts_py.cluster_file.network_policy_engine import NetworkPolicyEngine
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE

FoundObject: TypeAlias = Mapping[str, Any]
"""An object as the API server returns it."""


def _is_running(daemon_set: FoundObject) -> bool:
    """Return whether its pods are on some node, and ready there."""
    return bool(daemon_set.get("status", {}).get("numberReady", 0))


@dataclass(frozen=True, slots=True)
class EngineSign:
    """An object that a cluster has where an engine enforces NetworkPolicies."""

    name: str
    namespace: str = KUBE_SYSTEM_NAMESPACE
    api_version: str = "apps/v1"
    kind: str = "DaemonSet"
    shows: Callable[[FoundObject], bool] = _is_running
    """Returns whether an object of that name shows it."""


CALICO = (EngineSign("calico-node", "calico-system"), EngineSign("calico-node"))
"""As its operator installs it, and as its manifests and GKE do
(https://docs.tigera.io/calico/latest/getting-started/kubernetes/)."""
CILIUM = (EngineSign("cilium"),)
"""https://docs.cilium.io/en/stable/installation/k8s-install-helm/"""


def enforcing_engines(
    signs: Mapping[NetworkPolicyEngine, Iterable[EngineSign]],
    read: Callable[[EngineSign], FoundObject | None],
) -> tuple[NetworkPolicyEngine, ...]:
    """Return the engines of which a cluster shows any sign.

    `signs` are those of its provider; `read` returns the object that a sign names, or None where
    the cluster has none.
    """

    def is_shown(sign: EngineSign) -> bool:
        found = read(sign)
        return found is not None and sign.shows(found)

    return tuple(engine for engine, its_signs in signs.items() if any(map(is_shown, its_signs)))
