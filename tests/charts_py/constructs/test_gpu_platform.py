import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from cdk8s import App, Chart, YamlOutputType

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import RenderError, SpecError
from charts_py.cluster_file.pool import Purpose
from charts_py.constructs.gpu_platform import GpuPlatform
from charts_py.constructs.props import EksSettings, GitOps, Members, NodeRange, Quota
from charts_py.constructs.render import render
from charts_py.objects.document import Document, key_of, keys_of
from charts_py.objects.kube_object import documents_of
from charts_py.platform.platform import Platform
from gpus.provider import Provider
from gpus.purchase import Purchase
from tests.charts_py.constructs.placeholder import PLACEHOLDER
from tests.charts_py.fixture_types import Load
from tests.conftest import CLUSTERS

EXAMPLES = sorted(each.stem for each in CLUSTERS.glob("*.yaml") if each.name != FLEET_FILE)
PAGE = Path(__file__).parents[3] / "docs" / "extending.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)

IGNORED = pytest.mark.filterwarnings(
    "ignore::charts_py.constructs.platform_warning.PlatformWarning"
)
FAULTS = (
    (
        'colour: unknown field "colour"; allowed: owner, cost_center, project, budget, members, '
        "priorities, share, namespaces"
    ),
    "cost_center: missing; allowed: a string such as ml-4711",
    "members: missing; allowed: Members with any of users, viewers, admins",
    'owner: "nobody" has the wrong format; allowed: a string such as ml-platform@example.com',
    "priorities: missing; allowed: a list such as [training, batch]",
)
"""What is wrong with a team of the owner `nobody` and the colour `red`."""
_NAMESPACES: dict[str, Any] = {
    "given": {
        "purpose": Purpose.BATCH,
        "quota": Quota(gpus={"one": 1}, cpu="1", memory="1Gi", storage="1Gi"),
    }
}
_TEAM: dict[str, Any] = {
    "owner": "leads@example.com",
    "cost_center": "4711",
    "members": Members(users=("all",)),
    "priorities": ("batch",),
}
"""The fields of a team that has its namespaces added."""
_PARTS: dict[str, tuple[str, dict[str, Any]]] = {
    "add_pool": (
        "pools",
        {"instance_type": "g6.2xlarge", "purpose": Purpose.BATCH, "nodes": NodeRange(max=1)},
    ),
    "add_team": ("teams", {**_TEAM, "namespaces": _NAMESPACES}),
}
"""What adds a part, the field that holds such parts, and the fields of one."""


def _typed(scope: Chart, **fields: Any) -> GpuPlatform:
    return GpuPlatform(
        scope,
        "training",
        provider=Provider.EKS,
        region="us-east-1",
        kubernetes="1.35",
        version="1.0.0",
        eks=EksSettings(cluster_name="training", node_role="training-gpu-nodes"),
        gitops=GitOps(repository="https://github.com/example/gpu-platform.git"),
        **fields,
    )


def _add_l4(platform: GpuPlatform) -> None:
    platform.add_pool(
        "l4", instance_type="g6.2xlarge", purpose=Purpose.BATCH, nodes=NodeRange(max=1)
    )


def _sorted(documents: Iterable[Document]) -> list[Document]:
    return sorted(documents, key=lambda each: (key_of(each), str(each)))


@pytest.fixture
def chart(tmp_path: Path) -> Chart:
    return Chart(App(outdir=str(tmp_path / "dist")), "training")


@pytest.fixture
def platform(chart: Chart) -> GpuPlatform:
    return _typed(chart)


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_makes_the_objects_that_are_rendered_for_its_file(
    name: str, example: Load, chart: Chart
) -> None:
    GpuPlatform.from_file(chart, "platform", CLUSTERS / f"{name}.yaml")
    rendering = render(example(name))
    rendered = [each for folder in rendering.folders.values() for each in folder]
    assert _sorted(documents_of(chart)) == _sorted([*rendered, rendering.project])


