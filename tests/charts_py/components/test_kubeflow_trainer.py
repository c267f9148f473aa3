"""How Kubeflow Trainer is installed."""

from charts_py.components.kubeflow_trainer import (
    KUBEFLOW_TRAINER,
    MANAGER,
    NAMESPACE,
    SELECTOR,
    trainer_values,
)
from tests.charts_py.components.opened import ADDRESSES, tcp
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith


def test_it_leaves_jobset_to_the_component_of_that_name(platform_after: PlatformWith) -> None:
    assert trainer_values(platform_after("training")) == {
        "fullnameOverride": "kubeflow-trainer",
        "jobset": {"install": False},
        "image": {"tag": "v2.3.0"},
        "manager": {"replicas": 2},
    }
    assert "jobset" in KUBEFLOW_TRAINER.depends_on


def test_the_alert_is_on_the_deployment_that_the_chart_renders(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    _, release = KUBEFLOW_TRAINER.plan(platform_after("training"))
    objects = rendered(release)
    (deployment,) = (each for each in objects if each["kind"] == "Deployment")
    assert deployment["metadata"]["name"] == MANAGER
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert labels.items() >= SELECTOR.items()
    (account,) = (each for each in objects if each["kind"] == "ServiceAccount")
    assert account["metadata"]["name"] == MANAGER


def test_the_api_server_and_prometheus_reach_it_and_nobody_else(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    network, _ = KUBEFLOW_TRAINER.plan(platform_after("training", ADDRESSES))
    (policy,) = documents_of_component(network)
    assert policy["metadata"]["namespace"] == NAMESPACE
    assert policy["spec"]["podSelector"] == {"matchLabels": SELECTOR}
    assert [each["ports"] for each in policy["spec"]["ingress"]] == [tcp(9443), tcp(8443)]
    assert all(each["from"] for each in policy["spec"]["ingress"])
