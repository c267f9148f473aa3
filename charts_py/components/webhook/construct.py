"""The admission webhook's server with all that belongs to it."""

from dataclasses import dataclass

from constructs import Construct

from charts_py.components.webhook.certificate import CERTIFICATE_SECRET, WebhookCertificate
from charts_py.components.webhook.deployment import (
    SETTINGS_KEY,
    WebhookDeployment,
    WebhookDeploymentProps,
)
from charts_py.components.webhook.monitoring import WebhookMonitoring, WebhookMonitoringProps
from charts_py.components.webhook.network import WebhookNetwork
from charts_py.components.webhook.scaling import WebhookScaling
from charts_py.components.webhook.server import CA_KEY, NAME, NAMESPACE
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.tool_version import tool_version
from charts_py.spec.addons import Monitoring
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.team import PodSecurity
from charts_py.spec.webhook import Webhook as WebhookSpec

_REPOSITORY = "ghcr.io/example/gpuplane-webhook"
_SETTINGS = f"{NAME}-settings"
_AUTHORITY = f"{NAME}-authority"
"""ConfigMap with the certificates of a given authority."""


@dataclass(frozen=True, slots=True)
class WebhookProps:
    """What the server runs as, and what it knows."""

    spec: WebhookSpec
    settings: str
    """JSON."""
    priority_class: str
    kubernetes: KubernetesVersion
    monitoring: Monitoring


class Webhook(Construct):
    """The server with all that belongs to it, in a namespace of its own."""

    def __init__(self, scope: Construct, id: str, props: WebhookProps) -> None:
        super().__init__(scope, id)
        security = pod_security_labels(
            props.kubernetes, enforced=PodSecurity.RESTRICTED, reported=PodSecurity.RESTRICTED
        )
        add_object(self, "v1", "Namespace", ObjectMeta(NAMESPACE, labels=security), {})
        self._add_config_map(_SETTINGS, SETTINGS_KEY, props.settings)
        secret, authority = self._add_certificate(props.spec)
        deployment = WebhookDeploymentProps(
            image=props.spec.image or f"{_REPOSITORY}:{tool_version()}",
            priority_class=props.priority_class,
            settings_config_map=_SETTINGS,
            certificate_secret=secret,
        )
        WebhookDeployment(self, "deployment", deployment)
        WebhookNetwork(self, "network")
        WebhookScaling(self, "scaling", props.spec.replicas)
        if props.monitoring.service_monitors:
            monitoring = WebhookMonitoringProps(props.monitoring.interval, authority)
            WebhookMonitoring(self, "monitoring", monitoring)

    def _add_certificate(self, spec: WebhookSpec) -> tuple[str, dict[str, object]]:
        """Return the Secret with certificate and key, and where the authority's stand."""
        if spec.certificate is None:
            WebhookCertificate(self, "certificate")
            return CERTIFICATE_SECRET, {"secret": {"name": CERTIFICATE_SECRET, "key": CA_KEY}}
        self._add_config_map(_AUTHORITY, CA_KEY, spec.certificate.ca_bundle)
        return spec.certificate.secret_name, {"configMap": {"name": _AUTHORITY, "key": CA_KEY}}

    def _add_config_map(self, name: str, key: str, text: str) -> None:
        add_object(self, "v1", "ConfigMap", ObjectMeta(name, NAMESPACE), {"data": {key: text}})
