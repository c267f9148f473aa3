"""Which jobs are warned of that start again without limit, by a real evaluator of CEL."""

from typing import Any

import pytest

from charts_py.components.admission_policies.evictions import endless_restarts
from tests.charts_py.components.evaluated import is_taken
from tests.charts_py.fixture_types import PlatformWith

SPOT = {"key": "gpuplane.io/purchase", "operator": "Equal", "value": "spot", "effect": "NoSchedule"}
EVICTED = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
CODES = {"action": "Ignore", "onExitCodes": {"operator": "In", "values": [42]}}
COUNTED = {"action": "Count", "onPodConditions": EVICTED["onPodConditions"]}


def _job(*rules: dict[str, Any], gpu: str = "nvidia.com/gpu", **pod: Any) -> dict[str, Any]:
    container = {"name": "train", "resources": {"limits": {gpu: "8", "cpu": "1"}}}
    template = {"spec": {"containers": [{"name": "side"}, container], **pod}}
    policy = {"podFailurePolicy": {"rules": list(rules)}} if rules else {}
    return {"spec": {**policy, "template": template}}


def _job_set(action: str, *reasons: str, **pod: Any) -> dict[str, Any]:
    rule = {"action": action, **({"onJobFailureReasons": list(reasons)} if reasons else {})}
    jobs = [{"name": "node", "template": _job(**pod)}]
    return {"spec": {"failurePolicy": {"maxRestarts": 3, "rules": [rule]}, "replicatedJobs": jobs}}


ENDLESS = "RestartJobSetAndIgnoreMaxRestarts"


@pytest.mark.parametrize(
    ("number", "job", "passes"),
    [
        (0, _job(), True),
        (0, _job(EVICTED), False),
        (0, _job(CODES, EVICTED), False),
        (0, _job(CODES), True),
        (0, _job(COUNTED), True),
        (0, _job(EVICTED, gpu="cpu"), True),
        (0, _job(EVICTED, tolerations=[SPOT]), True),
        (0, _job(EVICTED, tolerations=[{"operator": "Exists"}]), False),
        (1, _job_set(ENDLESS, "PodFailurePolicy"), False),
        (1, _job_set(ENDLESS), False),
        (1, _job_set("RestartJobAndIgnoreMaxRestarts", "PodFailurePolicy"), False),
        (1, _job_set(ENDLESS, "DeadlineExceeded"), True),
        (1, _job_set("RestartJobSet", "PodFailurePolicy"), True),
        (1, _job_set(ENDLESS, tolerations=[SPOT]), True),
        (1, {"spec": {"replicatedJobs": [{"name": "node", "template": _job()}]}}, True),
    ],
)
def test_a_job_whose_evictions_never_count_is_warned_of_but_on_spot_nodes(
    number: int, job: dict[str, Any], passes: bool, platform_after: PlatformWith
) -> None:
    health = "addons: {gpuHealth: {action: evict}}\npools:\n"
    policies = list(endless_restarts(platform_after("training", ("pools:\n", health))))
    assert [each.action.value for each in policies] == ["Warn", "Warn"]
    assert is_taken(policies[number], job, None) is passes


def test_where_broken_gpus_evict_nobody_there_is_no_such_policy(
    platform_after: PlatformWith,
) -> None:
    assert list(endless_restarts(platform_after("training"))) == []