@IGNORED
def test_typed_fields_make_the_objects_of_the_same_fields_in_a_file(
    chart: Chart, platform: GpuPlatform, platform_of: Load
) -> None:
    h100 = platform.add_pool(
        "h100",
        instance_type="p5.48xlarge",
        purpose=Purpose.TRAINING,
        nodes=NodeRange(min=4, max=16),
        purchase=Purchase.RESERVED,
        reservation="cr-0123456789abcdef0",
    )
    research = platform.add_team(
        "research",
        owner="research-leads@example.com",
        cost_center="4711",
        members=Members(users=("ml-research",)),
        priorities=("training", "batch"),
    )
    quota = Quota(gpus={h100.name: 96}, cpu="3000", memory="30Ti", storage="200Ti")
    name = research.add_namespace("research-training", purpose=Purpose.TRAINING, quota=quota)
    assert (name, research.namespaces) == ("research-training", ("research-training",))
    read = platform_of(
        """\
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
eks: {clusterName: training, nodeRole: training-gpu-nodes}
gitops: {repository: https://github.com/example/gpu-platform.git}
pools:
  h100:
    instanceType: p5.48xlarge
    purpose: training
    nodes: {min: 4, max: 16}
    purchase: reserved
    reservation: cr-0123456789abcdef0
teams:
  research:
    owner: research-leads@example.com
    costCenter: "4711"
    members: {users: [ml-research]}
    priorities: [training, batch]
    namespaces:
      research-training:
        purpose: training
        quota: {gpus: {h100: 96}, cpu: "3000", memory: 30Ti, storage: 200Ti}
"""
    )
    same = Chart(App(), "same")
    GpuPlatform(same, "platform", facts=read)
    written = str(documents_of(same)).replace(read.name, "training")
    assert str(documents_of(chart)) == written


def test_facts_follow_what_was_added_so_far(platform: GpuPlatform) -> None:
    a100 = platform.add_pool(
        "a100",
        instance_type="p4d.24xlarge",
        purpose=Purpose.BATCH,
        nodes=NodeRange(max=4),
        purchase=Purchase.SPOT,
    )
    assert [str(taint) for taint in a100.taints] == [
        "nvidia.com/gpu=present:NoSchedule",
        "gpuplane.io/purchase=spot:NoSchedule",
    ]
    assert [each["key"] for each in a100.tolerations] == [each.key for each in a100.taints]
    assert a100.resource_name == "nvidia.com/gpu"
    assert a100.labels["gpuplane.io/pool"] == "a100"
    _add_l4(platform)
    assert [pool.name for pool in platform.facts.pools] == ["a100", "l4"]


def test_faults_keep_the_app_from_writing_anything(
    chart: Chart, platform: GpuPlatform, tmp_path: Path
) -> None:
    platform.add_pool(
        "h100", instance_type="p5.48xlarge", purpose=Purpose.TRAINING, nodes=NodeRange(max=1)
    )
    for team in ("research", "search"):
        platform.add_team(team, **_TEAM)
    empty = "namespaces: empty; allowed: a mapping with at least 1 entry"
    for _ in range(2):
        with pytest.raises(RuntimeError) as caught:
            App.of(chart).synth()
        assert [line.strip() for line in str(caught.value).splitlines()[1:]] == [
            f"[training/training] teams.{team}.{empty}" for team in ("research", "search")
        ]
    assert not [*(tmp_path / "dist").glob("*")]


@IGNORED
def test_what_is_missing_can_be_added_after_it_was_told(
    chart: Chart, platform: GpuPlatform
) -> None:
    with pytest.raises(SpecError) as caught:
        platform.build()
    fault = "training: pools: empty; allowed: a mapping with at least 1 entry"
    assert str(caught.value) == fault
    _add_l4(platform)
    assert documents_of(chart)


def test_a_pool_tells_what_is_wrong_with_it_at_once(platform: GpuPlatform) -> None:
    with pytest.raises(SpecError) as caught:
        platform.add_pool(
            "h100",
            purpose="train",  # type: ignore[arg-type]
            nodes=NodeRange(max=1),
        )
    assert str(caught.value) == (
        'training: pools.h100.purpose: unknown "train"; allowed: training, inference, batch,'
        " notebooks; nearest: training"
    )


def test_a_team_tells_what_is_wrong_with_it_at_once(platform: GpuPlatform) -> None:
    with pytest.raises(SpecError) as caught:
        platform.add_team("research", owner="nobody", colour="red")  # type: ignore[call-arg]
    assert [str(each) for each in caught.value.faults] == [
        f"training: teams.research.{fault}" for fault in FAULTS
    ]
    assert platform.add_team("research", **_TEAM).namespaces == ()


@pytest.mark.parametrize(
    ("namespaces", "what"), [(5, "5 is a number"), (None, "no value is given")]
)
def test_a_team_tells_what_is_wrong_with_its_namespaces(
    namespaces: Any, what: str, platform: GpuPlatform
) -> None:
    with pytest.raises(SpecError) as caught:
        platform.add_team("research", **{**_TEAM, "namespaces": namespaces})
    assert str(caught.value) == (
        f"training: teams.research.namespaces: {what}; allowed: a mapping with at least 1 entry"
    )


@pytest.mark.parametrize("add", ["add_pool", "add_team"])
@pytest.mark.parametrize("is_given", [False, True])
def test_a_second_part_of_a_name_is_refused(add: str, is_given: bool, chart: Chart) -> None:
    kind, fields = _PARTS[add]
    platform = _typed(chart, **({kind: {"one": fields}} if is_given else {}))
    if not is_given:
        getattr(platform, add)("one", **fields)
    with pytest.raises(SpecError) as caught:
        getattr(platform, add)("one", **fields)
    fault = f"training: {kind}.one: already exists; allowed: another name"
    assert str(caught.value) == fault


