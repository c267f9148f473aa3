"""Fleets, of clusters that are rendered or not, and a change that is refused in part."""

import datetime as dt
from pathlib import Path

import pytest

from charts_py.load import load_platform
from charts_py.objects.document import ObjectKey
from charts_py.platform.platform import Platform
from gpuplane.fleet_report.fleet_facts import Fleet, fleet_of
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.versions.bases import MAIN

AS_OF = dt.date(2027, 3, 1)
CLUSTERS = Path(__file__).parents[3] / "clusters"

UNPLANNED = Plan(base=None, clusters=(), unchanged=())
"""Of a fleet in which nothing changes."""
REASON = "GKE cannot change the GPUs of a pool. Make a pool with another name."
REFUSAL = PlannedObject(
    PlacedObject(
        "node-pools",
        ObjectKey("container.cnrm.cloud.google.com", "ContainerNodePool", "node-pools", "a100-mig"),
    ),
    Change.CHANGED,
    (Effect(Verdict.IMMUTABLE, "spec.gpuPartitionSize", REASON, "https://example.com/why"),),
    pools=("a100-mig",),
)


@pytest.fixture
def fleet(tmp_path: Path, platform_after: PlatformWith) -> Fleet:
    """Return the fleet of the sample with queues, which was never rendered."""
    return fleet_of((platform_after("queues"),), tmp_path / "dist", AS_OF)


@pytest.fixture
def inference(tmp_path: Path) -> tuple[Platform, Platform]:
    """Return the cluster for inference, before and after another MIG layout of its A100s.

    Its 48 GPUs have 336 instances 1g.10gb in quotas, and are to have 144 instances 2g.20gb.
    """
    text = (CLUSTERS / "inference.yaml").read_text(encoding="utf-8")
    changed = (
        text.replace("mig: {1g.10gb: 7}", "mig: {2g.20gb: 3}")
        .replace("a100-mig: 224", "a100-mig: 96")
        .replace("a100-mig: 112", "a100-mig: 48")
    )
    assert changed != text
    sides = []
    for folder, stated in (("before", text), ("after", changed)):
        (file := tmp_path / folder / "inference.yaml").parent.mkdir()
        file.write_text(stated, encoding="utf-8")
        sides.append(load_platform(file, CLUSTERS / "fleet.yaml"))
    before, after = sides
    return before, after


def planned(before: Platform | None, after: Platform, *objects: PlannedObject) -> Plan:
    """Return the plan of a merge that changes a cluster from one state to another."""
    old = before.cluster.version if before else None
    versions = (old, after.cluster.version)
    plan = ClusterPlan(
        after.name, Subject.LIVE, *versions, objects=objects, before=before, asked=after
    )
    return Plan(MAIN, (plan,), ())
