"""Routes to servers: what is printed, and what a Gateway would not accept."""

from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.components.object_policies import object_policies
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.route.asked import AskedRoute
from gpuplane.workloads.route.http_route import new_route
from gpuplane.workloads.workload import Workload
from policies.admission import Effect
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import platform_named
from tests.rows import rows_beside
from upstream.kubeconform import run_kubeconform

each_row = rows_beside(__file__, "routes.yaml")


def _ask(**fields: Any) -> AskedRoute:
    lists = {name: tuple(each) for name, each in fields.items() if isinstance(each, list)}
    return AskedRoute(**{"name": "chat", "team": "research"} | fields | lists)


def _new(platform: Platform | None = None, **fields: Any) -> Workload:
    return new_route(_ask(**fields), platform or platform_named("sample-serving"))


@each_row("printed")
def test_a_route_leads_requests_to_services(
    fields: dict[str, Any], rule: dict[str, Any], tmp_path: Path
) -> None:
    (document,) = _new(**fields).documents
    assert document["spec"] == {
        "parentRefs": [
            {
                "group": "gateway.networking.k8s.io",
                "kind": "Gateway",
                "name": "gateway",
                "namespace": "agentgateway-system",
                "sectionName": "research",
            }
        ],
        "hostnames": ["chat.research.models.example.com"],
        "rules": [rule],
    }
    file = tmp_path / "route.yaml"
    file.write_text(to_yaml(document), encoding="utf-8")
    assert run_kubeconform([file], "1.36").failures == ()


def test_the_api_server_takes_what_is_printed_and_no_route_that_leads_elsewhere() -> None:
    platform = platform_named("sample-serving")
    policies = ObjectPolicies([*object_policies(platform)], policy_settings(platform))
    (taken,) = _new(platform).documents
    (rule,) = taken["spec"]["rules"]
    elsewhere = {**rule, "backendRefs": [{**rule["backendRefs"][0], "namespace": "other"}]}
    refused = {**taken, "spec": {**taken["spec"], "rules": [elsewhere]}}
    found = [[*policies.findings(each, "research-serving")] for each in (taken, refused)]
    assert [[(each.effect, each.pointer) for each in said] for said in found] == [
        [],
        [(Effect.DENIED, "/spec/rules")],
    ]


@each_row("refused")
def test_what_the_gateway_would_not_accept_is_told(fields: dict[str, Any], said: str) -> None:
    assert message_of(AskedError, _new, **fields) == said


def test_a_team_without_a_namespace_of_inference_has_no_route(platform_after: PlatformWith) -> None:
    trains = "research-serving:\n        purpose: training"
    changed = ("research-serving:\n        purpose: inference", trains)
    assert message_of(AskedError, _new, platform_after("serving", changed)) == (
        "--team: research has no namespace of inference, and the Gateway takes routes of "
        "namespaces of inference alone; allowed: assistants"
    )


def test_a_route_needs_a_gateway() -> None:
    with pytest.raises(RenderError, match=r"^the file of training has no Gateway; allowed: "):
        _new(platform_named("training"))


def test_a_pool_needs_a_cluster_that_has_some(platform_after: PlatformWith) -> None:
    without = platform_after("serving", ("  inferencePools: {}\n", ""))
    assert message_of(AskedError, _new, without, backends=["pool/chat"]) == (
        "--to: the file of sample has no InferencePools; allowed: a Service, or a cluster with "
        "serving.inferencePools"
    )


def test_only_a_cluster_with_the_http_add_on_has_servers_that_sleep(
    platform_after: PlatformWith,
) -> None:
    without = platform_after("serving", ("  kedaHttpAddOn: {}\n", ""))
    assert message_of(AskedError, _new, without, cold_start=900) == (
        "--cold-start: the file of sample has no serving.kedaHttpAddOn: nothing sleeps there; "
        "allowed: a cluster with serving.kedaHttpAddOn"
    )


def test_whoever_waits_for_longer_than_a_load_balancer_is_told() -> None:
    told = (
        "load balancers drop a request that waits for longer than 350 seconds for a replica, by "
        "default: the replica starts nonetheless, and clients have to try again"
    )
    assert [told in _new(cold_start=seconds).notes for seconds in (350, 351)] == [False, True]


def test_it_stands_in_a_namespace_of_the_team_with_its_labels() -> None:
    (document,) = _new(
        namespace="research-serving", hostname="c.research.models.example.com"
    ).documents
    assert document["metadata"] == {
        "name": "chat",
        "namespace": "research-serving",
        "labels": {
            "gpuplane.io/team": "research",
            "gpuplane.io/cost-center": "4711",
            "gpuplane.io/project": "research",
        },
    }
    assert document["spec"]["hostnames"] == ["c.research.models.example.com"]


@each_row("explained")
def test_every_field_that_is_decided_has_its_reason(
    fields: dict[str, Any], reasons: list[str]
) -> None:
    (explained,) = _new(**fields).objects
    assert list(map(str, explained.reasons)) == reasons


@each_row("notes")
def test_notes_say_what_the_gateway_does_not(fields: dict[str, Any], notes: list[str]) -> None:
    assert list(_new(**fields).notes) == notes
