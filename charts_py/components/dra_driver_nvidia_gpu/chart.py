"""The chart dra-driver-nvidia-gpu, whatever a release of it is for.

https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu
"""

from charts_py.cluster_file.driver import DriverOwner
from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart
from charts_py.objects.document import EmittedKind
from charts_py.platform.platform import Platform

_OPERATOR_DRIVER_FOLDER = "/run/nvidia/driver"
"""Where the GPU operator puts the driver (values of its chart, `hostPaths.driverInstallDir`)."""
_HOST_DRIVER_FOLDER = "/"

_KINDS = (
    EmittedKind("", "ServiceAccount", namespaced=True),
    EmittedKind("admissionregistration.k8s.io", "ValidatingAdmissionPolicy", namespaced=False),
    EmittedKind(
        "admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding", namespaced=False
    ),
    EmittedKind("apps", "DaemonSet", namespaced=True),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
    EmittedKind("rbac.authorization.k8s.io", "Role", namespaced=True),
    EmittedKind("rbac.authorization.k8s.io", "RoleBinding", namespaced=True),
    EmittedKind("resource.k8s.io", "DeviceClass", namespaced=False),
)

_GPU_CLIENT_LABEL = "nvidia.com/gpu.deploy.client"
"""Node label that the GPU operator sets to `true` on every node with GPUs (`gpuStateLabels` in
https://github.com/NVIDIA/gpu-operator, controllers/state_manager.go at v26.7.0)."""


def dra_driver_chart(*more: EmittedKind) -> Chart:
    """Return the chart without its CustomResourceDefinitions, which the GPU operator's brings.

    `more` are the kinds that this release renders besides.
    """
    return Chart(
        repository="registry.k8s.io/dra-driver-nvidia/charts",
        name="dra-driver-nvidia-gpu",
        kinds=lambda _: (*_KINDS, *more),
        images=(
            ChartImage(
                section="image",
                repository="registry.k8s.io/dra-driver-nvidia/dra-driver-nvidia-gpu",
                tag="v0.4.1",
            ),
        ),
        skips_definitions=True,
    )


def driver_folder(platform: Platform) -> str:
    """Return the folder of a node that holds the files of its GPU driver."""
    if platform.driver_owner is DriverOwner.OPERATOR:
        return _OPERATOR_DRIVER_FOLDER
    return platform.provider.host(platform.driver_owner).driver_folder or _HOST_DRIVER_FOLDER


def stopped_with_driver(platform: Platform) -> dict[str, str]:
    """Return the node selector by which a plugin starts anew with another GPU driver.

    It reads the driver only when it starts. Whoever replaces the driver changes the label's value
    meanwhile, and waits for the daemons that select by it. A label that Node Feature Discovery sets
    would not do: it sets the value back within a minute, before the old driver is gone.
    https://github.com/NVIDIA/k8s-driver-manager (cmd/driver-manager/main.go at v0.12.0)
    """
    return {_GPU_CLIENT_LABEL: "true"} if platform.driver_owner is DriverOwner.OPERATOR else {}
