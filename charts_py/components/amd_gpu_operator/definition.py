"""AMD's GPU operator, as an Argo CD Helm release.

The nodes' kernel brings the driver, whoever owns NVIDIA's: the operator would build AMD's
out-of-tree driver within the cluster and push it to a registry that nobody names here, through
Kernel Module Management, which needs cert-manager. A cluster that wants it adds `driver` to the
DeviceConfig and `kmm` to the release, by patches.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/drivers/installation.html
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.amd_gpu_operator.check import CHART, check_chart
from charts_py.components.amd_gpu_operator.images import AMD_GPU_OPERATOR_IMAGES
from charts_py.components.amd_gpu_operator.values import (
    amd_gpu_operator_kinds,
    amd_gpu_operator_values,
)
from charts_py.components.definition import Chart, Definition
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave
from gpus.vendor import AMD

NAMESPACE = "amd-gpu-operator"

AMD_GPU_OPERATOR = Definition(
    name="amd-gpu-operator",
    description=__doc__,
    appears="with AMD GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(AMD)),
    fields=("pools.NAME.gpu", "imagePullSecrets", "registries", "charts"),
    # It brings NodeFeatureRules, and NVIDIA's operator their kind where both are there.
    depends_on=("namespaces", "gpu-operator"),
    wave=Wave.NODES,
    namespace=NAMESPACE,
    contribution=Contribution(
        # Device plugins mount the host's directories:
        # https://instinct.docs.amd.com/projects/gpu-operator/
        namespaces=(PlatformNamespace(NAMESPACE, PodSecurity.PRIVILEGED),),
    ),
    charts=(
        Chart(
            repository="https://rocm.github.io/gpu-operator",
            name=CHART,
            kinds=amd_gpu_operator_kinds,
            images=AMD_GPU_OPERATOR_IMAGES,
        ),
    ),
    values=amd_gpu_operator_values,
    checks=(check_chart,),
)
