"""What becomes of machines whose rule of Node Feature Discovery has another name."""

from typing import Any

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import document, placed

MACHINES = [{"feature": "system.name", "matchExpressions": {"nodename": {"op": "Exists"}}}]


def _rule(pool: str, machines: Any = MACHINES, **labels: str) -> dict[PlacedObject, Document]:
    rule = {
        "name": pool,
        "labels": {"gpuplane.io/pool": pool, **labels},
        "matchFeatures": machines,
    }
    return placed(
        document("nfd.k8s-sigs.io/v1alpha1 NodeFeatureRule", {"spec.rules": [rule]}, pool)
    )


def test_a_pool_that_is_renamed_keeps_its_machines() -> None:
    new, old = planned_objects(_rule("old"), _rule("new"))
    assert (old.verdict, new.verdict) == (Verdict.DISRUPTIVE, Verdict.SAFE)
    assert old.effects[0].reason == (
        "Its machines belong to new from now on. Running pods stay; new ones that ask for old "
        "start nowhere."
    )
    assert new.effects[0].reason == (
        "It is old by another name: the same machines, with the same labels and taints but for "
        "that of the pool. Running pods stay."
    )
    assert (old.rollouts, new.rollouts) == ((Rollout(Mechanism.RELABELLING, "old"),), ())


def test_a_pool_that_is_renamed_and_shared_differently_is_laid_out_anew() -> None:
    shared = {"nvidia.com/mig.config": "all-1g.18gb"}
    new, _ = planned_objects(_rule("old"), _rule("new", MACHINES, **shared))
    assert new.verdict is Verdict.DISRUPTIVE
    assert new.effects[0].reason.startswith("Nodes that match get its labels and taints at once")


def test_a_pool_of_other_machines_is_no_renamed_one() -> None:
    new, old = planned_objects(_rule("old"), _rule("new", [{"feature": "pci.device"}]))
    assert (old.verdict, new.verdict) == (Verdict.DISRUPTIVE, Verdict.DISRUPTIVE)
    assert old.effects[0].reason.startswith("Nodes lose its labels and taints at once")
