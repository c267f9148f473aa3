"""Through the API server, the webhook says what the rules' pages and `gpuplane admit` say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from policies.rule_name import RuleName
from tests.e2e.claims.cluster import RenderRelease
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.manifest import runtime_class
from tests.e2e.releases.objects import applied, namespace, read_release
from tests.e2e.scheduling.gpu_pods import plain_pod
from tests.e2e.webhook.policy_problems import Outcome, admitted_by_tool, fixed_of, problems
from tests.e2e.webhook.registration import DENIED_BY_WEBHOOK, ServeWebhook

CLUSTERS = ("training", "onprem")
"""In whose namespaces the problems of the pages stand."""
OF_NO_EXAMPLE = {RuleName.HOST_ARCHITECTURE, RuleName.POD_SECURITY, RuleName.QUEUE_SCHEDULER}
"""Their pages are of a cluster with arm64 machines, and of one with queues of Volcano."""
TEAM = "research-training"
REFUSED_BEFORE = {
    RuleName.GPU_COUNT: [
        "spec.containers[0].resources.limits[nvidia.com/gpu]",
        "spec.containers[0].resources.requests[nvidia.com/gpu]",
    ]
}
"""Fields that the API server refuses of itself, between the two webhooks; how it shows their values
depends on its version."""
OTHER_REFUSALS: dict[RuleName, Document] = {
    RuleName.GRANTED_POOLS: {"spec": {"nodeSelector": {"gpuplane.io/pool": "a100-mixed"}}},
    RuleName.NODE_AFFINITY: {"metadata": {"annotations": {"gpuplane.io/gpu-model": "h900"}}},
    RuleName.TOLERATIONS: {"spec": {"nodeSelector": {"gpuplane.io/pool": "h100-spot"}}},
    RuleName.PRIORITY_CLASS: {"spec": {"priorityClassName": "system"}},
    RuleName.TEAM_LABELS: {"metadata": {"labels": {"gpuplane.io/team": "search"}}},
    RuleName.VISIBLE_DEVICES: {
        "spec": {
            "containers": [
                {
                    "name": "main",
                    "image": "registry.example.com/web:1.0",
                    "env": [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}],
                }
            ]
        }
    },
}
"""What rules that fix refuse, in place of what stands in a plain pod; no page has these."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A cluster whose webhook is in the path, with the problems that are of it."""

    name: str
    problems: dict[RuleName, Document]


@pytest.fixture(scope="module")
def reviewed(
    request: pytest.FixtureRequest,
    admin: ApiClient,
    render_release: RenderRelease,
    platforms: dict[str, Platform],
    serve_webhook: ServeWebhook,
) -> Iterator[Reviewed]:
    """A cluster in whose namespaces there is nothing but the webhook to refuse a pod.

    The tool knows it by its file, so that its release is rendered from that, too.
    """
    name = request.param
    release = render_release(name, Admission.WEBHOOK_ONLY)
    found = problems(platforms[name])
    namespaces = map(namespace, sorted({pod["metadata"]["namespace"] for pod in found.values()}))
    objects = [*read_release(release, "priority-classes"), runtime_class("nvidia"), *namespaces]
    with applied(admin, objects), serve_webhook(release):
        yield Reviewed(name, found)


def admitted_by_server(client: ApiClient, pod: Document) -> Outcome:
    try:
        answer = client.create(pod, dryRun="All")
    except ApiError as error:
        message = error.message.partition(DENIED_BY_WEBHOOK)[2] or error.message
        return Outcome(denial=message, warnings=error.answer.warnings)
    return Outcome(fixed=fixed_of(answer.document), warnings=answer.warnings)


def fields_in(refused: Outcome) -> list[str]:
    return re.findall(r"(spec\.[^:]+): Invalid value", refused.denial or "")


@pytest.mark.parametrize("reviewed", CLUSTERS, indirect=True, scope="module")
def test_every_rule_says_through_the_api_server_what_the_tool_says(
    admin: ApiClient, reviewed: Reviewed, tmp_path: Path, evidence: Evidence
) -> None:
    pods = reviewed.problems
    said = admitted_by_tool(reviewed.name, list(pods.values()), tmp_path)
    by_tool = dict(zip(pods, said, strict=True))
    by_server = {rule: admitted_by_server(admin, pod) for rule, pod in pods.items()}
    before = {rule: fields for rule, fields in REFUSED_BEFORE.items() if rule in pods}
    assert {rule: fields_in(by_server.pop(rule)) for rule in before} == before
    assert by_server == {rule: by_tool[rule] for rule in by_server}
    denied = sum(outcome.denial is not None for outcome in by_server.values())
    evidence.show(
        f"Through the API server, the rules say of the problems on their pages what "
        f"gpuplane admit says ({reviewed.name}).",
        f"{len(by_server)} rules: {denied} pods refused and {len(by_server) - denied} admitted, "
        "with the same messages, warnings and fixes",
    )


@pytest.mark.parametrize("reviewed", ["training"], indirect=True, scope="module")
def test_rules_that_fix_refuse_what_they_cannot(
    admin: ApiClient, reviewed: Reviewed, tmp_path: Path, evidence: Evidence
) -> None:
    pods = [changed(plain_pod("other", TEAM), change) for change in OTHER_REFUSALS.values()]
    by_tool = admitted_by_tool(reviewed.name, pods, tmp_path)
    assert [admitted_by_server(admin, pod) for pod in pods] == by_tool
    refused_by = [(outcome.denial or "").partition(":")[0] for outcome in by_tool]
    assert refused_by == list(OTHER_REFUSALS)
    evidence.show(
        "A rule that fixes refuses, with its message, what it cannot fix.",
        f"{len(pods)} pods refused by {', '.join(refused_by)}",
    )


def changed(pod: Document, change: Document) -> Document:
    return {part: {**pod[part], **change.get(part, {})} for part in ("metadata", "spec")} | {
        "apiVersion": pod["apiVersion"],
        "kind": pod["kind"],
    }


def test_every_page_is_of_a_cluster_here(platforms: dict[str, Platform]) -> None:
    found = [rule for name in CLUSTERS for rule in problems(platforms[name])]
    assert sorted(found) == sorted(set(RuleName) - OF_NO_EXAMPLE)
