"""The server that fixes and judges GPU pods at admission, with the facts that made the platform.

It makes no call to anybody and has no access to the API: what it knows stands in its settings,
which it reads anew when Argo CD changes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from constructs import Construct

from charts_py.components.component import Component
from charts_py.components.webhook_certificate import CERTIFICATE_SECRET, WebhookCertificate
from charts_py.components.webhook_deployment import (
    SETTINGS_KEY,
    WebhookDeployment,
    WebhookDeploymentProps,
)
from charts_py.components.webhook_monitoring import WebhookMonitoring, WebhookMonitoringProps
from charts_py.components.webhook_network import WebhookNetwork
from charts_py.components.webhook_scaling import WebhookScaling
from charts_py.components.webhook_server import CA_KEY, NAME, NAMESPACE
from charts_py.objects.kube_object import ObjectMeta, add_object
from charts_py.objects.pod_security import pod_security_labels
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.tool_version import tool_version
from charts_py.platform.wave import Wave
from charts_py.spec.addons import Monitoring
from charts_py.spec.kubernetes_version import KubernetesVersion
from charts_py.spec.priority import PLATFORM_PRIORITY
from charts_py.spec.team import PodSecurity
from charts_py.spec.webhook import Webhook as WebhookSpec
from policies.settings_json import write_settings

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


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the server, unless the cluster goes without it."""
    cluster = platform.cluster
    if not cluster.webhook.enabled:
        return
    props = WebhookProps(
        spec=cluster.webhook,
        settings=write_settings(policy_settings(platform)),
        priority_class=_priority_class(platform),
        kubernetes=cluster.kubernetes,
        monitoring=cluster.addons.monitoring,
    )
    yield Component(
        name="webhook",
        wave=Wave.ADMISSION,
        namespace=NAMESPACE,
        construct=lambda scope: Webhook(scope, "webhook", props),
    )


def _priority_class(platform: Platform) -> str:
    """Return the platform's own rung, or the highest of a ladder that has none."""
    ladder = platform.cluster.priorities
    if PLATFORM_PRIORITY in ladder:
        return PLATFORM_PRIORITY
    return max(ladder, key=lambda name: ladder[name].value)
