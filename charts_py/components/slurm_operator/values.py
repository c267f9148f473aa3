"""The values of the operator's chart."""

from collections.abc import Mapping
from typing import Any

from charts_py.components.slurm_operator.namespaces import SLURM_NAMESPACE
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from charts_py.platform.platform_priority import platform_priority

_RESTRICTED: Mapping[str, Any] = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}


def operator_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release.

    Its webhook stays out: without cert-manager the chart makes another key whenever it is rendered,
    and what it would refuse, such as another key or controller, the cluster file cannot say.
    """
    return {
        "crds": {"enabled": True},
        "priorityClassName": platform_priority(platform.cluster),
        "operator": {
            # Nobody else's objects make privileged pods.
            "namespaces": SLURM_NAMESPACE,
            "resources": {"requests": {"cpu": "100m", "memory": "256Mi"}},
            "securityContext": dict(_RESTRICTED),
        },
        "webhook": {"enabled": False},
        **pull_secrets(platform.cluster.pull_secret_names),
    }
