"""AMD's GPU operator, as an Argo CD Helm release.

The nodes' kernel brings the driver, whoever owns NVIDIA's: the operator would build AMD's
out-of-tree driver within the cluster and push it to a registry that nobody names here, through
Kernel Module Management, which needs cert-manager. A cluster that wants it adds `driver` to the
DeviceConfig and `kmm` to the release, by patches.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/drivers/installation.html
"""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.node_feature_discovery import (
    node_feature_discovery_values,
)
from charts_py.objects.pods import pull_secrets
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.vendor import AMD, NVIDIA

CHART = "gpu-operator-charts"
NAMESPACE = "amd-gpu-operator"


def check_chart(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where it is to be rendered, for which Helm needs what it depends on.

    Of that, node-feature-discovery v0.18.3 is not pinned, which is in a Helm repository
    (https://github.com/ROCm/gpu-operator/blob/v1.5.1/helm-charts-k8s/Chart.yaml).
    """
    is_rendered = draft.cluster.gitops.charts is ChartForm.RENDERED
    vendors = {pool.hardware.model.vendor for pool in draft.pools if pool.hardware is not None}
    if is_rendered and AMD in vendors:
        what = f"the chart {CHART} of AMD's operator depends on a chart that is not pinned"
        yield Problem(("gitops", "charts"), what, ChartForm.APPLICATION.value)


def _discovers(platform: Platform) -> bool:
    """Return whether it brings Node Feature Discovery; NVIDIA's operator has the same."""
    return not platform.pools_of(NVIDIA)


def amd_gpu_operator_values(platform: Platform) -> dict[str, Any]:
    discovers = _discovers(platform)
    discovery = node_feature_discovery_values(platform) if discovers else {}
    secrets = pull_secrets(platform.cluster.pull_secret_names)
    return {
        **({"global": secrets} if secrets else {}),
        "node-feature-discovery": {"enabled": discovers, **discovery},
        # Labels the nodes that the DeviceConfig selects.
        "installdefaultNFDRule": True,
        # The DeviceConfig is a component of its own, and Argo CD applies the definitions itself.
        "crds": {"defaultCR": {"install": False, "upgrade": False}},
        "upgradeCRD": False,
        "kmm": {"enabled": False, "watch": False},
        # Argo Workflows would come with it.
        "remediation": {"enabled": False, "installCRDs": False},
        "draDriver": {"deviceClass": {"create": False}},
    }


AMD_GPU_OPERATOR = Definition(
    name="amd-gpu-operator",
    description=__doc__,
    appears="with AMD GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(AMD)),
    fields=("pools.NAME.gpu",),
    # It brings NodeFeatureRules, and NVIDIA's operator their kind where both are there.
    depends_on=("gpu-operator",),
    wave=Wave.NODES,
    # Device plugins mount the host's directories:
    # https://instinct.docs.amd.com/projects/gpu-operator/
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.PRIVILEGED),
    charts=(known_chart(CHART),),
    values=amd_gpu_operator_values,
    checks=(check_chart,),
)
