"""Intel's GPU device plugin as a plain DaemonSet.

Intel's Helm chart only makes an object for its device plugins operator, whose webhooks need
cert-manager; the plugin itself needs neither. It offers `gpu.intel.com/i915` or `gpu.intel.com/xe`
by the kernel's driver, which the machine's own kernel brings. What it mounts and asks for is taken
from deployments/gpu_plugin/base of https://github.com/intel/intel-device-plugins-for-kubernetes at
v0.36.0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from charts_py.cluster_file.queues import NODE_CRITICAL
from charts_py.components.definition import Definition
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.provider_facts import DEVICE_PLUGIN_FOLDER
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL
from gpus.vendor import INTEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_IMAGE = "docker.io/intel/intel-gpu-plugin:0.36.0"


_NAME = "intel-gpu-plugin"


@dataclass(frozen=True, slots=True)
class _HostFolder:
    """A folder of the node, mounted at its own path."""

    name: str
    path: str
    read_only: bool = False
    type: str = "Directory"
    """https://kubernetes.io/docs/concepts/storage/volumes/#hostpath-volume-types"""

    def volume(self) -> dict[str, Any]:
        return {"name": self.name, "hostPath": {"path": self.path, "type": self.type}}

    def mount(self) -> dict[str, Any]:
        return {"name": self.name, "mountPath": self.path, "readOnly": self.read_only}


_HOST_FOLDERS = (
    _HostFolder("devices", "/dev/dri", read_only=True),
    _HostFolder("cards", "/sys/class/drm", read_only=True),
    _HostFolder("kubelet-sockets", DEVICE_PLUGIN_FOLDER),
    # The runtime makes it with the first device that is described there.
    _HostFolder("container-devices", "/var/run/cdi", type="DirectoryOrCreate"),
)


def _objects(platform: Platform) -> tuple[Document, ...]:
    labels = {"app.kubernetes.io/name": _NAME}
    spec = {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": _pod(platform)},
    }
    metadata = ObjectMeta(_NAME, namespace=KUBE_SYSTEM_NAMESPACE, labels=labels)
    return (object_of("apps/v1", "DaemonSet", metadata, {"spec": spec}),)


def _pod(platform: Platform) -> dict[str, Any]:
    pools = platform.pools_of(INTEL)
    return {
        **pull_secrets(platform.cluster.pull_secret_names),
        "priorityClassName": NODE_CRITICAL,
        "automountServiceAccountToken": False,
        "affinity": {"nodeAffinity": _on_nodes_of([pool.name for pool in pools])},
        "tolerations": tolerations_of(platform.daemon_taints(pools)),
        "containers": [_container(platform.mirrors.of(_IMAGE))],
        "volumes": [folder.volume() for folder in _HOST_FOLDERS],
    }


def _on_nodes_of(pools: Sequence[str]) -> dict[str, Any]:
    terms = [{"matchExpressions": [{"key": POOL, "operator": "In", "values": list(pools)}]}]
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}


def _container(image: str) -> dict[str, Any]:
    return {
        "name": _NAME,
        "image": image,
        "env": [
            _from_field("NODE_NAME", "spec.nodeName"),
            _from_field("HOST_IP", "status.hostIP"),
        ],
        "resources": {
            "requests": {"cpu": "40m", "memory": "45Mi"},
            "limits": {"cpu": "100m", "memory": "90Mi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
            "seLinuxOptions": {"type": "container_device_plugin_t"},
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "volumeMounts": [folder.mount() for folder in _HOST_FOLDERS],
    }


def _from_field(name: str, path: str) -> dict[str, Any]:
    return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}}


INTEL_GPU_DEVICE_PLUGIN = Definition(
    name="intel-gpu-device-plugin",
    description=__doc__,
    appears="with Intel GPUs",
    is_wanted=lambda platform: bool(platform.pools_of(INTEL)),
    fields=("pools.NAME.gpu", "imagePullSecrets", "registries"),
    wave=Wave.OPERATORS,
    namespace=KUBE_SYSTEM_NAMESPACE,
    objects=_objects,
    registries=lambda _: (registry_of(_IMAGE),),
)
