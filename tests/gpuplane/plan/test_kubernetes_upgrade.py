"""What comes with another minor version of Kubernetes, for each way of making nodes."""

import datetime as dt
from pathlib import Path
from typing import NamedTuple

import pytest

from charts_py.components.chart import known_chart
from charts_py.providers.registry import PROVIDERS
from gpuplane.fleet_report.fleet_page import report_of
from gpuplane.plan.cluster_clauses import order_clauses
from gpuplane.plan.effect import Verdict
from gpuplane.plan.headline import headline
from gpuplane.plan.json_format import plan_fields
from gpuplane.plan.kubernetes_upgrade import (
    Controller,
    KubernetesUpgrade,
    _tables,
    controllers,
    supported,
)
from gpuplane.plan.part import Part
from gpuplane.plan.plan import Plan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.planned_objects import upgraded_objects
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.plan.version_bump import Step, VersionBump
from gpuplane.versions.base import find_base
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.plan.single_change import placed
from tests.gpuplane.versions.conftest import Repository, new_repository
from tests.gpuplane.versions.rendered_versions import write_version
from upstream.lock import locked_chart

TODAY = dt.date(2026, 11, 24)
CLUSTER = """\
kubernetes: "{kubernetes}"
version: {version}
gitops: {{repository: https://git.example.com/platform.git}}
{provider}
"""
EKS = """\
provider: eks
region: us-east-1
eks: {clusterName: train, nodeRole: nodes, imageRelease: %s}
driver: {owner: %s}
pools: {h100: {instanceType: p5.48xlarge, purpose: batch, nodes: {max: 4}}}
"""
EKSCTL = """\
provider: eks
region: us-east-1
eks: {clusterName: train, provisioner: eksctl}
pools: {h100: {instanceType: p5.48xlarge, purpose: batch, nodes: {max: 4}, zones: [us-east-1a]}}
"""
GKE = """\
provider: gke
region: us-east1
gke: {project: example-train, clusterName: train, location: us-east1%s}
pools: {h100: {instanceType: a2-ultragpu-8g, purpose: batch, nodes: {max: 4%s}}}
"""
AKS = """\
provider: aks
region: westeurope
aks:
  subscription: 00000000-0000-0000-0000-000000000000
  resourceGroup: gpus
  clusterName: train
pools: {h100: {instanceType: Standard_ND96isr_H100_v5, purpose: batch, nodes: {max: 4}}}
"""
ONPREM = """\
provider: onprem
region: datacenter-1
pools: {h100: {gpu: H100-SXM, gpus: 8, cpu: 192, memory: 2Ti, purpose: batch, nodes: {max: 4}}}
"""
NODE_POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  disruption: {budgets: [{nodes: "%s"}]}
  template:
    metadata: {labels: {gpuplane.io/pool: h100}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: h100}
      terminationGracePeriod: 55m
"""
NODE_CLASS = """\
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: h100}
spec: {amiSelectorTerms: [{%s}]}
"""
GKE_POOL = """\
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: h100}
spec:
  management: {autoUpgrade: %s}
  upgradeSettings: {maxSurge: 0, maxUnavailable: 1}
  nodeConfig: {labels: {gpuplane.io/pool: h100}}
"""
COMPUTE_CLASS = """\
apiVersion: cloud.google.com/v1
kind: ComputeClass
metadata: {name: h100}
spec: {nodePoolConfig: {nodeLabels: {gpuplane.io/pool: h100}}}
"""
FEATURE_RULE = """\
apiVersion: nfd.k8s-sigs.io/v1alpha1
kind: NodeFeatureRule
metadata: {name: h100}
spec: {rules: [{name: h100, labels: {gpuplane.io/pool: h100}}]}
"""
AKS_POOL = """\
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {name: h100}
spec:
  nodeLabels: {gpuplane.io/pool: h100}
  upgradeSettings: {maxSurge: "1", drainTimeoutInMinutes: 60}
