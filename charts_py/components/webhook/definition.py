"""The server that fixes and judges GPU pods at admission, with the facts that made the platform.

It calls no other service and has no access to the API: all it knows is in its settings, which it
reads again when Argo CD changes them. It runs in a namespace of its own, with its certificate,
its autoscaler and a NetworkPolicy that opens one port: to the API server alone, where the cluster
file says how to recognize it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.definition import Definition
from charts_py.components.namespaces.own_namespace import own_namespace
from charts_py.components.webhook.certificate import serving_certificate
from charts_py.components.webhook.check import check_api_server, check_webhook
from charts_py.components.webhook.clients import clients_config_map
from charts_py.components.webhook.deployment import deployment, service_account
from charts_py.components.webhook.image import placeholder_warnings, registries, webhook_image
from charts_py.components.webhook.monitoring import rule_groups, scrape_target, webhook_alerts
from charts_py.components.webhook.network import network_policy, service
from charts_py.components.webhook.scaling import autoscaler, disruption_budget
from charts_py.components.webhook.server import NAMESPACE, OWN_NAMESPACE
from charts_py.components.webhook.settings import settings_config_map
from charts_py.platform.contribution import Contribution
from charts_py.platform.platform_priority import platform_priority
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.metrics_collection import ScrapeTarget
    from charts_py.platform.platform import Platform


def _objects(platform: Platform) -> Iterator[Document]:
    cluster = platform.cluster
    api_server = cluster.webhook.api_server
    certificate = serving_certificate(cluster.webhook.certificate)
    yield own_namespace(OWN_NAMESPACE, cluster.kubernetes)
    yield settings_config_map(policy_settings(platform))
    yield from certificate.objects
    yield from clients_config_map(api_server)
    yield service_account()
    yield deployment(
        image=platform.mirrors.of(webhook_image(cluster)),
        pull_secret_names=cluster.pull_secret_names,
        priority_class=platform_priority(cluster),
        certificate_secret=certificate.secret,
        api_server=api_server,
    )
    yield service(api_server)
    yield network_policy(api_server, platform.monitoring.namespaces)
    yield autoscaler(cluster.webhook.replicas)
    yield disruption_budget()


def _scraped(platform: Platform) -> tuple[ScrapeTarget, ...]:
    webhook = platform.cluster.webhook
    certificate = serving_certificate(webhook.certificate)
    return (scrape_target(certificate.authority, is_apart=webhook.api_server.is_known),)


WEBHOOK = Definition(
    name="webhook",
    description=__doc__,
    appears="unless `policies.admission` is `in-tree-only`",
    is_wanted=lambda platform: platform.cluster.admission.has_webhook,
    fields=(
        "webhook",
        "policies",
        "imagePullSecrets",
        "registries",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
    ),
    # Without metrics its autoscaler is Degraded, and the next wave never starts.
    depends_on=("priority-classes", "metrics-server"),
    wave=Wave.ADMISSION,
    namespace=NAMESPACE,
    contribution=Contribution(
        namespaces=(OWN_NAMESPACE,),
    ),
    objects=_objects,
    registries=registries,
    checks=(check_webhook, check_api_server),
    warnings=placeholder_warnings,
    scraped=_scraped,
    rules=rule_groups,
    alerts=webhook_alerts,
)
