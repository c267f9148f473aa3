"""Pools that a change makes have no nodes for anything to happen to."""

import datetime as dt
from pathlib import Path

import pytest

from gpuplane.plan.headline import headline
from gpuplane.plan.planning import PlanRequest, plan
from gpuplane.release.edited_tree import edited_tree
from gpuplane.versions.base import find_base
from tests.gpuplane.versions.conftest import Repository, new_repository

CLUSTER = """\
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://git.example.com/platform.git}
eks: {clusterName: lab, nodeRole: lab, imageRelease: 1.35.6-20260714}
pools:
  a10g: {instanceType: g5.48xlarge, purpose: training, nodes: {max: 2}}
"""
EKSCTL = (
    "provisioner: eksctl, vpc: {id: vpc-0123456789abcdef0, securityGroup: sg-0123456789abcdef0, "
    "subnets: {us-east-1a: subnet-0123456789abcdef0, us-east-1b: subnet-0123456789abcdef1}}"
)
NEW = "Safe: nothing that runs is touched; no GPU is out; "
COST = "+0 USD a month with the fewest nodes, +23,780 with the most."


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A cluster without a version yet."""
    repository = new_repository(tmp_path_factory.mktemp("lab"))
    (repository.clusters / "fleet.yaml").write_text("{}\n", encoding="utf-8")
    repository.commit()
    (repository.clusters / "lab.yaml").write_text(CLUSTER, encoding="utf-8")
    return repository


def _headline(repository: Repository, *running: tuple[str, int]) -> str:
    here = edited_tree(repository.clusters, repository.dist)
    found = plan(
        PlanRequest(
            clusters=repository.clusters,
            dist=repository.dist,
            today=dt.date(2026, 7, 14),
            base=find_base(repository.dist, "HEAD", is_exact=True),
            here=here,
            running={("lab", pool): nodes for pool, nodes in running},
        )
    )
    return headline(found)


def test_the_driver_of_a_new_cluster_takes_no_gpu_out(lab: Repository) -> None:
    assert _headline(lab) == f"{NEW}{COST}"


def test_node_groups_that_nobody_has_made_take_no_gpu_out(tmp_path: Path) -> None:
    repository = new_repository(tmp_path)
    (repository.clusters / "fleet.yaml").write_text("{}\n", encoding="utf-8")
    repository.commit()
    text = CLUSTER.replace("eks: {", f"eks: {{{EKSCTL}, ").replace("g5.48xlarge", "g5.2xlarge")
    (repository.clusters / "lab.yaml").write_text(text, encoding="utf-8")
    assert _headline(repository).startswith(NEW)
    repository.synth()
    repository.commit()
    group = "  l4: {instanceType: g6.2xlarge, purpose: training, nodes: {max: 2}}\n"
    (repository.clusters / "lab.yaml").write_text(text + group, encoding="utf-8")
    assert "; no GPU is out; " in _headline(repository)


def test_nodes_that_somebody_counted_are_there(lab: Repository) -> None:
    assert _headline(lab, ("a10g", 2)).startswith(
        "Disruptive: running workloads are disturbed, if there are any; 8 GPUs of lab/a10g are "
        "out at once, "
    )