def test_a_second_namespace_of_a_name_is_refused(platform: GpuPlatform) -> None:
    (given,), (_, fields) = _NAMESPACES, _PARTS["add_team"]
    team = platform.add_team("one", **fields)
    team.add_namespace("added", **_NAMESPACES[given])
    for name in ("added", given):
        with pytest.raises(SpecError) as caught:
            team.add_namespace(name, **_NAMESPACES[given])
        fault = f"teams.one.namespaces.{name}: already exists; allowed: another name"
        assert str(caught.value) == f"training: {fault}"
    assert team.namespaces == (given, "added")


def test_a_namespace_of_another_team_is_refused(platform: GpuPlatform) -> None:
    (_, fields) = _PARTS["add_team"]
    platform.add_team("one", **fields)
    with pytest.raises(SpecError) as caught:
        platform.add_team("other", **_TEAM).add_namespace("given", **_NAMESPACES["given"])
    assert str(caught.value) == (
        'training: teams.other.namespaces.given: namespace "given" already belongs to team one; '
        "allowed: one team per namespace"
    )


@pytest.mark.parametrize(
    ("team", "problem"),
    [
        ({}, "teams.ml.namespaces: missing; allowed: a mapping with at least 1 entry"),
        ("x", 'teams.ml: "x" is a string; allowed: Team with '),
        (None, "teams.ml: no value is given; allowed: Team with "),
    ],
)
def test_a_wrong_team_is_told_though_parts_were_added(
    chart: Chart, team: object, problem: str
) -> None:
    platform = _typed(chart, teams={"ml": team})
    (_, fields) = _PARTS["add_pool"]
    platform.add_pool("one", **fields)
    with pytest.raises(SpecError) as caught:
        _ = platform.facts
    assert f"training: {problem}" in str(caught.value)


def test_a_name_that_no_cluster_can_have_is_told(chart: Chart) -> None:
    with pytest.raises(SpecError) as caught:
        _ = _typed(chart, name="1x").facts
    assert '"1x" is not a valid name for a cluster' in str(caught.value)


def test_fields_without_a_name_are_refused(platform: GpuPlatform) -> None:
    with pytest.raises(TypeError) as caught:
        platform.add_pool("h100", "p5.48xlarge", purpose=Purpose.TRAINING, nodes=NodeRange(max=1))  # type: ignore[call-arg]
    assert str(caught.value) == (
        "add_pool: 1 argument without a name; allowed: each field by its name"
    )


def test_fields_beside_facts_are_refused(example: Load, chart: Chart) -> None:
    with pytest.raises(TypeError) as caught:
        GpuPlatform(chart, "platform", facts=example("training"), region="us-east-2", pools={})
    assert str(caught.value) == (
        "training: region, pools beside facts; allowed: either facts or fields"
    )


def test_what_comes_too_late_is_refused(chart: Chart, platform: GpuPlatform) -> None:
    _add_l4(platform)
    platform.build()
    with pytest.raises(RenderError) as caught:
        platform.add_team("research")
    assert str(caught.value) == (
        "training: teams.research comes too late: the platform is made already"
    )
    read = GpuPlatform.from_file(chart, "read", CLUSTERS / "training.yaml")
    with pytest.raises(RenderError) as caught:
        read.add_pool("l4", purpose=Purpose.BATCH, nodes=NodeRange(max=1))
    assert str(caught.value) == (
        "training: pools.l4 comes too late: the platform is described by a file"
    )


def test_a_file_that_is_not_there_is_refused(chart: Chart) -> None:
    with pytest.raises(RenderError) as caught:
        GpuPlatform.from_file(chart, "platform", CLUSTERS / "trainin.yaml")
    assert str(caught.value) == (
        f'unknown cluster "trainin" in {CLUSTERS}; allowed: {", ".join(EXAMPLES)}; '
        "nearest: training"
    )
    with pytest.raises(RenderError) as caught:
        GpuPlatform.from_file(chart, "platform", CLUSTERS / "training.yaml", fleet="nope")
    assert str(caught.value) == "nope: no such file; allowed: a file with what clusters share"
    with pytest.raises(FileNotFoundError) as missing:
        GpuPlatform.from_file(chart, "platform", CLUSTERS / "nowhere" / "training.yaml")
    assert str(missing.value) == (
        f"{CLUSTERS / 'nowhere'}: no such folder; allowed: a folder of cluster files"
    )


