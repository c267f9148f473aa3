"""Names and ports by which the objects around the admission webhook's server find it."""

from collections.abc import Mapping

from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import PlatformNamespace
from policies.settings import Settings
from policies.settings_json import without_custom_rules, write_settings

NAME = "gpuplane-webhook"
"""Name of its objects, where there is one of a kind."""
SETTINGS_CONFIG_MAP = f"{NAME}-settings"
SETTINGS_KEY = "settings.json"
NAMESPACE = "gpuplane-system"
# It stands beside the server, in whose wave it is first needed.
OWN_NAMESPACE = PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, made_elsewhere=True)
SELECTOR: Mapping[str, str] = {"app.kubernetes.io/name": NAME}
"""Labels of its pods."""
METADATA = ObjectMeta(NAME, NAMESPACE, labels=SELECTOR)
"""Of the objects that run and reach its pods."""
USER = 65532
"""User and group that the image runs as."""
HOST = f"{NAME}.{NAMESPACE}.svc"
"""Name that the API server calls it by, which its certificate must be for."""
PORT_NAME = "https"
SERVICE_PORT = 443
PORT = 10250
"""Port that its pods listen on. The API server of a private GKE cluster reaches pods at 443 and
10250 alone, unless somebody adds a firewall rule:
https://cloud.google.com/kubernetes-engine/docs/how-to/private-clusters#add_firewall_rules"""
OPERATIONS_PORT_NAME = "operations"
OPERATIONS_PORT = 8081
"""Port of probes and metrics, without TLS, where the other is the API server's alone."""
TIMEOUT_SECONDS = 2
"""How long the API server waits for it at most."""
MUTATE_PATH = "/mutate"
VALIDATE_PATH = "/validate"
ADMIT_PATH = "/admit"
"""Where pods are fixed, and those that nothing is wrong with are said to be so."""
METRICS_PATH = "/metrics"


def settings_config_map(settings: Settings) -> Document:
    """Return the ConfigMap that the server reads, and reads again when it changes."""
    written = write_settings(without_custom_rules(settings))
    metadata = ObjectMeta(SETTINGS_CONFIG_MAP, NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {SETTINGS_KEY: written}})
