"""The configurations by which the API server calls the admission webhook."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from constructs import Construct

from charts_py.components.webhook.server import (
    ADMIT_PATH,
    MUTATE_PATH,
    NAME,
    NAMESPACE,
    SERVICE_PORT,
    TIMEOUT_SECONDS,
    VALIDATE_PATH,
)
from charts_py.components.webhook_configuration.kinds import GROUP, MUTATING, VALIDATING
from charts_py.objects.kube_object import add_object
from charts_py.objects.metadata import ObjectMeta
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.match_conditions import MatchCondition


@dataclass(frozen=True, slots=True)
class RankedJobs:
    """Which jobs name a class by which they wait."""

    namespace_selector: Mapping[str, Any]
    rule: Mapping[str, Any]
    """The requests that create and change them."""
    conditions: list[MatchCondition]
    """What a job meets that names none."""


@dataclass(frozen=True, slots=True)
class WebhookConfigurationProps:
    """Which pods are shown to the webhook, and how the API server knows it."""

    namespace_selector: Mapping[str, Any]
    fixed: list[MatchCondition]
    """What a pod meets that is shown to be fixed."""
    judged: list[MatchCondition] | None
    """What a pod meets that is shown to be judged; None where the API server judges by itself."""
    ca_bundle: str | None
    """PEM in base64; None where cert-manager writes it into the configurations."""
    annotations: Mapping[str, str]
    ranked: RankedJobs | None = None
    """Jobs that are shown to be given their place in a queue; None where nobody need be shown."""


class WebhookConfiguration(Construct):
    """A configuration that fixes pods, and one that refuses what is left where nobody else does."""

    def __init__(self, scope: Construct, id: str, props: WebhookConfigurationProps) -> None:
        super().__init__(scope, id)
        metadata = ObjectMeta(NAME, annotations=props.annotations)
        webhooks = {MUTATING: [_mutating(props)]}
        if props.ranked is not None:
            webhooks[MUTATING].append(_ranking(props.ranked, props.ca_bundle))
        if props.judged is not None:
            webhooks[VALIDATING] = [_validating(props, props.judged)]
        for kind, each in webhooks.items():
            add_object(self, f"{GROUP}/v1", kind, metadata, {"webhooks": each})


def _mutating(props: WebhookConfigurationProps) -> dict[str, Any]:
    path = ADMIT_PATH if props.judged is None else MUTATE_PATH
    return {
        **_webhook(f"mutate.pods.{LABEL_PREFIX}", path, props.ca_bundle),
        "namespaceSelector": props.namespace_selector,
        "matchConditions": props.fixed,
        "rules": [
            _rule(("CREATE", "UPDATE"), "pods"),
            _rule(("UPDATE",), "pods/ephemeralcontainers"),
        ],
        # A mutation of another webhook may need a fix of its own; all fixes together do nothing
        # the second time.
        "reinvocationPolicy": "IfNeeded",
    }


def _ranking(jobs: RankedJobs, ca_bundle: str | None) -> dict[str, Any]:
    return {
        **_webhook(f"mutate.jobs.{LABEL_PREFIX}", MUTATE_PATH, ca_bundle),
        "namespaceSelector": jobs.namespace_selector,
        "matchConditions": jobs.conditions,
        "rules": [{**jobs.rule, "scope": "Namespaced"}],
        "reinvocationPolicy": "IfNeeded",
    }


def _validating(
    props: WebhookConfigurationProps, conditions: list[MatchCondition]
) -> dict[str, Any]:
    return {
        **_webhook(f"validate.pods.{LABEL_PREFIX}", VALIDATE_PATH, props.ca_bundle),
        "namespaceSelector": props.namespace_selector,
        "matchConditions": conditions,
        "rules": [
            _rule(("CREATE", "UPDATE"), "pods"),
            _rule(("UPDATE",), "pods/ephemeralcontainers", "pods/resize"),
        ],
    }


def _webhook(name: str, path: str, ca_bundle: str | None) -> dict[str, Any]:
    return {
        "name": name,
        "admissionReviewVersions": ["v1"],
        "clientConfig": _client_config(path, ca_bundle),
        "failurePolicy": "Ignore",
        "timeoutSeconds": TIMEOUT_SECONDS,
        "sideEffects": "None",
        "matchPolicy": "Equivalent",
    }


def _client_config(path: str, ca_bundle: str | None) -> dict[str, Any]:
    service = {"namespace": NAMESPACE, "name": NAME, "path": path, "port": SERVICE_PORT}
    return {"service": service} | ({} if ca_bundle is None else {"caBundle": ca_bundle})


def _rule(operations: tuple[str, ...], *resources: str) -> dict[str, Any]:
    return {
        "apiGroups": [""],
        "apiVersions": ["v1"],
        "operations": list(operations),
        "resources": list(resources),
        "scope": "Namespaced",
    }
