"""Which requests the API server sends to the admission webhook.

One configuration fixes pods. Before Kubernetes 1.36 it also names the priority class of jobs that
wait in queues, and with Kueue has Jobs replace no pod before it has ended. Where
`policies.admission` is `webhook-only`, another refuses what is left; elsewhere the API server does
that by policies of its own, and another call would add nothing. The server is up before that, in an
earlier wave. A webhook that does not answer in time is skipped: it keeps no pod
from running itself.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
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
from policies.workloads.job_priority import is_unranked
from policies.workloads.pod_replacement import REPLACES_EARLY

GROUP = "admissionregistration.k8s.io"
MUTATING = "MutatingWebhookConfiguration"
VALIDATING = "ValidatingWebhookConfiguration"
_INJECTED_BY_CERT_MANAGER = ".webhooks[]?.clientConfig.caBundle"


def _rule(operations: tuple[str, ...], *resources: str) -> dict[str, Any]:
    return {**requests("", *resources, operations=operations), "scope": "Namespaced"}


_WRITTEN_PODS = _rule(("CREATE", "UPDATE"), "pods")


def _objects(platform: Platform) -> Iterator[Document]:
    given = platform.cluster.webhook.certificate
    inject = {"cert-manager.io/inject-ca-from": f"{NAMESPACE}/{NAME}"}
    metadata = ObjectMeta(NAME, annotations=inject if given is None else {})
    # PEM in base64; where there is none, cert-manager writes it into the configurations.
    webhook = partial(_webhook, None if given is None else given.ca_bundle_base64)
    mutating = [
        # A mutation of another webhook may need a fix of its own; all fixes together do nothing the
        # second time.
        {**webhook(*called), "reinvocationPolicy": "IfNeeded"}
        for called in _mutating(platform)
    ]
    yield object_of(f"{GROUP}/v1", MUTATING, metadata, {"webhooks": mutating})
    if _judges(platform):
        settings = policy_settings(platform)
        rules = (_WRITTEN_PODS, _rule(("UPDATE",), "pods/ephemeralcontainers", "pods/resize"))
        judged = judged_namespaces(settings), match_conditions(settings), rules
        validating = [webhook("validate.pods", VALIDATE_PATH, *judged)]
        yield object_of(f"{GROUP}/v1", VALIDATING, metadata, {"webhooks": validating})


def _mutating(platform: Platform) -> Iterator[tuple[Any, ...]]:
    """Yield name, path, namespaces, conditions and rules of what fixes pods, and ranks jobs."""
    settings = policy_settings(platform)
    path = MUTATE_PATH if _judges(platform) else ADMIT_PATH
    rules = (_WRITTEN_PODS, _rule(("UPDATE",), "pods/ephemeralcontainers"))
    yield "mutate.pods", path, judged_namespaces(settings), gpu_pod_conditions(settings), rules
    priority = settings.queue_priority
    is_named_in_tree = has(platform.cluster.kubernetes, Feature.MUTATING_POLICIES)
    if priority is not None and priority.jobs and not is_named_in_tree:
        fixed = f"({is_unranked(priority)})"
        if settings.replaces_ended_only:
            fixed += f" || {REPLACES_EARLY}"
        unready = named({"waits-for-a-fix": fixed})
        jobs = ({**writes_of(priority.jobs), "scope": "Namespaced"},)
        yield "mutate.jobs", MUTATE_PATH, TEAM_NAMESPACES, unready, jobs


def _webhook(
    ca_bundle: str | None,
    name: str,
    path: str,
    namespaces: Mapping[str, Any],
    conditions: list[MatchCondition],
    rules: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    service = {"namespace": NAMESPACE, "name": NAME, "path": path, "port": SERVICE_PORT}
    return {
        "name": f"{name}.{LABEL_PREFIX}",
        "admissionReviewVersions": ["v1"],
        "clientConfig": {"service": service, **({"caBundle": ca_bundle} if ca_bundle else {})},
        "failurePolicy": "Ignore",
        "timeoutSeconds": TIMEOUT_SECONDS,
        "sideEffects": "None",
        "matchPolicy": "Equivalent",
        "namespaceSelector": namespaces,
        "matchConditions": conditions,
        "rules": list(rules),
    }


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
