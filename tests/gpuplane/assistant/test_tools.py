"""What an assistant is told, by the client of the SDK, and what it is given of many findings.

The SDK is imported late: that takes longer than the imports of all other tests together.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from charts_py.load import load_platform
from gpuplane.assistant.tools import MAX_FINDINGS, bounded_fields
from gpuplane.lint.formats.report_fields import report_fields
from gpuplane.platform_repository import PlatformRepository
from policies.rule_name import rule_page
from policies.rules import RULES
from tests.gpuplane.conftest import fields
from tests.gpuplane.lint.sample_report import ERROR, NOTE, REPORT, WARNING, report

if TYPE_CHECKING:
    from mcp.client import Client
    from mcp.types import CallToolResult, Tool

ROOT = Path(__file__).parents[3]
_FLEET = ROOT / "clusters" / "fleet.yaml"
VERSION = load_platform(ROOT / "clusters" / "onprem.yaml", _FLEET).cluster.version
CLUSTERS = "{}/clusters; allowed: inference, mixed, onprem, training"
POD = """
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: recommendations}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
    - name: web
      image: registry.example.com/web:1.0
      securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
"""


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("platform")
    shutil.copytree(ROOT / "clusters", folder / "clusters")
    cluster = folder / "clusters" / "onprem.yaml"
    # The only version that is copied, also while it is a candidate.
    cluster.write_text(
        re.sub(r"(?m)^live: .*$", f"live: {VERSION}", cluster.read_text("utf-8")), "utf-8"
    )
    shutil.copytree(ROOT / "dist" / "onprem" / VERSION, folder / "dist" / "onprem" / VERSION)
    for file in ("project.yaml", "root-application.yaml", "live-application.yaml"):
        shutil.copyfile(ROOT / "dist" / "onprem" / file, folder / "dist" / "onprem" / file)
    (folder / "pod.yaml").write_text(POD, encoding="utf-8")
    (folder / "link.yaml").symlink_to(ROOT / "examples" / "nvidia-smi.yaml")
    return folder


def _client(repository: Path) -> Client:
    from mcp.client import Client

    from gpuplane.assistant.server import assistant_server

    return Client(assistant_server(PlatformRepository(repository), "1.2.3"))


def _call(repository: Path, tool: str, **arguments: object) -> CallToolResult:
    async def call() -> CallToolResult:
        async with _client(repository) as client:
            return await client.call_tool(tool, arguments)

    return asyncio.run(call())


def _answer(repository: Path, tool: str, **arguments: object) -> Any:
    called = _call(repository, tool, **arguments)
    assert not called.is_error, called.content
    assert called.structured_content is not None
    content: dict[str, Any] = called.structured_content
    return content["result"] if content.keys() == {"result"} else content


def _refusal(repository: Path, tool: str, **arguments: object) -> str:
    from mcp.types import TextContent

    called = _call(repository, tool, **arguments)
    (content,) = called.content
    assert called.is_error
    assert isinstance(content, TextContent)
    return content.text


def _tools(repository: Path) -> list[Tool]:
    async def listed() -> list[Tool]:
        async with _client(repository) as client:
            return (await client.list_tools()).tools

    return asyncio.run(listed())


def test_every_tool_is_described_typed_and_only_reads(repository: Path) -> None:
    tools = _tools(repository)
    assert " ".join(tool.name for tool in tools) == (
        "list_clusters list_pools list_rules explain_rule admit_manifest lint_manifest plan "
        "list_objects read_object diff_versions"
    )
    for tool in tools:
        assert tool.description
        assert tool.output_schema is not None
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        assert all(each.get("description") for each in tool.input_schema["properties"].values())


def test_clusters_are_listed_with_pools_and_namespaces(repository: Path) -> None:
    clusters = _answer(repository, "list_clusters")
    assert clusters[-1] == fields("""
        name: training, provider: eks, region: us-east-1, kubernetes: "1.35",
        version: 1.3.0-rc.1, live: 1.2.0, pools: [a100-mixed, a10g-notebooks, h100, h100-spot],
        namespaces: {
            recommendations: recommendations, research-notebooks: research,
            research-training: research
        }
    """)


@pytest.mark.usefixtures("fixed_prices")
def test_pools_are_listed_with_what_they_offer_and_cost(repository: Path) -> None:
    pools = _answer(repository, "list_pools", cluster="training")
    assert pools[1] == fields("""
        name: a10g-notebooks, gpu: NVIDIA-A10G, gpus_per_node: 4, instance_type: g5.12xlarge,
        purchase: on-demand, min_nodes: 1, max_nodes: 6, sharing: time-slicing,
        resources: {nvidia.com/gpu.shared: 16}, taints: ["nvidia.com/gpu=present:NoSchedule"],
        node_hour: 5.672, currency: USD
    """)


def test_rules_are_listed_and_explained(repository: Path) -> None:
    rules = _answer(repository, "list_rules")
    assert [rule["name"] for rule in rules] == [rule.name for rule in RULES]
    (first, *_) = RULES
    assert _answer(repository, "explain_rule", rule=first.name) == rule_page(first.name)


@pytest.mark.parametrize("given", [{"manifest": POD}, {"path": "pod.yaml"}])
def test_a_manifest_is_admitted_as_on_the_playground(
    repository: Path, given: dict[str, str]
) -> None:
    assert _answer(repository, "admit_manifest", cluster="training", **given) == fields("""
        faults: [], quotas: [], fixed: '', notes: [], unjudged: [], objects: [{
            line: 2, subject: Pod web, namespace: recommendations, allowed: true, findings: [],
            diff: [], pods: []
        }]
    """)


def test_objects_are_listed_and_read_as_they_are_rendered(repository: Path) -> None:
    files = _answer(repository, "list_objects", cluster="onprem")
    file = "priority-classes/PriorityClass.training.yaml"
    assert file in files
    rendered = (repository / "dist" / "onprem" / VERSION / file).read_text(encoding="utf-8")
    assert _answer(repository, "read_object", cluster="onprem", file=file) == rendered


def test_versions_are_compared(repository: Path) -> None:
    (difference,) = _answer(repository, "diff_versions", cluster="onprem")
    assert (difference["added"], difference["removed"], difference["changed"]) == ([], [], [])


@pytest.mark.parametrize(
    ("asked", "arguments", "said"),
    [
        ("list_pools trainin", {}, f'unknown cluster "trainin" in {CLUSTERS}; nearest: training'),
        ("list_objects ../clusters", {}, f'unknown cluster "../clusters" in {CLUSTERS}'),
        (
            "diff_versions ../dist/onprem",
            {},
            (
                'unknown cluster "../dist/onprem"; allowed: inference, mixed, onprem, training; '
                "nearest: onprem"
            ),
        ),
        (
            "list_objects onprem",
            {"version": "../../.."},
            'unknown version "../../.." in {}/dist/onprem; allowed: ' + VERSION,
        ),
        (
            "read_object onprem",
            {"file": "../../../pod.yaml"},
            'unknown file "../../../pod.yaml"; allowed: those that list_objects has',
        ),
        (
            "lint_manifest training",
            {"path": ".git/config"},
            ".git/config:1: is hidden; allowed: a manifest",
        ),
        (
            "lint_manifest training",
            {"path": "a\0b"},
            "a\\0b:1: holds a NUL; allowed: a path in the repository",
        ),
        *(
            (
                "admit_manifest training",
                {"path": path},
                f"{path}:1: is outside of the platform repository; allowed: a path in it",
            )
            for path in ("../pod.yaml", "/etc/passwd", "link.yaml")
        ),
        (
            "admit_manifest training",
            {"path": "none.yaml"},
            "{}/none.yaml: No such file or directory",
        ),
        ("admit_manifest training", {}, "give a manifest, or the path of one"),
    ],
)
def test_what_is_wrong_is_told_in_the_words_of_the_command_line(
    repository: Path, asked: str, arguments: dict[str, str], said: str
) -> None:
    tool, cluster = asked.split()
    told = f"Error executing tool {tool}: {said.replace('{}', str(repository))}"
    assert _refusal(repository, tool, cluster=cluster, **arguments) == told


def test_an_argument_that_a_tool_does_not_have_is_refused(repository: Path) -> None:
    told = 'unknown argument "cluster" in plan; allowed: clusters, base; nearest: clusters'
    assert _refusal(repository, "plan", cluster=["onprem"]) == told


def test_a_manifest_is_linted_at_line_and_column(repository: Path) -> None:
    job = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, namespace: research-training}
spec:
  backoffLimit: 0
  template:
    spec:
      containers: [{name: train, image: train:1, resources: {limits: {nvidia.com/gpu: 1}}}]
"""
    found = _answer(repository, "lint_manifest", cluster="training", manifest=job)
    told = [(each["line"], each["column"], each["rule"]) for each in found["items"]]
    assert (4, 1, "job-ttl") in told
    assert found["gpuWorkloads"] == {"Job": 1}


