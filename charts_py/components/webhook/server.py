"""The admission webhook's server: names and ports by which objects find it, and its image."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault
from charts_py.components.network_rules import PRIVATE_PORT
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.placeholder import placeholder_of
from charts_py.platform.platform import Platform
from charts_py.platform.tool_version import tool_version
from gpus.platform_names import POOL
from policies.image import LATEST, is_fixed, read_image, registry_of
from policies.settings import PodSecurity, Settings
from policies.settings_json import webhook_settings, write_settings

NAME = "gpuplane-webhook"
"""Name of its objects, where there is one of a kind."""
SETTINGS_CONFIG_MAP = f"{NAME}-settings"
SETTINGS_KEY = "settings.json"
NAMESPACE = "gpuplane-system"
# It stands beside the server, in whose wave it is first needed.
OWN_NAMESPACE = PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, made_elsewhere=True)
SELECTOR: Mapping[str, str] = {"app.kubernetes.io/name": NAME}
"""Labels of its pods."""
_PLACEHOLDER = placeholder_of("webhook.image")
"""What `dist/` names where the cluster file names none; nobody can pull it."""
USER = 65532
"""User and group that the image runs as."""
HOST = f"{NAME}.{NAMESPACE}.svc"
"""Name that the API server calls it by, which its certificate must be for."""
PORT_NAME = "https"
SERVICE_PORT = 443
PORT = PRIVATE_PORT
"""Port that its pods listen on."""
OPERATIONS_PORT_NAME = "operations"
OPERATIONS_PORT = 8081
"""Port of probes and metrics, without TLS, where the other is the API server's alone."""
TIMEOUT_SECONDS = 2
"""How long the API server waits for it at most."""
MUTATE_PATH = "/mutate"
VALIDATE_PATH = "/validate"
ADMIT_PATH = "/admit"
"""Path of the endpoint that fixes pods, and vouches for those that nothing is wrong with."""
METRICS_PATH = "/metrics"


def settings_config_map(settings: Settings) -> Document:
    """Return the ConfigMap that the server reads, and reads again when it changes."""
    written = write_settings(webhook_settings(settings))
    metadata = ObjectMeta(SETTINGS_CONFIG_MAP, NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {SETTINGS_KEY: written}})


def registries(cluster: Cluster) -> tuple[str, ...]:
    """Return where the image may come from: clusters that share mirrors may name different ones."""
    return registry_of(_PLACEHOLDER.placeholder), registry_of(webhook_image(cluster))


def webhook_image(cluster: Cluster) -> str:
    return cluster.webhook.image or f"{_PLACEHOLDER.placeholder}:{tool_version()}"


def image_warnings(platform: Platform) -> Iterator[Fault]:
    path, image = ("webhook", "image"), webhook_image(platform.cluster)
    if image.startswith(f"{_PLACEHOLDER.placeholder}:"):
        fault = _PLACEHOLDER.fault(platform, path, image)
        yield replace(fault, mark=platform.shared_mark(path))
    elif not is_fixed(read_image(image)):
        what = f"{image} can be another image tomorrow, and no version of dist/ would tell"
        yield platform.fault(path, what, f"a tag other than {LATEST}, or a digest")


def restricted_pod() -> dict[str, Any]:
    """Return placeholders of such a pod: who it runs as, and that it takes no place on GPU nodes.

    Pod and containers meet the restricted level:
    https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
    """
    terms = [{"matchExpressions": [{"key": POOL, "operator": "DoesNotExist"}]}]
    off_gpu_nodes = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    return {
        "pod_security": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "affinity": {"nodeAffinity": off_gpu_nodes},
        "container_security": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
    }
