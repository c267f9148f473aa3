"""When JobSet is installed, and how."""

import pytest

from charts_py.components.jobset import DEPLOYMENT, JOBSET, NAMESPACE, SELECTOR, jobset_values
from tests.charts_py.components.opened import ADDRESSES, tcp
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

BOTH = "training:\n  trainer:\n    images: {mpi: registry.example.com/training/mpi:5.0.7}\n"


@pytest.mark.parametrize(
    ("old", "new", "is_wanted"),
    [
        ("  jobSet: {}\n", "", True),
        (f"{BOTH}  jobSet: {{}}\n", "training: {jobSet: {}}\n", True),
        (f"{BOTH}  jobSet: {{}}\n", "", False),
    ],
)
def test_it_is_there_for_who_asks_for_it_and_for_trainer(
    platform_after: PlatformWith, old: str, new: str, is_wanted: bool
) -> None:
    assert JOBSET.is_wanted(platform_after("training", (old, new))) is is_wanted


def test_its_webhooks_are_served_by_two_replicas_of_the_released_image(
    platform_after: PlatformWith,
) -> None:
    assert jobset_values(platform_after("training")) == {
        "fullnameOverride": "jobset",
        "image": {
            "repository": "registry.k8s.io/jobset/jobset",
            "tag": "v0.12.0",
            "pullPolicy": "IfNotPresent",
        },
        "controller": {"replicas": 2, "podDisruptionBudget": {"enabled": True}},
    }


def test_the_alert_is_on_the_deployment_that_the_chart_renders(
    platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    _, release = JOBSET.plan(platform_after("training"))
    objects = rendered(release)
    (deployment,) = (each for each in objects if each["kind"] == "Deployment")
    assert deployment["metadata"]["name"] == DEPLOYMENT
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert labels.items() >= SELECTOR.items()
    (target,) = JOBSET.scraped(platform_after("training"))
    (service,) = (
        each
        for each in objects
        if each["kind"] == "Service" and each["metadata"]["name"] == target.name
    )
    assert service["metadata"]["labels"].items() >= target.selector.items()
    assert target.port in {each["name"] for each in service["spec"]["ports"]}


def test_the_api_server_and_prometheus_reach_it_and_nobody_else(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    network, _ = JOBSET.plan(platform_after("training", ADDRESSES))
    (policy,) = documents_of_component(network)
    assert policy["metadata"]["namespace"] == NAMESPACE
    assert policy["spec"]["podSelector"] == {"matchLabels": SELECTOR}
    assert [each["ports"] for each in policy["spec"]["ingress"]] == [tcp(9443), tcp(8443)]
    assert all(each["from"] for each in policy["spec"]["ingress"])
