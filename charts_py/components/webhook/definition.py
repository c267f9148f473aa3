"""The server that fixes and judges GPU pods at admission, with the facts that made the platform.

It calls no other service and has no access to the API: all it knows is in its settings, which it
reads again when Argo CD changes them. It runs in a namespace of its own, with its certificate,
its autoscaler and a NetworkPolicy that opens one port: to the API server alone, where the cluster
file says how to recognize it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.policies import Admission
from charts_py.components.alert_tables import Rules, read_alerts
from charts_py.components.controller_sizes import container_resources
from charts_py.components.definition import Definition
from charts_py.components.namespaces import namespace_object
from charts_py.components.webhook.certificate import clients_config_map, serving_certificate
from charts_py.components.webhook.deployment import server_objects
from charts_py.components.webhook.server import (
    HOST,
    METRICS_PATH,
    NAME,
    NAMESPACE,
    OPERATIONS_PORT_NAME,
    OWN_NAMESPACE,
    PORT_NAME,
    SELECTOR,
    TIMEOUT_SECONDS,
    image_warnings,
    registries,
    settings_config_map,
    webhook_image,
)
from charts_py.objects.document import Document
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import (
    Alert,
    RecordingRule,
    Rule,
    RuleGroup,
    ScrapeTarget,
)
from charts_py.platform.name_rule import check_addresses
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from policies.in_cel.judged_annotation import judged_by

_EXPIRY_DAYS = 7
"""Less than what is left when cert-manager renews."""
THRESHOLDS: Mapping[str, float] = {
    "fewest_replicas": 2,
    "error_share": 0.01,
    "slow_seconds": TIMEOUT_SECONDS / 4,
    "expiry_seconds": _EXPIRY_DAYS * 86_400,
}
"""Where alerts fire, and what the dashboard draws."""
KNOWN_VERDICTS = "gpuplane_admission_policies_info"
"""The series whose label `judged_by` is the hash that the policies of the API server heed."""
VERDICTS_UNHEEDED = "GpuplaneWebhookVerdictsUnheeded"
"""Only where the API server judges what the webhook does not vouch for."""


def check_webhook(draft: Draft) -> Iterator[Problem]:
    replicas = draft.cluster.webhook.replicas
    if replicas.min > replicas.max:
        path = ("webhook", "replicas", "min")
        yield Problem(path, f"{replicas.min} is above the maximum", f"at most {replicas.max}")


def check_api_server(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each thing that is known of an API server that cannot be so.

    An API server shows webhooks a certificate where its flags say so, which managed ones do not:
    https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#authenticate-apiservers
    """
    path, api_server = ("webhook", "apiServer"), draft.cluster.webhook.api_server
    yield from check_addresses((*path, "addresses"), api_server.addresses)
    runs, authority = draft.provider.runs_api_server, (*path, "clientCa")
    if api_server.client_ca and runs:
        what = f"{runs} runs the API server, and lets nobody give it a certificate for webhooks"
        yield Problem(authority, what, "none here; `addresses` where they are known")
    elif api_server.client_names and not api_server.client_ca and draft.is_read(authority):
        what = "no authority vouches for these names"
        yield Problem((*path, "clientNames"), what, "only beside `clientCa`")


def webhook_alerts() -> tuple[Alert, ...]:
    return read_alerts(
        __package__,
        namespace=NAMESPACE,
        webhook=NAME,
        timeout_seconds=TIMEOUT_SECONDS,
        expiry_days=_EXPIRY_DAYS,
        known_verdicts=KNOWN_VERDICTS,
        **THRESHOLDS,
    )


def rule_groups(platform: Platform) -> tuple[RuleGroup, ...]:
    """Return what is alerted on; where policies heed its verdicts, also that they do."""
    rules: tuple[Rule, ...] = webhook_alerts()
    if platform.cluster.admission is Admission.BACKSTOP:
        known = {"judged_by": judged_by(policy_settings(platform))}
        rules = (RecordingRule(KNOWN_VERDICTS, "vector(1)", known), *rules)
    else:
        rules = tuple(alert for alert in webhook_alerts() if alert.name != VERDICTS_UNHEEDED)
    return (RuleGroup(NAME, NAMESPACE, rules, labels=SELECTOR),)


def scrape_target(authority: Mapping[str, Any], *, is_apart: bool) -> ScrapeTarget:
    """Return its metrics over TLS, by where the certificates of its authority stand.

    Where they have a port apart, that is without TLS.
    """
    if is_apart:
        return ScrapeTarget(NAME, NAMESPACE, SELECTOR, OPERATIONS_PORT_NAME, METRICS_PATH)
    tls = {"ca": authority, "serverName": HOST}
    return ScrapeTarget(NAME, NAMESPACE, SELECTOR, PORT_NAME, METRICS_PATH, tls)


def _objects(platform: Platform) -> Iterator[Document]:
    cluster = platform.cluster
    certificate = serving_certificate(cluster.webhook.certificate)
    yield namespace_object(OWN_NAMESPACE, cluster.kubernetes)
    yield settings_config_map(policy_settings(platform))
    yield from certificate.objects
    yield from clients_config_map(cluster.webhook.api_server)
    yield from server_objects(
        cluster.webhook,
        image=platform.mirrors.of(webhook_image(cluster)),
        pull_secret_names=cluster.pull_secret_names,
        priority_class=cluster.platform_priority,
        certificate_secret=certificate.secret,
        collectors=platform.monitoring.namespaces,
        resources=container_resources(platform, "webhook"),
    )


def _scraped(platform: Platform) -> tuple[ScrapeTarget, ...]:
    webhook = platform.cluster.webhook
    certificate = serving_certificate(webhook.certificate)
    return (scrape_target(certificate.authority, is_apart=webhook.api_server.is_restricted),)


WEBHOOK = Definition(
    name="webhook",
    description=__doc__,
    appears="unless `policies.admission` is `in-tree-only`",
    is_wanted=lambda platform: platform.cluster.admission.has_webhook,
    fields=(
        "webhook",
        "controllers",
        "teams",
        "policies",
        "driver.owner",
        "imagePullSecrets",
        "registries",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
    ),
    # Without metrics its autoscaler is Degraded, and the next wave never starts.
    depends_on=("priority-classes", "metrics-server"),
    wave=Wave.ADMISSION,
    namespace=OWN_NAMESPACE,
    objects=_objects,
    registries=registries,
    checks=(check_webhook, check_api_server),
    warnings=image_warnings,
    scraped=_scraped,
    rules=Rules(rule_groups, webhook_alerts),
)
