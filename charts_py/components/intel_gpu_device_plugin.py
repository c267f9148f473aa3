"""Intel's GPU device plugin as a plain DaemonSet.

Intel's Helm chart only makes an object for its device plugins operator, whose webhooks need
cert-manager; the plugin itself needs neither. It offers `gpu.intel.com/i915` or `gpu.intel.com/xe`
by the kernel's driver, which the machine's own kernel brings. What it mounts and asks for is taken
from deployments/gpu_plugin/base of https://github.com/intel/intel-device-plugins-for-kubernetes at
v0.36.0.
"""

from collections.abc import Iterator

from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.components.definition import Definition
from charts_py.components.object_table import daemons_on, read_objects, requests_of
from charts_py.objects.document import Document
from charts_py.objects.pods import secret_references, tolerations_of
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.provider_facts import DEVICE_PLUGIN_FOLDER
from charts_py.platform.wave import Wave
from gpus.model import INTEL
from gpus.platform_names import POOL
from policies.image import registry_of

_IMAGE = "docker.io/intel/intel-gpu-plugin:0.36.0"
_REQUESTS = requests_of(__package__, "intel_gpu_device_plugin")


def _objects(platform: Platform) -> Iterator[Document]:
    pools = platform.pools_of(INTEL)
    return read_objects(
        __package__,
        "intel_gpu_device_plugin",
        namespace=KUBE_SYSTEM_NAMESPACE,
        priority_class=NODE_CRITICAL,
        pool_label=POOL,
        pools=[pool.name for pool in pools],
        tolerations=tolerations_of(platform.daemon_taints(pools)),
        image=platform.mirrors.of(_IMAGE),
        plugins=DEVICE_PLUGIN_FOLDER,
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
    )


INTEL_GPU_DEVICE_PLUGIN = Definition(
    name="intel-gpu-device-plugin",
    description=__doc__,
    appears="with Intel GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(INTEL)),
    fields=("pools.NAME.gpu", "imagePullSecrets", "registries"),
    wave=Wave.OPERATORS,
    namespace=KUBE_SYSTEM_NAMESPACE,
    objects=_objects,
    contributes=lambda platform: daemons_on(platform.pools_of(INTEL), _REQUESTS),
    registries=lambda _: (registry_of(_IMAGE),),
)
