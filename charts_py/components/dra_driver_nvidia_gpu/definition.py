"""NVIDIA's driver for Dynamic Resource Allocation (DRA), as an Argo CD Helm release.

It runs on the nodes of pools whose allocator is `dra`, and publishes their GPUs as ResourceSlices.
Its DeviceClass `gpu.nvidia.com` stands for `nvidia.com/gpu`, so that pods which ask for that run on
these nodes unchanged: the scheduler makes the resource claim. The GPU operator still brings driver,
toolkit and metrics; its device plugin and this driver are never on one node, since each wants
another value of the same node label.
https://github.com/kubernetes/enhancements/tree/master/keps/sig-scheduling/5004-dra-extended-resource
"""

from charts_py.components.definition import Chart, Definition
from charts_py.components.dra_driver_nvidia_gpu.check import check_allocators
from charts_py.components.dra_driver_nvidia_gpu.values import dra_driver_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.wave import Wave
from charts_py.spec.team import PodSecurity
from gpus.allocator import Allocator

NAMESPACE = "dra-driver-nvidia-gpu"

DRA_DRIVER_NVIDIA_GPU = Definition(
    name="dra-driver-nvidia-gpu",
    description=__doc__,
    appears="where DRA gives out the GPUs of a pool",
    is_wanted=lambda platform: bool(platform.pools_by(Allocator.DRA)),
    fields=("pools.NAME.allocator", "driver.owner"),
    depends_on=("namespaces",),
    wave=Wave.OPERATORS,
    namespace=NAMESPACE,
    # It mounts the host's folders, and makes device nodes.
    own_namespaces=(OwnNamespace(NAMESPACE, PodSecurity.PRIVILEGED),),
    charts=(
        Chart(
            repository="registry.k8s.io/dra-driver-nvidia/charts",
            name="dra-driver-nvidia-gpu",
            # Of ComputeDomains, which the GPU operator's chart brings.
            skips_definitions=True,
            kinds=lambda _: (
                EmittedKind("", "ServiceAccount", namespaced=True),
                EmittedKind(
                    "admissionregistration.k8s.io", "ValidatingAdmissionPolicy", namespaced=False
                ),
                EmittedKind(
                    "admissionregistration.k8s.io",
                    "ValidatingAdmissionPolicyBinding",
                    namespaced=False,
                ),
                EmittedKind("apps", "DaemonSet", namespaced=True),
                EmittedKind("rbac.authorization.k8s.io", "ClusterRole", namespaced=False),
                EmittedKind("rbac.authorization.k8s.io", "ClusterRoleBinding", namespaced=False),
                EmittedKind("rbac.authorization.k8s.io", "Role", namespaced=True),
                EmittedKind("rbac.authorization.k8s.io", "RoleBinding", namespaced=True),
                EmittedKind("resource.k8s.io", "DeviceClass", namespaced=False),
            ),
        ),
    ),
    values=dra_driver_values,
    checks=(check_allocators,),
)
