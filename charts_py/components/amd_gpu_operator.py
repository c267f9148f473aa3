"""AMD's GPU operator, as an Argo CD Helm release.

The nodes' kernel brings the driver, whoever owns NVIDIA's: the operator would build AMD's
out-of-tree driver within the cluster and push it to a registry that nobody names here, through
Kernel Module Management, which needs cert-manager. A cluster that wants it adds `driver` to the
DeviceConfig and `kmm` to the release, by patches.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/drivers/installation.html
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.gpu_metrics import measures_amd_gpus
from charts_py.components.node_feature_discovery import node_feature_discovery_values
from charts_py.components.object_table import read_objects
from charts_py.components.scraping import NODE_OF_POD
from charts_py.objects.document import Document
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from gpus.model import AMD, NVIDIA
from policies.settings import PodSecurity
from upstream.lock import locked_chart

CHART = "gpu-operator-charts"
NAMESPACE = "amd-gpu-operator"
REGISTRY = "docker.io"
_DEVICE_PLUGIN_VERSION = "1.31.0.9"
"""The version in the device plugin's own chart (https://github.com/ROCm/k8s-device-plugin,
helm/amd-gpu/values.yaml at v1.31.0.10); the operator's default is `latest`, which differs from node
to node."""
_DEVICE_PLUGIN = f"{REGISTRY}/rocm/k8s-device-plugin"
DEVICE_PLUGIN_IMAGE = f"{_DEVICE_PLUGIN}:{_DEVICE_PLUGIN_VERSION}"
NODE_LABELLER_IMAGE = f"{_DEVICE_PLUGIN}:labeller-{_DEVICE_PLUGIN_VERSION}"
INIT_IMAGE = f"{REGISTRY}/library/busybox:1.36"
"""What every one of these pods starts with: the operator's default, which it runs unless another
place is stated
(https://github.com/ROCm/gpu-operator/blob/v1.5.1/internal/plugin/plugin.go)."""
_EXPORTER = f"{REGISTRY}/rocm/device-metrics-exporter"
"""It has the versions of the operator
(https://github.com/ROCm/gpu-operator/blob/v1.5.1/internal/metricsexporter/metricsexporter.go)."""


def check_chart(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where the chart is to be rendered: Helm would need its dependencies.

    Among those, node-feature-discovery v0.18.3 comes from a Helm repository and is not pinned
    (https://github.com/ROCm/gpu-operator/blob/v1.5.1/helm-charts-k8s/Chart.yaml).
    """
    is_rendered = draft.cluster.gitops.charts is ChartForm.RENDERED
    vendors = {pool.hardware.model.vendor for pool in draft.pools if pool.hardware is not None}
    if is_rendered and AMD in vendors:
        what = f"the chart {CHART} of AMD's operator depends on a chart that is not pinned"
        yield Problem(("gitops", "charts"), what, ChartForm.APPLICATION.value)


def amd_gpu_operator_values(platform: Platform) -> Mapping[str, Any]:
    # NVIDIA's operator brings the same.
    discovers = not platform.pools_of(NVIDIA)
    discovery = node_feature_discovery_values(platform) if discovers else {}
    return known_chart(CHART).stated_values(
        platform,
        discovery={"enabled": discovers, **discovery},
        of_all=pull_secrets(platform.cluster.pull_secret_names) or None,
    )


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


def exporter_image() -> str:
    return f"{_EXPORTER}:{locked_chart(CHART).chart_version}"


def _objects(platform: Platform) -> Iterator[Document]:
    mirrors, monitoring = platform.mirrors, platform.monitoring
    init_image = mirrors.of(INIT_IMAGE)
    common = {
        **({"initContainerImage": init_image} if init_image != INIT_IMAGE else {}),
        **pull_secrets(platform.cluster.pull_secret_names, "imageRegistrySecrets"),
    }
    return read_objects(
        __package__,
        "amd_device_config",
        namespace=NAMESPACE,
        common=common or None,
        device_plugin=mirrors.of(DEVICE_PLUGIN_IMAGE),
        node_labeller=mirrors.of(NODE_LABELLER_IMAGE),
        exporter=mirrors.of(exporter_image()),
        tolerations=tolerations_of(platform.daemon_taints(platform.pools_of(AMD))),
        is_scraped=monitoring.has_operator,
        interval=monitoring.interval,
        node_of_pod=dict(NODE_OF_POD),
        labels=dict(monitoring.labels) or None,
    )


AMD_DEVICE_CONFIG = Definition(
    name="amd-device-config",
    description="""
What AMD's GPU operator runs on the nodes, as its DeviceConfig.

Device plugin, node labeller and metrics exporter, on every AMD node.
https://instinct.docs.amd.com/projects/gpu-operator/en/main/fulldeviceconfig.html
""",
    appears="with AMD GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(AMD)),
    fields=(
        "addons.monitoring.prometheus",
        "addons.monitoring.serviceMonitors",
        "addons.monitoring.interval",
        "addons.monitoring.labels",
        "imagePullSecrets",
        "registries",
    ),
    # Its kind comes with the operator.
    depends_on=("amd-gpu-operator",),
    wave=Wave.NODE_FEATURES,
    namespace=NAMESPACE,
    objects=_objects,
    registries=lambda _: (REGISTRY,),
    rules=alert_table(
        "amd-gpus",
        NAMESPACE,
        __package__,
        "amd_gpu_operator",
        has=lambda platform, _: measures_amd_gpus(platform),
    ),
)