def test_without_folders_the_applications_of_charts_stay(example: Load, chart: Chart) -> None:
    facts, other = example("training"), Chart(App(), "training")
    GpuPlatform(chart, "platform", facts=facts)
    GpuPlatform(other, "platform", facts=facts, syncs_folders=False)
    left = documents_of(other)
    omitted = set(keys_of(documents_of(chart))) - set(keys_of(left))
    assert {each.kind for each in omitted} == {"Application"}
    sources = [each["spec"]["source"] for each in left if each["kind"] == "Application"]
    assert "gpu-operator" in [source["helm"]["releaseName"] for source in sources]


def _in_one_file(facts: Platform, chart: Chart) -> tuple[GpuPlatform, list[Document]]:
    platform = GpuPlatform(chart, "platform", facts=facts, syncs_folders=False)
    return platform, list(documents_of(chart))


def test_in_one_file_charts_are_installed_beside_what_waits_for_their_kinds(
    example: Load, chart: Chart
) -> None:
    _, documents = _in_one_file(example("training"), chart)
    found: dict[str, list[Mapping[str, str]]] = {}
    for each in documents:
        found.setdefault(each["kind"], []).append(each["metadata"].get("annotations", {}))
    assert found["Application"]
    for kind in ("Application", "Namespace", "ClusterQueue", "NodePool", "Issuer"):
        assert not any("argocd.argoproj.io/sync-wave" in each for each in found[kind])
    for kind in ("ClusterQueue", "Issuer", "Certificate"):
        assert {each["argocd.argoproj.io/sync-options"] for each in found[kind]} == {
            "SkipDryRunOnMissingResource=true"
        }
    # A namespace of a team, and a pool, keep what their removal asks for.
    for kind in ("Namespace", "NodePool"):
        assert "Delete=confirm,Prune=confirm,SkipDryRunOnMissingResource=true" in {
            each.get("argocd.argoproj.io/sync-options") for each in found[kind]
        }


@pytest.mark.parametrize(
    ("name", "kinds"), [("inference", {"ContainerNodePool"}), ("mixed", set[str]())]
)
def test_in_one_file_a_platform_tells_what_its_applications_ignored(
    name: str, kinds: set[str], example: Load, chart: Chart
) -> None:
    platform, _ = _in_one_file(example(name), chart)
    assert {each["kind"] for each in platform.ignore_differences} == {
        *kinds,
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    }
    folders = GpuPlatform(Chart(App(), "folders"), "platform", facts=example(name))
    folders.build()
    assert folders.ignore_differences == ()


def test_directly_in_an_app_each_component_is_a_chart(example: Load, tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path), yaml_output_type=YamlOutputType.FILE_PER_CHART)
    platform = GpuPlatform(app, "training", facts=example("training"))
    app.synth()
    files = {file.name.removesuffix(".k8s.yaml"): file for file in tmp_path.iterdir()}
    assert files.keys() == platform.parts.keys()
    written = yaml.safe_load_all(files["gpu-sharing"].read_text(encoding="utf-8"))
    assert [*written] == [each.document for each in platform.parts["gpu-sharing"]]


def test_a_cluster_may_be_called_as_a_component_is(example: Load) -> None:
    usual = example("training")
    called = render(replace(usual, name="priority-classes"))
    assert called.folders["priority-classes"] == render(usual).folders["priority-classes"]


def test_an_app_has_a_component_once(example: Load) -> None:
    app = App()
    GpuPlatform(app, "training", facts=example("training")).build()
    with pytest.raises(RenderError) as caught:
        GpuPlatform(app, "other", facts=example("training")).build()
    assert str(caught.value) == (
        "training: the App has a construct kueue-namespace already; "
        "allowed: the platform in a Chart of its own"
    )


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_on_the_page_write_their_objects(block: str, tmp_path: Path) -> None:
    # Node writes below the folder that it was started in.
    environment = {"PYTHONPATH": str(PAGE.parents[1]), "PATH": ""}
    command = [sys.executable, "-c", block]
    ran = subprocess.run(
        command, check=True, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
    )
    (file,) = (tmp_path / "dist").iterdir()
    kinds = Counter(each["kind"] for each in yaml.safe_load_all(file.read_text(encoding="utf-8")))
    node_pools = {"training": "NodePool", "lab": "NodeFeatureRule"}[file.name.partition(".")[0]]
    told = [line.partition("PlatformWarning: ")[2] for line in ran.stderr.splitlines()[::2]]
    engine = (
        "training: network.policy_engine: not stated, so that the NetworkPolicies of 1 namespace "
        "may be ignored, and the pods of all teams reach each other; allowed: what enforces them "
        "here: vpc-cni, calico, cilium"
    )
    assert told == ([engine, f"training: {PLACEHOLDER}"] if "GpuPlatform" in block else [])
    assert kinds[node_pools] > 0
    assert kinds["PriorityClass"] > 0
