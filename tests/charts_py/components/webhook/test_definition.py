"""The admission webhook's server and its configuration."""

import re
from collections.abc import Callable
from importlib.metadata import version

import pytest
from prometheus_client.metrics import MetricWrapperBase

from charts_py.components.monitoring import MONITORING
from charts_py.components.registry import component_warnings
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import (
    KNOWN_VERDICTS,
    VERDICTS_UNHEEDED,
    WEBHOOK,
    rule_groups,
    scrape_target,
    webhook_alerts,
)
from charts_py.components.webhook.server import settings_config_map
from charts_py.constructs.render import render
from charts_py.objects.document import Document
from charts_py.platform.metrics_collection import Alert, RecordingRule, RuleGroup, ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.tool_version import tool_version
from policies.settings_json import read_settings, webhook_settings
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from webhook.metrics import BUCKETS, Metrics

ObjectsOf = Callable[[Platform], tuple[Document, ...]]


@pytest.fixture
def objects_of(documents_of_component: DocumentsOf) -> ObjectsOf:
    """Return the function that returns what stands in its folder, and in that of monitoring."""

    def objects(platform: Platform) -> tuple[Document, ...]:
        components = (*WEBHOOK.plan(platform), *MONITORING.plan(platform))
        return tuple(document for each in components for document in documents_of_component(each))

    return objects


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("", f"ghcr.io/example/gpuplane-webhook:{version('gpuplane')}"),
        ("webhook: {image: registry.example.com/webhook:2}\n", "registry.example.com/webhook:2"),
    ],
)
def test_the_image_is_of_this_version_unless_the_file_names_one(
    platform_after: PlatformWith, objects_of: ObjectsOf, text: str, image: str
) -> None:
    platform = platform_after("eks", ("policies:\n", f"{text}policies:\n"))
    (deployment,) = of_kind("Deployment", objects_of(platform))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["image"] == image


def test_without_service_monitors_nothing_needs_the_prometheus_operator(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    text = "addons:\n  monitoring: {serviceMonitors: false}\npolicies:\n"
    objects = objects_of(platform_after("eks", ("policies:\n", text)))
    groups = {document["apiVersion"].partition("/")[0] for document in objects}
    assert "monitoring.coreos.com" not in groups


def test_on_gke_it_is_watched_by_kinds_that_google_manages(
    platform_after: PlatformWith, objects_of: ObjectsOf
) -> None:
    objects = objects_of(platform_after("gke"))
    (deployment,) = of_kind("Deployment", objects)
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    (rules,) = of_kind("Rules", objects)
    _, monitoring = of_kind("PodMonitoring", objects)
    (endpoint,) = monitoring["spec"]["endpoints"]
    assert {each["metadata"]["name"] for each in (rules, monitoring)} == {"gpuplane-webhook"}
    # It finds pods by the name of their port, without a Service.
    assert endpoint["port"] in {port["name"] for port in container["ports"]}
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert monitoring["spec"]["selector"]["matchLabels"].items() <= labels.items()


def test_a_cluster_can_go_without(platform_after: PlatformWith) -> None:
    text = "policies:\n  admission: in-tree-only\n"
    platform = platform_after("eks", ("policies:\n", text), ('"1.35"', '"1.36"'))
    assert [*WEBHOOK.plan(platform), *WEBHOOK_CONFIGURATION.plan(platform)] == []


def of_kind(kind: str, documents: tuple[Document, ...]) -> list[Document]:
    return [document for document in documents if document["kind"] == kind]


ALERTS = [alert for alert in webhook_alerts() if alert.name != VERDICTS_UNHEEDED]
_SUFFIXES = ("", "_total", "_bucket", "_sum", "_count")


def _registered() -> set[str]:
    families = Metrics().registry.collect()
    return {f"{family.name}{suffix}" for family in families for suffix in _SUFFIXES}


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert.name)
def test_an_alert_reads_metrics_that_the_server_has(alert: Alert) -> None:
    read = set(re.findall(r"gpuplane_webhook_\w+", alert.expression))
    assert read <= _registered()
    assert read or "up{" in alert.expression


def test_labels_that_alerts_speak_of_are_those_of_the_metrics() -> None:
    labels = {
        metric._name: metric._labelnames  # noqa: SLF001 # the client has no public reader
        for metric in Metrics().registry._collector_to_names  # noqa: SLF001 # likewise
        if isinstance(metric, MetricWrapperBase)
    }
    assert labels["gpuplane_webhook_requests"] == ("path", "code")
    assert labels["gpuplane_webhook_decisions"] == ("rule", "decision")
    assert labels["gpuplane_webhook_reload_failing"] == ("what",)
    assert "digest" in labels["gpuplane_webhook_settings_info"]