"""
NODE_GROUPS = """\
apiVersion: eksctl.io/v1alpha5
kind: ClusterConfig
metadata: {name: train}
managedNodeGroups: [{name: h100, labels: {gpuplane.io/pool: h100}}]
"""
ALIAS = NODE_CLASS % "alias: al2023@v20260714"


class Played(NamedTuple):
    """A cluster whose file names the next minor version, and what its plan says of that."""

    provider: str
    objects: tuple[str, ...]
    says: str
    """The first sentence of the plan."""
    reason: str
    nodes: str
    """The third step."""
    commands: tuple[str, ...]


AWS = "aws eks update-cluster-version --region us-east-1 --name train --kubernetes-version 1.36"
EKSCTL_COMMAND = (
    "eksctl upgrade nodegroup --region us-east-1 --cluster train --name h100 "
    "--kubernetes-version 1.36"
)
GCLOUD = (
    "gcloud container clusters upgrade train --project example-train --location us-east1 --master "
    "--cluster-version 1.36"
)
AZ = (
    "az aks upgrade --resource-group gpus --name train --control-plane-only "
    "--kubernetes-version 1.36"
)
AZ_POOL = (
    "az aks nodepool upgrade --resource-group gpus --cluster-name train --name h100 "
    "--kubernetes-version 1.36"
)
VERSIONS = "kubectl get nodes --label-columns gpuplane.io/pool"
CLAIMS = "kubectl get nodeclaims --selector gpuplane.io/pool=h100 --watch"
NODES = "kubectl get nodes --selector gpuplane.io/pool=h100 --watch"
SKEW = (
    " A kubelet may be three minor versions older than the API server, and never newer "
    "(https://kubernetes.io/releases/version-skew-policy/)."
)
ONCE = "merge it only once the control plane of lab runs 1.36; no GPU is out; "
DISTURBED = f"Disruptive: running workloads are disturbed; {ONCE}"
MOVED = (
    f"{DISTURBED}once the control plane runs 1.36, pods on 0 to 32 GPUs of lab/h100 move to new "
    "nodes, which come first, over 0 to "
)
SAME = (
    "the API server judges pods on lab by policies of its own where the webhook does not answer; "
    "what nodes cost stays the same."
)
UNTOUCHED = f"Safe: nothing that runs is touched; {ONCE}{SAME}"
LOOKED_UP = (
    "Once the control plane runs 1.36, the alias means the image of that release for 1.36: all "
    "nodes drift, and are replaced within the budgets of their NodePools. Where there is no such "
    "image, they stay, new nodes start with the old one, and none starts once the node class "
    "changes."
)
OWN_IMAGE = (
    "Its nodes keep their image, whatever the control plane runs, until the terms of the node "
    "class select another one. Make that live only once the control plane runs 1.36: no kubelet "
    "may be newer."
)
KARPENTER = (
    "Karpenter replaces the nodes as listed. One that its budgets or its pods hold keeps its "
    "kubelet: delete its NodeClaim in time."
)
AUTO_UPGRADE = (
    "Once the control plane runs 1.36, GKE upgrades the nodes, too, by itself and within the "
    "maintenance windows, as many at once as upgradeSettings says."
)
MADE_BY_GKE = (
    "Once the control plane runs 1.36, GKE upgrades the nodes of the pools that it made, too, by "
    "itself and within the maintenance windows, one more before one goes."
)
BY_GKE = "GKE upgrades the nodes as listed; upgrade those of queued pools yourself."
BY_AKS = (
    "az aks upgrade, and a channel of automatic upgrades, replace the nodes after the control "
    "plane; with --control-plane-only they stay until the pool is upgraded by itself."
)
ALIASED = Played(
    EKS % ("{release}", "image"),
    (NODE_POOL % "1", ALIAS),
    f"{MOVED}4 hours; {SAME}",
    LOOKED_UP,
    KARPENTER,
    (AWS, VERSIONS, CLAIMS),
)
OWN_IMAGES = ALIASED._replace(
    provider=EKS % ('"20260707"', "operator"),
    objects=(NODE_POOL % "1", NODE_CLASS % "id: ami-0123456789abcdef0"),
    says=UNTOUCHED,
    reason=OWN_IMAGE,
    commands=(AWS, VERSIONS),
)
BY_EKSCTL = Played(
    EKSCTL,
    (NODE_GROUPS,),
    f"{MOVED}80 minutes; {SAME}",
    "Node groups keep their version until somebody runs eksctl upgrade nodegroup: EKS then adds "
    "nodes, drains the old ones one after another, and fails where pods do not leave one within "
    "15 minutes.",
    "Upgrade each node group: EKS adds nodes, and drains the old ones one after another.",
    (AWS, EKSCTL_COMMAND, NODES),
)
BY_ITSELF = Played(
    GKE % ("", ""),
    (GKE_POOL % "true",),
    f"{DISTURBED}once the control plane runs 1.36, 0 to 8 GPUs of lab/h100 are out at once, for "
    f"0 to 4.3 hours; {SAME}",
    AUTO_UPGRADE,
    BY_GKE,
    (GCLOUD, VERSIONS, NODES),
)
OWN_MACHINES = Played(
    ONPREM,
    (FEATURE_RULE,),
    f"{DISTURBED}once the control plane runs 1.36, 0 to 8 GPUs of lab/h100 are out at once, for "
    f"an unbounded time; {SAME}",
    "Nothing upgrades its machines by itself: somebody drains one after another, upgrades its "
    "kubelet, and uncordons it, before the control plane is more than three minor versions newer.",
    "Drain one machine after another, upgrade its kubelet, and uncordon it: its GPUs are out "
    "meanwhile.",
    (VERSIONS, NODES),
)
ON_AKS = Played(
    AKS,
    (AKS_POOL,),
    f"{MOVED}4.3 hours; {SAME}",
    BY_AKS,
    "Upgrade one pool after the other; each adds spare nodes first, but for spot pools, whose pods "
    "are stopped.",
    (AZ, AZ_POOL, NODES),
)
PLAYED = {
    "an alias of Amazon Linux, by Karpenter": ALIASED,
    "an alias, where budgets hold each node": ALIASED._replace(
        objects=(NODE_POOL % "0", ALIAS),
        says=f"Safe: nothing that runs is touched; {ONCE}once the control plane runs 1.36, the "
        f"nodes of lab/h100 are not replaced, as none may be disrupted; {SAME}",
        reason=f"{LOOKED_UP} For now, none is replaced: the budgets allow 0 nodes at once.",
    ),
    "an image of its own, by Karpenter": OWN_IMAGES,
    "eksctl": BY_EKSCTL,
    "GKE, which upgrades nodes by itself": BY_ITSELF,
    "GKE, told not to": BY_ITSELF._replace(
        provider=f"{GKE % ('', ', queued: true')}queues: {{}}\n",
        objects=(GKE_POOL % "false",),
        reason=(
            "GKE does not upgrade its nodes by itself, as autoUpgrade is off: somebody upgrades "
            "the pool, and GKE replaces as many nodes at once as upgradeSettings says."
        ),
        commands=(GCLOUD, VERSIONS, GCLOUD.replace("--master", "--node-pool h100"), NODES),
    ),
    "a compute class": Played(
        GKE % (", provisioner: compute-class", ""),
        (COMPUTE_CLASS,),
        f"{MOVED}4.3 hours; {SAME}",
        MADE_BY_GKE,
        "GKE upgrades the nodes as listed; wait until it has.",
        (GCLOUD, VERSIONS, NODES),
    ),
    "AKS": ON_AKS,
    "AKS, spot nodes": ON_AKS._replace(
        objects=(f"{AKS_POOL}  scaleSetPriority: Spot\n",),
        says=f"{DISTURBED}once the control plane runs 1.36, 0 to 8 GPUs of lab/h100 are out at "
        f"once, for 0 to 20 minutes; {SAME}",
        reason=(
            "az aks upgrade, and a channel of automatic upgrades, replace the nodes of a spot pool "
            "after the control plane, without spare ones and without a drain: pods are stopped. "
            "With --control-plane-only they stay until the pool is upgraded by itself."
        ),
    ),
    "machines of one's own": OWN_MACHINES,
}


def _play(folder: Path, played: Played, old: str = "1.35", new: str = "1.36") -> Repository:
    """Write a cluster for a minor version, commit it, and write it for another one."""
    repository = new_repository(folder)
    files = {f"file{number}": text for number, text in enumerate(played.objects)}
    for version, minor in (("1.0.0", old), ("1.1.0", new)):
        provider = played.provider.replace("{release}", f"{minor}.1-20260714")
        text = CLUSTER.format(kubernetes=minor, version=version, provider=provider)
        (repository.clusters / "lab.yaml").write_text(text, "utf-8")
        write_version(repository.dist, f"lab/{version}", minor, spec_digest=version, **files)
        if version == "1.0.0":
            repository.commit()
    return repository


def _plan(repository: Repository) -> Plan:
    base = find_base(repository.clusters.parent, "HEAD")
    return plan(PlanRequest(repository.clusters, repository.dist, TODAY, base=base))


def _part(found: Plan) -> Part:
    (part,) = (
        each for each in parts(found.clusters[0], None) if each.title.startswith("Kubernetes")
    )
    return part


@pytest.mark.parametrize("played", PLAYED.values(), ids=PLAYED)
def test_nodes_follow_the_control_plane_as_what_makes_them_does(
    played: Played, tmp_path: Path
) -> None:
    found = _plan(_play(tmp_path, played))
    part = _part(found)
    assert (headline(found), part.title) == (played.says, "Kubernetes: 1.35 to 1.36")
    assert "".join(one.reason for each in part.objects for one in each.effects) == played.reason
    assert part.steps[2] == f"{played.nodes}{SKEW}"
    assert part.commands == played.commands


def test_the_steps_go_through_each_minor_version(tmp_path: Path) -> None:
    found = _plan(_play(tmp_path, OWN_MACHINES, "1.34", "1.37"))
    first, second, _, last = _part(found).steps
    assert first == "Have controllers that support 1.37."
    assert second == (
        "Upgrade the control plane from 1.34 to 1.37, one minor version at a time, through 1.35, "
        "1.36. Merging this does not."
    )
    assert last == (
        "Merge this, or promote it, once the control plane runs 1.37: an older one may not know "
        "all that is rendered."
    )


def test_the_control_plane_is_upgraded_to_each_of_them(tmp_path: Path) -> None:
    found = _plan(_play(tmp_path, BY_EKSCTL, "1.34", "1.36"))
    assert _part(found).commands == (AWS.replace("1.36", "1.35"), AWS, EKSCTL_COMMAND, NODES)


def test_no_control_plane_goes_back(tmp_path: Path) -> None:
    found = _plan(_play(tmp_path, ALIASED, "1.36", "1.35"))
    assert headline(found) == (
        "Safe: nothing that runs is touched; merge it only where the control plane of lab runs "
        "1.35; no GPU is out; only the webhook judges pods on lab, and they pass where it does not "
        "answer; what nodes cost stays the same."
    )
    note = (
        "What is rendered is for 1.35, and was for 1.36. No control plane goes back a minor "
        "version: merge it only where it runs 1.35."
    )
    assert _part(found) == Part("Kubernetes: 1.36 to 1.35", notes=(note,))


def test_the_same_minor_version_is_no_upgrade(tmp_path: Path) -> None:
    assert _plan(_play(tmp_path, ALIASED, "1.36", "1.36")).clusters == ()


def test_nodes_that_are_replaced_need_a_major_version(tmp_path: Path) -> None:
    (cluster,) = _plan(_play(tmp_path, ALIASED)).clusters
    assert cluster.bump == VersionBump("1.0.0", "1.1.0", Step.MAJOR)


@pytest.mark.parametrize(
    ("played", "title", "verdict"),
    [
        (
            ON_AKS,
            (
                "Once the control plane runs 1.36, pods on 0 to 32 GPUs of lab/h100 move to new "
                "nodes, which come first, over 0 to 4.3 hours"
            ),
            Verdict.DISRUPTIVE,
        ),
        (
            OWN_MACHINES,
            (
                "Once the control plane runs 1.36, 0 to 8 GPUs of lab/h100 are out at once, for an "
                "unbounded time"
            ),
            Verdict.DISRUPTIVE,
        ),
        (OWN_IMAGES, "Nothing that runs is touched", Verdict.SAFE),
    ],
    ids=["AKS", "machines of one's own", "images of one's own"],
)
def test_the_report_says_to_merge_it_only_once_the_control_plane_is_upgraded(
    tmp_path: Path, played: Played, title: str, verdict: Verdict
) -> None:
    repository = _play(tmp_path, played)
    base = find_base(repository.clusters.parent, "HEAD")
    page = report_of(repository.clusters, repository.dist, (), TODAY, base)
    once = "merge it only once the control plane of lab runs 1.36"
    assert page.answer.sentence == f"{title}; {once}."
    (found,) = [each for each in page.decisions if each.kind == "control plane first"]
    assert (found.title, found.verdict) == (once, verdict)
    assert found.place.endswith("lab.yaml:1")


def test_json_and_report_list_the_upgrade(tmp_path: Path) -> None:
    repository = _play(tmp_path, ALIASED)
    (item,) = plan_fields(_plan(repository))["items"]
    upgrade = item["kubernetes"]
    assert (upgrade["old"], upgrade["new"]) == ("1.35", "1.36")
    assert [each["verdict"] for each in upgrade["objects"]] == ["disruptive"]
    assert [each["mechanism"] for each in upgrade["outages"]] == ["drift"]
    assert [each["name"] for each in upgrade["controllers"]] == ["karpenter"]
    base = find_base(repository.clusters.parent, "HEAD")
    page = report_of(repository.clusters, repository.dist, (), TODAY, base)
    assert page.answer.sentence == (
        "Once the control plane runs 1.36, pods on 0 to 32 GPUs of lab/h100 move to new nodes, "
        "which come first, over 0 to 4 hours; merge it only once the control plane of lab runs "
        "1.36."
    )
    assert "lab: EC2NodeClass h100" in [each.title for each in page.decisions]


def test_controllers_that_do_not_support_a_version_are_named(tmp_path: Path) -> None:
    found = _plan(_play(tmp_path, ALIASED, "1.36", "1.37"))
    (cluster,) = found.clusters
    assert [*order_clauses(cluster)][1:] == [
        "karpenter 1.14.1 supports Kubernetes 1.26 to 1.36 alone"
    ]
    part = _part(found)
    assert part.steps[0] == (
        "Have controllers that support 1.37; these do not say so: karpenter 1.14.1 (1.26 to 1.36)."
    )
    assert [row[:3] for row in part.tables[-1].rows] == [("karpenter", "1.14.1", "1.26 to 1.36")]


def test_a_chart_of_which_nothing_is_known_is_named() -> None:
    found = tuple(
        controllers([("volcano", "1.15.1"), ("kueue", "0.19.2"), ("lws", "0.10.0")], None)
    )
    assert [(each.name, each.excludes("1.36")) for each in found] == [
        ("volcano", True),
        ("kueue", False),
        ("lws", False),
    ]


@pytest.mark.parametrize(
    ("least", "most", "minor", "excluded"),
    [
        ("1.33", "1.36", "1.36", False),
        ("1.33", "1.36", "1.37", True),
        ("1.34", None, "1.33", True),
        ("1.34", None, "1.37", False),
    ],
)
def test_a_range_has_both_ends(least: str, most: str | None, minor: str, excluded: bool) -> None:
    known = supported("gpu-operator", "v26.7.0")
    assert known is not None
    row = type(known)(known.name, known.version, least, known.source, most)
    assert Controller("gpu-operator", "v26.7.0", row).excludes(minor) is excluded


def test_what_is_known_is_of_the_pinned_charts() -> None:
    for row in _tables().supported:
        if row.name != "karpenter":
            assert (
                supported(known_chart(row.name).name, locked_chart(row.name).chart_version) == row
            )


def test_an_upgrade_without_a_known_cluster_has_no_commands() -> None:
    upgrade = KubernetesUpgrade("1.35", "1.36")
    assert (upgrade.minors, upgrade.controllers) == (("1.36",), ())


@pytest.mark.parametrize(
    ("name", "kind", "verdicts"),
    [
        ("karpenter", "EC2NodeClass", {Verdict.DISRUPTIVE, Verdict.SAFE}),
        ("eksctl", "ClusterConfig", {Verdict.DISRUPTIVE}),
        ("gke", "ContainerNodePool", {Verdict.DISRUPTIVE}),
        ("gke-queued", "ContainerNodePool", {Verdict.DISRUPTIVE}),
        ("gke-flex", "ComputeClass", {Verdict.DISRUPTIVE}),
        ("aks", "ManagedClustersAgentPool", {Verdict.DISRUPTIVE}),
    ],
)
def test_what_is_rendered_for_nodes_is_known_to_follow(
    name: str, kind: str, verdicts: set[Verdict], platform_after: PlatformWith
) -> None:
    platform = platform_after(name)
    rendered = PROVIDERS[platform.provider.name].provisioner(platform.cluster).objects(platform)
    found = tuple(upgraded_objects(placed(*rendered), ("1.35", "1.36")))
    assert {each.placed.key.kind for each in found} == {kind}
    assert {each.verdict for each in found} == verdicts


def test_every_way_of_making_nodes_has_its_steps() -> None:
    named = {
        str(provisioner or provider)
        for provider, definition in PROVIDERS.items()
        for provisioner in definition.provisioners
    }
    assert _tables().way.keys() == named
