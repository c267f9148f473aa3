"""Which requests the API server sends to the admission webhook.

The server is up before, in an earlier wave. A webhook that does not answer in time is passed over:
it never keeps a pod from running.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from constructs import Construct

from charts_py.components.component import Component
from charts_py.components.webhook_match_conditions import MatchCondition, match_conditions
from charts_py.components.webhook_server import (
    MUTATE_PATH,
    NAME,
    NAMESPACE,
    SERVICE_PORT,
    VALIDATE_PATH,
)
from charts_py.objects.kube_object import ObjectMeta, add_object
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from gpus.pool_facts import LABEL_PREFIX
from policies.settings import ALWAYS_EXEMPT, Settings

_GROUP = "admissionregistration.k8s.io"
_API_VERSION = f"{_GROUP}/v1"
_KINDS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")

_TIMEOUT_SECONDS = 2
"""What a pod waits at most for a webhook that does not answer."""

_INJECTED_BY_CERT_MANAGER = ".webhooks[]?.clientConfig.caBundle"


@dataclass(frozen=True, slots=True)
class WebhookConfigurationProps:
    """Which pods are shown to the webhook, and how the API server knows it."""

    exempt_namespaces: tuple[str, ...]
    match_conditions: list[MatchCondition]
    ca_bundle: str | None
    """PEM in base64; None where cert-manager writes it into the configurations."""
    annotations: Mapping[str, str] = field(default_factory=dict)


class WebhookConfiguration(Construct):
    """One configuration that fixes pods, and one that refuses what is left."""

    def __init__(self, scope: Construct, id: str, props: WebhookConfigurationProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, annotations=props.annotations)
        mutating = {
            **_webhook(f"mutate.pods.{LABEL_PREFIX}", MUTATE_PATH, props),
            "rules": [_rule(("CREATE", "UPDATE"), "pods")],
            # A mutation of another webhook may need a fix of its own; all fixes together do
            # nothing the second time.
            "reinvocationPolicy": "IfNeeded",
        }
        validating = {
            **_webhook(f"validate.pods.{LABEL_PREFIX}", VALIDATE_PATH, props),
            "rules": [
                _rule(("CREATE", "UPDATE"), "pods"),
                _rule(("UPDATE",), "pods/ephemeralcontainers", "pods/resize"),
            ],
        }
        for kind, webhook in zip(_KINDS, (mutating, validating), strict=True):
            add_object(self, _API_VERSION, kind, metadata, {"webhooks": [webhook]})


def _webhook(name: str, path: str, props: WebhookConfigurationProps) -> dict[str, Any]:
    return {
        "name": name,
        "admissionReviewVersions": ["v1"],
        "clientConfig": _client_config(path, props.ca_bundle),
        "failurePolicy": "Ignore",
        "timeoutSeconds": _TIMEOUT_SECONDS,
        "sideEffects": "None",
        "matchPolicy": "Equivalent",
        "namespaceSelector": {"matchExpressions": [_other_than(props.exempt_namespaces)]},
        "matchConditions": props.match_conditions,
    }


def _client_config(path: str, ca_bundle: str | None) -> dict[str, Any]:
    service = {"namespace": NAMESPACE, "name": NAME, "path": path, "port": SERVICE_PORT}
    return {"service": service} | ({} if ca_bundle is None else {"caBundle": ca_bundle})


def _other_than(namespaces: tuple[str, ...]) -> dict[str, Any]:
    key = "kubernetes.io/metadata.name"
    return {"key": key, "operator": "NotIn", "values": list(namespaces)}


def _rule(operations: tuple[str, ...], *resources: str) -> dict[str, Any]:
    return {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": list(operations),
        "resources": list(resources),
        "scope": "Namespaced",
    }


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the configurations, unless the cluster goes without the webhook."""
    if not platform.cluster.webhook.enabled:
        return
    props = _props(platform, policy_settings(platform))
    yield Component(
        name="webhook-configuration",
        wave=Wave.ADMISSION_CONFIGURATION,
        namespace=NAMESPACE,
        construct=lambda scope: WebhookConfiguration(scope, "webhook-configuration", props),
        ignore_differences=tuple(_ignore_differences(platform)),
    )


def _props(platform: Platform, settings: Settings) -> WebhookConfigurationProps:
    given = platform.cluster.webhook.certificate
    inject = {"cert-manager.io/inject-ca-from": f"{NAMESPACE}/{NAME}"}
    return WebhookConfigurationProps(
        exempt_namespaces=tuple(sorted(ALWAYS_EXEMPT.union(settings.exempt_namespaces))),
        match_conditions=match_conditions(settings),
        ca_bundle=None if given is None else given.ca_bundle_base64,
        annotations=inject if given is None else {},
    )


def _ignore_differences(platform: Platform) -> Iterator[Mapping[str, Any]]:
    expressions = []
    if platform.cluster.webhook.certificate is None:
        expressions.append(_INJECTED_BY_CERT_MANAGER)
    expressions += platform.provider.webhook_differences
    for kind in _KINDS if expressions else ():
        yield {"group": _GROUP, "kind": kind, "jqPathExpressions": expressions}
