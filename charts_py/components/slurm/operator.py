"""The operator of Slinky, which runs Slurm on Kubernetes.

It makes the pods of a Slurm cluster from its custom resources, drains the nodes that a smaller
partition gives up, and heeds the namespace `slurm` alone. https://slinky.schedmd.com
"""

from collections.abc import Mapping
from typing import Any

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.slurm.api import OPERATOR_NAMESPACE, SLURM_NAMESPACE
from charts_py.objects.pods import pull_secrets
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

_RESTRICTED: Mapping[str, Any] = {
    "runAsNonRoot": True,
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "seccompProfile": {"type": "RuntimeDefault"},
}
OPERATOR_NAME = "slurm-operator"
"""Name of its chart and of its Application."""


def operator_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release.

    Its webhook stays out: without cert-manager the chart makes another key whenever it is rendered,
    and what it would refuse, such as another key or controller, the cluster file cannot say.
    """
    return {
        "crds": {"enabled": True},
        "priorityClassName": platform.cluster.platform_priority,
        "operator": {
            # Nobody else's objects make privileged pods.
            "namespaces": SLURM_NAMESPACE,
            "resources": {"requests": {"cpu": "100m", "memory": "256Mi"}},
            "securityContext": dict(_RESTRICTED),
        },
        "webhook": {"enabled": False},
        **pull_secrets(platform.cluster.pull_secret_names),
    }


SLURM_OPERATOR = Definition(
    name=OPERATOR_NAME,
    description=__doc__,
    appears="where the cluster has Slurm",
    is_wanted=lambda platform: platform.cluster.slurm is not None,
    fields=("slurm", "priorities"),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(OPERATOR_NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(OPERATOR_NAME),),
    values=operator_values,
)
