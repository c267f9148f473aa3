"""NVIDIA's driver for Dynamic Resource Allocation (DRA), as an Argo CD Helm release.

It runs on the nodes of pools whose allocator is `dra`, and publishes their GPUs as ResourceSlices.
Its DeviceClass `gpu.nvidia.com` stands for `nvidia.com/gpu`, so that pods which ask for that run on
these nodes unchanged: the scheduler makes the resource claim. The GPU operator still brings driver,
toolkit and metrics; its device plugin and this driver are never on one node, since each wants
another value of the same node label.
https://github.com/kubernetes/enhancements/tree/master/keps/sig-scheduling/5004-dra-extended-resource
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.definition import Definition
from charts_py.components.dra_driver_nvidia_gpu.chart import dra_driver_chart
from charts_py.components.dra_driver_nvidia_gpu.check import check_allocators
from charts_py.components.dra_driver_nvidia_gpu.values import dra_driver_values
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave
from gpus.allocator import Allocator

NAMESPACE = "dra-driver-nvidia-gpu"

DRA_DRIVER_NVIDIA_GPU = Definition(
    name="dra-driver-nvidia-gpu",
    description=__doc__,
    appears="where DRA allocates the GPUs of a pool",
    is_wanted=lambda platform: bool(platform.pools_by(Allocator.DRA)),
    fields=("pools.NAME.allocator", "driver.owner", "imagePullSecrets", "registries", "charts"),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    namespace=NAMESPACE,
    contribution=Contribution(
        # It mounts the host's folders, and makes device nodes.
        namespaces=(PlatformNamespace(NAMESPACE, PodSecurity.PRIVILEGED, goes_last=True),),
    ),
    charts=(dra_driver_chart(),),
    values=dra_driver_values,
    checks=(check_allocators,),
)
