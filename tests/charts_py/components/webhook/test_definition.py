"""The admission webhook's server and its configuration."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from charts_py.components.monitoring import MONITORING
from charts_py.components.webhook.configuration import WEBHOOK_CONFIGURATION
from charts_py.components.webhook.definition import WEBHOOK

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    Load = Callable[[str], Platform]
    ObjectsOf = Callable[[Platform], tuple[Document, ...]]


@pytest.fixture
def objects_of(documents_of_component: Callable[[Component], tuple[Document, ...]]) -> ObjectsOf:
    """Return the function that returns what stands in its folder, and in that of monitoring."""

    def objects(platform: Platform) -> tuple[Document, ...]:
        components = (*WEBHOOK.plan(platform), *MONITORING.plan(platform))
        return tuple(document for each in components for document in documents_of_component(each))

    return objects


def test_the_server_consists_of_these_objects(
    example: Load, documents_of_component: Callable[[Component], tuple[Document, ...]]
) -> None:
    (component,) = WEBHOOK.plan(example("training"))
    objects = documents_of_component(component)
    assert [(d["kind"], d["metadata"]["name"]) for d in objects] == [
        ("Namespace", "gpuplane-system"),
        ("ConfigMap", "gpuplane-webhook-settings"),
        ("Issuer", "gpuplane-webhook-selfsigned"),
        ("Certificate", "gpuplane-webhook-ca"),
        ("Issuer", "gpuplane-webhook"),
        ("Certificate", "gpuplane-webhook"),
        ("ServiceAccount", "gpuplane-webhook"),
        ("Deployment", "gpuplane-webhook"),
        ("Service", "gpuplane-webhook"),
        ("NetworkPolicy", "gpuplane-webhook"),
        ("HorizontalPodAutoscaler", "gpuplane-webhook"),
        ("PodDisruptionBudget", "gpuplane-webhook"),
    ]


def test_the_namespace_takes_restricted_pods_alone(example: Load, objects_of: ObjectsOf) -> None:
    (namespace,) = of_kind("Namespace", objects_of(example("training")))
    assert namespace["metadata"]["labels"] == {
        "app.kubernetes.io/managed-by": "gpuplane",
        "pod-security.kubernetes.io/audit": "restricted",
        "pod-security.kubernetes.io/audit-version": "v1.35",
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/enforce-version": "v1.35",
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": "v1.35",
    }


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("", f"ghcr.io/example/gpuplane-webhook:{version('gpuplane')}"),
        ("webhook: {image: registry.example.com/webhook:2}\n", "registry.example.com/webhook:2"),
    ],
)
def test_the_image_is_of_this_version_unless_the_file_names_one(
    sample: Callable[..., str],
    platform_of: Load,
    objects_of: ObjectsOf,
    text: str,
    image: str,
) -> None:
    platform = platform_of(sample("eks", ("policies:\n", f"{text}policies:\n")))
    (deployment,) = of_kind("Deployment", objects_of(platform))
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["image"] == image


@pytest.mark.parametrize(
    ("ladder", "priority_class"),
    [
        ("  system: {value: 10000000}\n", "system"),
        ("", "training"),
    ],
)
def test_it_runs_at_the_platforms_own_priority_or_else_at_the_highest(
    sample: Callable[..., str],
    platform_of: Load,
    objects_of: ObjectsOf,
    ladder: str,
    priority_class: str,
) -> None:
    platform = platform_of(sample("eks", ("  system: {value: 10000000}\n", ladder)))
    (deployment,) = of_kind("Deployment", objects_of(platform))
    assert deployment["spec"]["template"]["spec"]["priorityClassName"] == priority_class


def test_a_given_certificate_is_mounted_and_its_authority_is_what_prometheus_trusts(
    example: Load, objects_of: ObjectsOf
) -> None:
    platform = example("onprem")
    given = platform.cluster.webhook.certificate
    assert given is not None
    objects = objects_of(platform)
    _, authority = of_kind("ConfigMap", objects)
    (deployment,) = of_kind("Deployment", objects)
    (monitor,) = of_kind("ServiceMonitor", objects)
    assert of_kind("Certificate", objects) == []
    assert authority["metadata"]["name"] == "gpuplane-webhook-authority"
    assert deployment["spec"]["template"]["spec"]["volumes"][1]["secret"] == {
        "secretName": given.secret_name,
        "defaultMode": 0o440,
    }
    assert monitor["spec"]["endpoints"][0]["tlsConfig"]["ca"] == {
        "configMap": {"name": "gpuplane-webhook-authority", "key": "ca.crt"}
    }


def test_where_the_api_server_is_known_metrics_are_read_at_a_port_apart(
    sample: Callable[..., str], platform_of: Load, objects_of: ObjectsOf
) -> None:
    text = "webhook:\n  apiServer: {addresses: [192.0.2.0/28]}\npolicies:\n"
    objects = objects_of(platform_of(sample("eks", ("policies:\n", text))))
    (service,) = of_kind("Service", objects)
    (monitor,) = of_kind("ServiceMonitor", objects)
    (endpoint,) = monitor["spec"]["endpoints"]
    assert (endpoint["port"], endpoint["scheme"], "tlsConfig" in endpoint) == (
        "operations",
        "http",
        False,
    )
    assert endpoint["port"] in {port["name"] for port in service["spec"]["ports"]}


def test_without_service_monitors_nothing_needs_the_prometheus_operator(
    sample: Callable[..., str], platform_of: Load, objects_of: ObjectsOf
) -> None:
    text = "addons:\n  monitoring: {serviceMonitors: false}\npolicies:\n"
    objects = objects_of(platform_of(sample("eks", ("policies:\n", text))))
    groups = {document["apiVersion"].partition("/")[0] for document in objects}
    assert "monitoring.coreos.com" not in groups


def test_on_gke_it_is_watched_by_kinds_that_google_manages(
    sample: Callable[..., str], platform_of: Load, objects_of: ObjectsOf
) -> None:
    objects = objects_of(platform_of(sample("gke")))
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


def test_a_cluster_can_go_without(sample: Callable[..., str], platform_of: Load) -> None:
    text = "policies:\n  admission: in-tree-only\n"
    platform = platform_of(sample("eks", ("policies:\n", text), ('"1.35"', '"1.36"')))
    assert [*WEBHOOK.plan(platform), *WEBHOOK_CONFIGURATION.plan(platform)] == []


def of_kind(kind: str, documents: tuple[Document, ...]) -> list[Document]:
    return [document for document in documents if document["kind"] == kind]
