"""metrics-server, where nobody else brings it."""

from collections.abc import Mapping

import pytest

from charts_py.components.metrics_server import METRICS_SERVER
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from charts_py.rendering.rendering import Rendering
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith


@pytest.mark.parametrize(
    ("cluster", "values"), [("training", {}), ("onprem", {"args": ["--kubelet-insecure-tls"]})]
)
def test_eks_and_own_machines_get_it_right_before_the_webhook(
    cluster: str, values: Document, example: Load
) -> None:
    platform = example(cluster)
    (component,) = METRICS_SERVER.plan(platform)
    (webhook,) = WEBHOOK.plan(platform)
    assert component.helm is not None
    assert (component.name, component.namespace) == ("metrics-server", "kube-system")
    assert (component.wave, webhook.wave) == (Wave.TEAMS, Wave.TEAMS + 1)
    assert (component.helm.repository, component.helm.chart, component.helm.version) == (
        "https://kubernetes-sigs.github.io/metrics-server/",
        "metrics-server",
        "3.13.1",
    )
    assert component.helm.values == values


@pytest.mark.parametrize("cluster", ["inference", "mixed"])
def test_gke_and_aks_bring_their_own(cluster: str, example: Load) -> None:
    assert list(METRICS_SERVER.plan(example(cluster))) == []


def test_a_cluster_that_has_one_says_so(platform_after: PlatformWith) -> None:
    had = "addons: {metricsServer: {install: false}}\npolicies:\n"
    assert list(METRICS_SERVER.plan(platform_after("eks", ("policies:\n", had)))) == []


def test_kubelets_that_sign_their_own_certificates_are_taken_where_the_cluster_says_so(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    unverified = "addons: {metricsServer: {verifyKubelets: false}}\npolicies:\n"
    (component,) = METRICS_SERVER.plan(platform_after("eks", ("policies:\n", unverified)))
    (deployment,) = (each for each in rendered(component) if each["kind"] == "Deployment")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["args"][-1] == "--kubelet-insecure-tls"


def test_whatever_scales_by_what_pods_use_finds_it_measured(
    platforms: Mapping[str, Platform], renderings: Mapping[str, Rendering]
) -> None:
    unmeasured = []
    for name, platform in platforms.items():
        documents = [each for folder in renderings[name].folders.values() for each in folder]
        scales = any(each["kind"] == "HorizontalPodAutoscaler" for each in documents)
        measured = platform.provider.brings_metrics_server or list(METRICS_SERVER.plan(platform))
        unmeasured += [name] if scales and not measured else []
    assert unmeasured == []
