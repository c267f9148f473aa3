"""Who reaches the pods of Slurm."""

from collections.abc import Iterable
from typing import Any

from charts_py.components.slurm.api import (
    CONTROLLER_PORT,
    REST_PORT,
    SSH_PORT,
)
from charts_py.components.slurm_operator.namespaces import OPERATOR_NAMESPACE, SLURM_NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL


def network_policy(collectors: Iterable[str], *, has_login: bool) -> Document:
    """Return a NetworkPolicy that lets in the pods of Slurm themselves, and few others.

    `srun` listens on any port, and so do the processes of a job. The controller shows its metrics
    to whoever reaches its port; the API wants a token, and SSH a login.
    """
    rules: list[dict[str, Any]] = [
        {"from": [{"podSelector": {}}]},
        _rule([OPERATOR_NAMESPACE], REST_PORT),
        _rule(collectors, CONTROLLER_PORT),
    ]
    if has_login:
        rules.append({"ports": [_port(SSH_PORT)]})
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": rules}
    metadata = ObjectMeta("slurm", SLURM_NAMESPACE)
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})


def _rule(namespaces: Iterable[str], port: int) -> dict[str, Any]:
    names = ({"matchLabels": {NAMESPACE_NAME_LABEL: name}} for name in namespaces)
    return {"from": [{"namespaceSelector": name} for name in names], "ports": [_port(port)]}


def _port(port: int) -> dict[str, Any]:
    return {"port": port, "protocol": "TCP"}
