"""How changes of the GPU operators reach pools."""

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.planned_objects import planned_objects
from gpuplane.plan.rollout import Mechanism, Rollout
from gpuplane.versions.difference import PlacedObject
from tests.gpuplane.plan.single_change import document, only, placed


@pytest.mark.parametrize(
    ("kind", "pool"),
    [("nvidia.com/v1 ClusterPolicy", "h100"), ("amd.com/v1 DeviceConfig", "mi300x")],
)
def test_the_pools_of_a_vendor_lose_their_gpus_with_its_operands(kind: str, pool: str) -> None:
    pools = tuple(
        document(
            "karpenter.sh/v1 NodePool",
            {
                "spec.template.metadata.labels": {
                    "gpuplane.io/pool": name,
                    "gpuplane.io/gpu-model": name,
                }
            },
            name,
        )
        for name in ("h100", "mi300x")
    )
    planned = planned_objects(placed(document(kind, {"spec": {}}), *pools), placed(*pools))
    found = only(planned, kind.split()[1]).rollouts
    assert [(each.mechanism, each.pool) for each in found] == [(Mechanism.OPERAND_REMOVAL, pool)]


def _operator(**driver: object) -> dict[PlacedObject, Document]:
    source = {"chart": "gpu-operator", "helm": {"valuesObject": {"driver": driver}}}
    kind = "argoproj.io/v1alpha1 Application"
    return placed(document(kind, {"spec.source": source}), component="argocd")


def _labelled_pools(**models: str) -> dict[PlacedObject, Document]:
    rules = [
        {"labels": {"gpuplane.io/pool": pool, "gpuplane.io/gpu-model": model}}
        for pool, model in models.items()
    ]
    return placed(document("nfd.k8s-sigs.io/v1alpha1 NodeFeatureRule", {"spec.rules": rules}))


def test_a_driver_reaches_all_pools_of_its_vendor_as_its_upgrade_policy_says() -> None:
    policy = {"maxParallelUpgrades": 2, "waitForCompletion": {"podSelector": "a=b"}}
    pools = _labelled_pools(h200="h200", mi300x="mi300x")
    old, new = (_operator(version=each, upgradePolicy=policy) for each in ("1", "2"))
    (planned,) = planned_objects(pools | old, pools | new)
    assert planned.rollouts == (
        Rollout(Mechanism.DRIVER_UPGRADE, "h200", limits=("2", "25%"), drain_seconds=None),
    )


def test_a_driver_that_the_operator_takes_away_is_gone_from_all_nodes_at_once() -> None:
    pools = _labelled_pools(h200="h200")
    (planned,) = planned_objects(pools | _operator(enabled=True), pools | _operator(enabled=False))
    assert planned.rollouts == (Rollout(Mechanism.OPERAND_REMOVAL, "h200"),)


@pytest.mark.parametrize(
    "kind", ["nvidia.com/v1 ClusterPolicy", "nvidia.com/v1alpha1 NVIDIADriver"]
)
def test_what_the_operator_runs_is_gone_from_all_nodes_with_its_settings(kind: str) -> None:
    pools = _labelled_pools(h200="h200")
    gone = planned_objects(pools | placed(document(kind, {"spec": {}})), pools)
    (planned,) = gone
    assert planned.verdict is Verdict.DANGEROUS
    assert planned.rollouts == (Rollout(Mechanism.OPERAND_REMOVAL, "h200"),)
