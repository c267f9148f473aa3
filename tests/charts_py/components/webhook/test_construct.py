"""The admission webhook's server and its configuration."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from charts_py.components.webhook.definition import WEBHOOK
from charts_py.components.webhook_configuration.definition import WEBHOOK_CONFIGURATION
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.policy_settings import policy_settings
from charts_py.platform.wave import Wave
from policies.settings_json import read_settings
from upstream.kubeconform import run_kubeconform

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    Synthesize = Callable[[Component], tuple[Document, ...]]
    Load = Callable[[str], Platform]

EXAMPLES = ("training", "inference", "mixed", "onprem")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_the_server_and_its_configuration_in_valid_manifests(
    example: Load, documents_of_component: Synthesize, tmp_path: Path, name: str
) -> None:
    platform = example(name)
    components = [*WEBHOOK.plan(platform), *WEBHOOK_CONFIGURATION.plan(platform)]
    assert [(component.name, component.wave) for component in components] == [
        ("webhook", Wave.ADMISSION),
        ("webhook-configuration", Wave.ADMISSION_CONFIGURATION),
    ]
    documents = [d for component in components for d in documents_of_component(component)]
    for number, document in enumerate(documents):
        (tmp_path / f"{number}.yaml").write_text(to_yaml(document), encoding="utf-8")
    report = run_kubeconform([tmp_path], platform.cluster.kubernetes)
    assert (report.failures, len(report.results)) == ((), len(documents))


def test_the_server_consists_of_these_objects(
    example: Load, documents_of_component: Synthesize
) -> None:
    (component,) = WEBHOOK.plan(example("training"))
    assert [(d["kind"], d["metadata"]["name"]) for d in documents_of_component(component)] == [
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
        ("ServiceMonitor", "gpuplane-webhook"),
        ("PrometheusRule", "gpuplane-webhook"),
    ]


def test_the_namespace_takes_restricted_pods_alone(
    example: Load, documents_of_component: Synthesize
) -> None:
    (component,) = WEBHOOK.plan(example("training"))
    (namespace,) = of_kind("Namespace", documents_of_component(component))
    assert namespace["metadata"]["labels"] == {
        "app.kubernetes.io/managed-by": "gpuplane",
        "pod-security.kubernetes.io/audit": "restricted",
        "pod-security.kubernetes.io/audit-version": "v1.35",
        "pod-security.kubernetes.io/enforce": "restricted",
        "pod-security.kubernetes.io/enforce-version": "v1.35",
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/warn-version": "v1.35",
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_server_reads_the_settings_of_its_cluster(
    example: Load, documents_of_component: Synthesize, name: str
) -> None:
    platform = example(name)
    (component,) = WEBHOOK.plan(platform)
    config_map, *_ = of_kind("ConfigMap", documents_of_component(component))
    assert config_map["metadata"]["name"] == "gpuplane-webhook-settings"
    assert read_settings(config_map["data"]["settings.json"]) == policy_settings(platform)


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
    documents_of_component: Synthesize,
    text: str,
    image: str,
) -> None:
    (component,) = WEBHOOK.plan(platform_of(sample("eks", ("policies:\n", f"{text}policies:\n"))))
    (deployment,) = of_kind("Deployment", documents_of_component(component))
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
    documents_of_component: Synthesize,
    ladder: str,
    priority_class: str,
) -> None:
    platform = platform_of(sample("eks", ("  system: {value: 10000000}\n", ladder)))
    (component,) = WEBHOOK.plan(platform)
    (deployment,) = of_kind("Deployment", documents_of_component(component))
    assert deployment["spec"]["template"]["spec"]["priorityClassName"] == priority_class


def test_a_given_certificate_takes_the_place_of_cert_manager(
    example: Load, documents_of_component: Synthesize
) -> None:
    platform = example("onprem")
    given = platform.cluster.webhook.certificate
    assert given is not None
    (component,) = WEBHOOK.plan(platform)
    documents = documents_of_component(component)
    _, authority = of_kind("ConfigMap", documents)
    (deployment,) = of_kind("Deployment", documents)
    (monitor,) = of_kind("ServiceMonitor", documents)
    assert of_kind("Certificate", documents) == []
    assert authority["metadata"]["name"] == "gpuplane-webhook-authority"
    assert authority["data"] == {"ca.crt": given.ca_bundle}
    assert deployment["spec"]["template"]["spec"]["volumes"][1]["secret"] == {
        "secretName": given.secret_name,
        "defaultMode": 0o440,
    }
    assert monitor["spec"]["endpoints"][0]["tlsConfig"]["ca"] == {
        "configMap": {"name": "gpuplane-webhook-authority", "key": "ca.crt"}
    }


def test_without_service_monitors_nothing_needs_the_prometheus_operator(
    sample: Callable[..., str], platform_of: Load, documents_of_component: Synthesize
) -> None:
    text = "addons:\n  monitoring: {serviceMonitors: false}\npolicies:\n"
    (component,) = WEBHOOK.plan(platform_of(sample("eks", ("policies:\n", text))))
    groups = {d["apiVersion"].partition("/")[0] for d in documents_of_component(component)}
    assert "monitoring.coreos.com" not in groups


def test_a_cluster_can_go_without(sample: Callable[..., str], platform_of: Load) -> None:
    text = "webhook:\n  enabled: false\npolicies:\n"
    platform = platform_of(sample("eks", ("policies:\n", text)))
    assert [*WEBHOOK.plan(platform), *WEBHOOK_CONFIGURATION.plan(platform)] == []


def of_kind(kind: str, documents: tuple[Document, ...]) -> list[Document]:
    return [document for document in documents if document["kind"] == kind]
