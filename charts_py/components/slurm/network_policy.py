"""Who reaches the pods of Slurm."""

from collections.abc import Iterable
from typing import Any

from charts_py.components.network_rules import from_namespaces, tcp
from charts_py.components.slurm.api import (
    CONTROLLER_PORT,
    REST_PORT,
    SSH_PORT,
)
from charts_py.components.slurm_operator.namespaces import OPERATOR_NAMESPACE, SLURM_NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


def network_policy(collectors: Iterable[str], *, has_login: bool) -> Document:
    """Return a NetworkPolicy that lets in the pods of Slurm themselves, and few others.

    `srun` listens on any port, and so do the processes of a job. The controller shows its metrics
    to whoever reaches its port; the API wants a token, and SSH a login.
    """
    rules: list[dict[str, Any]] = [
        {"from": [{"podSelector": {}}]},
        from_namespaces([OPERATOR_NAMESPACE], REST_PORT),
        from_namespaces(collectors, CONTROLLER_PORT),
    ]
    if has_login:
        rules.append({"ports": tcp([SSH_PORT])})
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": rules}
    metadata = ObjectMeta("slurm", SLURM_NAMESPACE)
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})
