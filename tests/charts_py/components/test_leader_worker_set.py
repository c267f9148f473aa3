"""LeaderWorkerSet, where a cluster asks for it."""

from charts_py.components.leader_worker_set import (
    DEPLOYMENT,
    LEADER_WORKER_SET_DEFINITION,
    NAMESPACE,
    SELECTOR,
)
from tests.charts_py.components.opened import ADDRESSES, at, in_namespace, ingress, tcp
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith


def test_it_is_the_released_image_in_two_replicas(platform_after: PlatformWith) -> None:
    _, release = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators"))
    assert release.helm is not None
    assert release.helm.values["replicaCount"] == 2
    assert release.helm.values["image"]["manager"] == {
        "repository": "registry.k8s.io/lws/lws",
        "tag": "v0.10.0",
        "pullPolicy": "IfNotPresent",
    }


def test_the_alert_is_on_the_deployment_that_the_chart_renders(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    _, release = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators"))
    (deployment,) = (each for each in rendered(release) if each["kind"] == "Deployment")
    assert deployment["metadata"]["name"] == DEPLOYMENT
    assert deployment["spec"]["template"]["metadata"]["labels"].items() >= SELECTOR.items()


def test_the_api_server_and_prometheus_reach_it_and_nobody_else(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    network, _ = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators", ADDRESSES))
    (policy,) = documents_of_component(network)
    assert (policy["metadata"]["namespace"], policy["spec"]) == (
        NAMESPACE,
        ingress(
            {"from": at("10.0.0.0/28"), "ports": tcp(9443)},
            {"from": [in_namespace("monitoring")], "ports": tcp(8443)},
            pods={"matchLabels": SELECTOR},
        ),
    )


def test_where_the_api_server_is_not_known_its_webhooks_are_open_to_everybody(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    network, _ = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators"))
    (policy,) = documents_of_component(network)
    assert policy["spec"]["ingress"][0] == {"ports": tcp(9443)}
