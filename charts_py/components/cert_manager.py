"""cert-manager, which issues certificates, that of the admission webhook first.

Its ClusterRoles are not aggregated into `admin`, `edit` and `view`: teams have the roles of the
platform. https://cert-manager.io/docs/installation/helm/
"""

from typing import Any

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.objects.pods import pull_secrets
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave

CERT_MANAGER_NAME = "cert-manager"
"""Name of its chart, its namespace and its Application."""
_NETWORK_POLICY = {"enabled": True, "egress": [{}]}
"""It opens the ports that the chart serves at, and leads out anywhere: the chart would close the
ports of some API servers, and of who issues certificates."""


def cert_manager_values(platform: Platform) -> dict[str, Any]:
    return {
        "global": {
            "leaderElection": {"namespace": CERT_MANAGER_NAME},
            "rbac": {"aggregateClusterRoles": False},
            **pull_secrets(platform.cluster.pull_secret_names),
        },
        "crds": {"enabled": True},
        "networkPolicy": _NETWORK_POLICY,
        # The API server calls it for each certificate.
        "webhook": {"replicaCount": 2, "networkPolicy": _NETWORK_POLICY},
        "cainjector": {"networkPolicy": _NETWORK_POLICY},
        # A job of Helm's hooks: Argo CD waits for the Deployments anyway.
        "startupapicheck": {"enabled": False},
    }


CERT_MANAGER = Definition(
    name=CERT_MANAGER_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.cert_manager,
    fields=("addons.certManager",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(CERT_MANAGER_NAME, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(CERT_MANAGER_NAME),),
    values=cert_manager_values,
)