def test_the_bound_on_findings_is_in_the_description(repository: Path) -> None:
    (lint,) = [each for each in _tools(repository) if each.name == "lint_manifest"]
    assert f"At most {MAX_FINDINGS} findings are listed" in (lint.description or "")


def test_a_plan_says_what_promoting_does(repository: Path) -> None:
    answer = _answer(repository, "plan", clusters=["onprem"])
    assert answer["summary"].startswith(
        f"onprem {VERSION} is live and rendered alike; to see what "
    )
    assert answer["unchanged"] == []


def test_of_more_findings_than_fit_the_worst_are_listed_and_the_others_counted() -> None:
    fields = bounded_fields(report(*(NOTE for _ in range(MAX_FINDINGS)), WARNING, ERROR))
    listed = [(each["severity"], each["rule"]) for each in fields["items"]]
    notes = [("note", "team-rule")] * (MAX_FINDINGS - 2)
    assert listed == [("error", "host-ipc"), ("warning", "memory-limit"), *notes]
    assert fields["more"] == 2
    assert fields["counts"] == {"error": 1, "warning": 1, "note": MAX_FINDINGS}


def test_what_fits_is_all_there() -> None:
    fields = bounded_fields(REPORT)
    everything = report_fields(REPORT)
    assert fields.pop("more") == 0
    by_rule = sorted(fields.pop("items"), key=lambda each: str(each["rule"]))
    assert by_rule == sorted(everything.pop("items"), key=lambda each: str(each["rule"]))
    assert fields == everything
