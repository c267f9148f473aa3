"""The operators whose charts bring no NetworkPolicy for their pods, held against these charts."""

from typing import Any, NamedTuple

import pytest

from charts_py.components.definition import Definition
from charts_py.components.jobset import JOBSET
from charts_py.components.kubeflow_trainer import KUBEFLOW_TRAINER
from charts_py.components.kuberay_operator import KUBERAY
from charts_py.components.leader_worker_set import LEADER_WORKER_SET_DEFINITION
from charts_py.components.registry import DEFINITIONS
from tests.charts_py.components.opened import ADDRESSES, at, in_namespace, ingress, tcp
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

REVIEWS = {"from": at("10.0.0.0/28"), "ports": tcp(9443)}
METRICS = {"from": [in_namespace("monitoring")], "ports": tcp(8443)}


class Operator(NamedTuple):
    """One of them, with a sample that has it."""

    definition: Definition
    cluster: str
    opened: tuple[dict[str, Any], ...] = (REVIEWS, METRICS)

    @property
    def labels(self) -> dict[str, str]:
        assert self.definition.operator is not None
        return dict(self.definition.operator.labels)


OPERATORS = (
    Operator(JOBSET, "training"),
    Operator(KUBEFLOW_TRAINER, "training"),
    Operator(KUBERAY, "operators", ({**METRICS, "ports": tcp(8080)},)),
    Operator(LEADER_WORKER_SET_DEFINITION, "operators"),
)
each_operator = pytest.mark.parametrize("operator", OPERATORS, ids=lambda op: op.definition.name)


def test_every_operator_is_held_against_its_chart() -> None:
    held = {each.definition.name for each in OPERATORS}
    assert held == {definition.name for definition in DEFINITIONS if definition.operator}


@each_operator
def test_its_labels_are_those_of_the_pods_and_the_service_that_the_chart_renders(
    platform_after: PlatformWith, rendered: DocumentsOf, operator: Operator
) -> None:
    platform = platform_after(operator.cluster)
    _, release = operator.definition.plan(platform)
    objects = rendered(release)
    (found,) = (each for each in objects if each["kind"] == "Deployment")
    labels = found["spec"]["template"]["metadata"]["labels"]
    assert labels.items() >= operator.labels.items()
    services = {each["metadata"]["name"]: each for each in objects if each["kind"] == "Service"}
    for target in operator.definition.scraped(platform):
        service = services[target.name]
        assert service["metadata"]["labels"].items() >= target.selector.items()
        assert target.port in {each["name"] for each in service["spec"]["ports"]}


@each_operator
def test_the_api_server_and_prometheus_reach_it_and_nobody_else(
    platform_after: PlatformWith, documents_of_component: DocumentsOf, operator: Operator
) -> None:
    network, _ = operator.definition.plan(platform_after(operator.cluster, ADDRESSES))
    (policy,) = documents_of_component(network)
    assert (policy["metadata"]["namespace"], policy["spec"]) == (
        operator.definition.namespace_name,
        ingress(*operator.opened, pods={"matchLabels": operator.labels}),
    )


def test_where_the_api_server_is_not_known_its_webhooks_are_open_to_everybody(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    network, _ = LEADER_WORKER_SET_DEFINITION.plan(platform_after("operators"))
    (policy,) = documents_of_component(network)
    assert policy["spec"]["ingress"][0] == {"ports": tcp(9443)}
