"""The DaemonSet of Intel's GPU device plugin."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from constructs import Construct

from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pull_secrets import pull_secrets
from charts_py.objects.tolerations import tolerations_of
from charts_py.platform.critical_priorities import NODE_CRITICAL
from charts_py.platform.gpu_host import DEVICE_PLUGIN_FOLDER
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from gpus.platform_names import POOL
from gpus.taint import Taint

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
        """Return it as the pod's volume."""
        return {"name": self.name, "hostPath": {"path": self.path, "type": self.type}}

    def mount(self) -> dict[str, Any]:
        """Return it as a container's mount."""
        return {"name": self.name, "mountPath": self.path, "readOnly": self.read_only}


_HOST_FOLDERS = (
    _HostFolder("devices", "/dev/dri", read_only=True),
    _HostFolder("cards", "/sys/class/drm", read_only=True),
    _HostFolder("kubelet-sockets", DEVICE_PLUGIN_FOLDER),
    # The runtime makes it with the first device that is described there.
    _HostFolder("container-devices", "/var/run/cdi", type="DirectoryOrCreate"),
)


@dataclass(frozen=True, slots=True)
class IntelGpuDevicePluginProps:
    """Where the device plugin runs."""

    pools: Sequence[str]
    """Names of the pools on whose nodes it runs."""
    taints: Sequence[Taint]
    """Of these nodes."""
    image: str
    pull_secret_names: Sequence[str]


class IntelGpuDevicePlugin(Construct):
    """A DaemonSet on the nodes of the pools."""

    def __init__(self, scope: Construct, id: str, props: IntelGpuDevicePluginProps) -> None:
        super().__init__(scope, id)
        labels = {"app.kubernetes.io/name": _NAME}
        spec = {
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": _pod(props)},
        }
        metadata = ObjectMeta(_NAME, namespace=KUBE_SYSTEM_NAMESPACE, labels=labels)
        add_object(self, "apps/v1", "DaemonSet", metadata, {"spec": spec})


def _pod(props: IntelGpuDevicePluginProps) -> dict[str, Any]:
    return {
        **pull_secrets(props.pull_secret_names),
        "priorityClassName": NODE_CRITICAL,
        "automountServiceAccountToken": False,
        "affinity": {"nodeAffinity": _on_nodes_of(props.pools)},
        "tolerations": tolerations_of(props.taints),
        "containers": [_container(props.image)],
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
