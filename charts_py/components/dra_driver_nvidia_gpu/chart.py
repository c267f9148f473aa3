"""The chart dra-driver-nvidia-gpu, whatever a release of it is for.

https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu
"""

from charts_py.components.definition import Chart
from charts_py.objects.document import EmittedKind
from charts_py.platform.platform import Platform
from charts_py.spec.driver import DriverOwner

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


def dra_driver_chart(*more: EmittedKind) -> Chart:
    """Return the chart without its CustomResourceDefinitions, which the GPU operator's brings.

    `more` are the kinds that this release renders besides.
    """
    return Chart(
        repository="registry.k8s.io/dra-driver-nvidia/charts",
        name="dra-driver-nvidia-gpu",
        kinds=lambda _: (*_KINDS, *more),
        skips_definitions=True,
    )


def driver_folder(platform: Platform) -> str:
    """Return the folder of a node that holds the files of its GPU driver."""
    if platform.driver_owner is DriverOwner.OPERATOR:
        return _OPERATOR_DRIVER_FOLDER
    return platform.provider.host(platform.driver_owner).driver_folder or _HOST_DRIVER_FOLDER
