"""Which requests the API server sends to the admission webhook.

One configuration fixes pods, and before Kubernetes 1.36 names the priority class of jobs that wait
in queues. Where `policies.admission` is `webhook-only`, another refuses what is left; elsewhere the
API server does that by policies of its own, and another call would add nothing. The server is up
before that, in an earlier wave. A webhook that does not answer in time is skipped: it never keeps a
pod from running.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.components.admission_policy import named, requests, writes_of
from charts_py.components.definition import Definition
from charts_py.components.webhook.server import (
    ADMIT_PATH,
    MUTATE_PATH,
    NAME,
    NAMESPACE,
    SERVICE_PORT,
    TIMEOUT_SECONDS,
    VALIDATE_PATH,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import TEAM_NAMESPACES, judged_namespaces
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.match_conditions import MatchCondition, gpu_pod_conditions, match_conditions
from policies.settings import QueuePriority
from policies.workloads.job_priority import is_unranked

GROUP = "admissionregistration.k8s.io"
MUTATING = "MutatingWebhookConfiguration"
VALIDATING = "ValidatingWebhookConfiguration"
_INJECTED_BY_CERT_MANAGER = ".webhooks[]?.clientConfig.caBundle"


@dataclass(frozen=True, slots=True)
class _RankedJobs:
    """Jobs that wait by the priority class that they name."""

    namespace_selector: Mapping[str, Any]
    rule: Mapping[str, Any]
    """The requests that create and change them."""
    conditions: list[MatchCondition]
    """What a job meets that names none."""


@dataclass(frozen=True, slots=True)
class _Configuration:
    """Which pods are shown to the webhook, and how the API server knows it."""

    namespace_selector: Mapping[str, Any]
    fixed: list[MatchCondition]
    """What a pod meets that is shown to be fixed."""
    judged: list[MatchCondition] | None
    """What a pod meets that is shown to be judged; None where the API server judges by itself."""
    ca_bundle: str | None
    """PEM in base64; None where cert-manager writes it into the configurations."""


def _objects(platform: Platform) -> Iterator[Document]:
    settings = policy_settings(platform)
    given = platform.cluster.webhook.certificate
    configuration = _Configuration(
        namespace_selector=judged_namespaces(settings),
        fixed=gpu_pod_conditions(settings),
        judged=match_conditions(settings) if _judges(platform) else None,
        ca_bundle=None if given is None else given.ca_bundle_base64,
    )
    webhooks = {MUTATING: [_mutating(configuration)]}
    ranked = _ranked(platform, settings.queue_priority)
    if ranked is not None:
        webhooks[MUTATING].append(_ranking(ranked, configuration.ca_bundle))
    if configuration.judged is not None:
        webhooks[VALIDATING] = [_validating(configuration, configuration.judged)]
    inject = {"cert-manager.io/inject-ca-from": f"{NAMESPACE}/{NAME}"}
    metadata = ObjectMeta(NAME, annotations=inject if given is None else {})
    for kind, each in webhooks.items():
        yield object_of(f"{GROUP}/v1", kind, metadata, {"webhooks": each})


def _mutating(configuration: _Configuration) -> dict[str, Any]:
    path = ADMIT_PATH if configuration.judged is None else MUTATE_PATH
    return {
        **_webhook(f"mutate.pods.{LABEL_PREFIX}", path, configuration.ca_bundle),
        "namespaceSelector": configuration.namespace_selector,
        "matchConditions": configuration.fixed,
        "rules": [
            _rule(("CREATE", "UPDATE"), "pods"),
            _rule(("UPDATE",), "pods/ephemeralcontainers"),
        ],
        # A mutation of another webhook may need a fix of its own; all fixes together do nothing
        # the second time.
        "reinvocationPolicy": "IfNeeded",
    }


def _ranking(jobs: _RankedJobs, ca_bundle: str | None) -> dict[str, Any]:
    return {
        **_webhook(f"mutate.jobs.{LABEL_PREFIX}", MUTATE_PATH, ca_bundle),
        "namespaceSelector": jobs.namespace_selector,
        "matchConditions": jobs.conditions,
        "rules": [{**jobs.rule, "scope": "Namespaced"}],
        "reinvocationPolicy": "IfNeeded",
    }


def _validating(configuration: _Configuration, conditions: list[MatchCondition]) -> dict[str, Any]:
    return {
        **_webhook(f"validate.pods.{LABEL_PREFIX}", VALIDATE_PATH, configuration.ca_bundle),
        "namespaceSelector": configuration.namespace_selector,
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
    return {**requests("", *resources, operations=operations), "scope": "Namespaced"}


def _ranked(platform: Platform, priority: QueuePriority | None) -> _RankedJobs | None:
    is_named_in_tree = has(platform.cluster.kubernetes, Feature.MUTATING_POLICIES)
    if priority is None or not priority.jobs or is_named_in_tree:
        return None
    conditions = named({"names-no-class": is_unranked(priority)})
    return _RankedJobs(TEAM_NAMESPACES, writes_of(priority.jobs), conditions)


def _judges(platform: Platform) -> bool:
    """Return whether the webhook refuses pods, since the API server does not."""
    return not platform.cluster.admission.has_policies


def _ignore_differences(platform: Platform) -> tuple[Mapping[str, Any], ...]:
    injected = platform.cluster.webhook.certificate is None
    expressions = [
        *([_INJECTED_BY_CERT_MANAGER] if injected else []),
        *platform.provider.webhook_differences,
    ]
    kinds = (MUTATING, VALIDATING) if _judges(platform) else (MUTATING,)
    return tuple(
        {"group": GROUP, "kind": kind, "jqPathExpressions": expressions}
        for kind in (kinds if expressions else ())
    )


WEBHOOK_CONFIGURATION = Definition(
    name="webhook-configuration",
    description=__doc__,
    appears="with the webhook",
    is_wanted=lambda platform: platform.cluster.admission.has_webhook,
    fields=("webhook.certificate", "policies", "queues", "kubernetes"),
    depends_on=("webhook",),
    wave=Wave.ADMISSION_CONFIGURATION,
    namespace=NAMESPACE,
    objects=_objects,
    ignore_differences=_ignore_differences,
)