def test_the_latency_that_is_alerted_on_is_the_bound_of_a_bucket() -> None:
    (slow,) = (alert for alert in ALERTS if alert.name == "GpuplaneWebhookSlow")
    assert float(slow.expression.rpartition(" > ")[2]) in BUCKETS


def test_each_alert_has_its_own_name_and_says_what_it_means() -> None:
    names = [alert.name for alert in ALERTS]
    assert len(set(names)) == len(names)
    assert {alert.severity for alert in ALERTS} == {"critical", "warning"}
    assert all(alert.summary.endswith(".") for alert in ALERTS)


SET = "registry.example.com/gpuplane-webhook"
PLACEHOLDER = f"ghcr.io/example/gpuplane-webhook:{tool_version()}"
STATED = (
    f"webhook.image: {PLACEHOLDER} is a placeholder that cannot be pulled, so the first sync would "
    "never end; allowed: an image that is built and pushed, as README.md says of the webhook's "
    "image"
)
DEFAULT = STATED.replace(" is a", ", the default, is a", 1)
LATEST = (
    f"webhook.image: {SET}:latest can be another image tomorrow, and no version of dist/ would "
    "tell; allowed: a tag other than latest, or a digest"
)


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("", (DEFAULT,)),
        (f'webhook: {{image: "{PLACEHOLDER}"}}\n', (STATED,)),
        (f'webhook: {{image: "{SET}:1"}}\n', ()),
        (f'webhook: {{image: "{SET}:latest"}}\n', (LATEST,)),
    ],
    ids=["none", "placeholder", "own", "latest"],
)
def test_an_image_that_cannot_stay_is_warned_of(
    text: str, warnings: tuple[str, ...], platform_after: PlatformWith
) -> None:
    platform = platform_after("eks", ("policies:\n", f"{text}policies:\n"))
    assert tuple(str(each.problem) for each in component_warnings(platform)) == warnings


def test_a_platform_without_a_webhook_needs_no_image(platform_after: PlatformWith) -> None:
    in_tree = ("policies:\n", "policies:\n  admission: in-tree-only\n")
    kubernetes = ('kubernetes: "1.35"', 'kubernetes: "1.36"')
    assert component_warnings(platform_after("eks", in_tree, kubernetes)) == ()


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_the_examples_have_one(name: str, example: Load) -> None:
    assert component_warnings(example(name)) == ()


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_the_server_reads_the_settings_of_its_cluster(example: Load, name: str) -> None:
    settings = policy_settings(example(name))
    config_map = settings_config_map(settings)
    assert config_map["metadata"]["name"] == "gpuplane-webhook-settings"
    assert read_settings(config_map["data"]["settings.json"]) == webhook_settings(settings)


def test_metrics_are_read_over_tls() -> None:
    authority = {"secret": {"name": "gpuplane-webhook-tls", "key": "ca.crt"}}
    assert scrape_target(authority, is_apart=False) == ScrapeTarget(
        name="gpuplane-webhook",
        namespace="gpuplane-system",
        selector={"app.kubernetes.io/name": "gpuplane-webhook"},
        port="https",
        path="/metrics",
        tls={"ca": authority, "serverName": "gpuplane-webhook.gpuplane-system.svc"},
    )


def test_metrics_at_a_port_of_their_own_are_read_without_tls() -> None:
    assert scrape_target({}, is_apart=True) == ScrapeTarget(
        name="gpuplane-webhook",
        namespace="gpuplane-system",
        selector={"app.kubernetes.io/name": "gpuplane-webhook"},
        port="operations",
        path="/metrics",
        tls={},
    )


def test_every_alert_is_in_the_group_of_its_namespace(example: Load) -> None:
    labels = {"app.kubernetes.io/name": "gpuplane-webhook"}
    *alerts, unheeded = webhook_alerts()
    assert unheeded.name == VERDICTS_UNHEEDED
    assert rule_groups(example("training")) == (
        RuleGroup("gpuplane-webhook", "gpuplane-system", tuple(alerts), labels),
    )


def test_where_policies_heed_its_verdicts_their_hash_is_recorded(example: Load) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    recorded, *alerts = group.rules
    assert isinstance(recorded, RecordingRule)
    assert recorded.record == KNOWN_VERDICTS
    assert tuple(alerts) == webhook_alerts()
    policies = str(render(platform).folders["admission-policies"])
    assert f'"{recorded.labels["judged_by"]}"' in policies


def test_elsewhere_nobody_heeds_them(example: Load) -> None:
    (group,) = rule_groups(example("training"))
    assert VERDICTS_UNHEEDED not in {alert.name for alert in group.alerts}


def test_rules_know_what_other_components_add(example: Load) -> None:
    platform = example("onprem")
    (group,) = rule_groups(platform)
    assert group in platform.watched.rules
