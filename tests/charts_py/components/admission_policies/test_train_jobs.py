"""Which TrainJobs the API server refuses, and which snapshots, by a real evaluator of CEL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from charts_py.components.admission_policies.jobs import RUNTIME_SNAPSHOTS, train_job_policies
from charts_py.components.kubeflow_trainer.definition import MANAGER, NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.components.admission_policy import Policy
    from charts_py.platform.platform import Platform

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

CPUS = {"cpu": "96"}
GPUS = {"nvidia.com/gpu": "8"}
WITH_TRAINER = ("teams:\n", "training: {trainer: {}}\nteams:\n")
MEMBER, TRAINER = "jane", f"system:serviceaccount:{NAMESPACE}:{MANAGER}"


def _value(expression: str, data: Mapping[str, Any]) -> Any:
    environment = cel.NewEnv(
        variables=dict.fromkeys(data, cel.Type.DYN), extensions=[optional.ExtOptional()]
    )
    return environment.compile(expression).eval(data=data).value()


@pytest.fixture
def resources_per_node(example: Callable[[str], Platform]) -> Policy:
    policy, _ = train_job_policies(example("training"))
    return policy


def _job(**resources: dict[str, str]) -> dict[str, Any]:
    trainer = {"numNodes": 4, **({"resourcesPerNode": resources} if resources else {})}
    return {"spec": {"runtimeRef": {"name": "torch-h100"}, "trainer": trainer}}


def _passes(policy: Policy, job: dict[str, Any], before: dict[str, Any] | None) -> bool:
    (validation,) = policy.spec()["validations"]
    return _value(validation["expression"], {"object": job, "oldObject": before}) is True


@pytest.mark.parametrize(
    ("job", "before", "passes"),
    [
        ({"spec": {"runtimeRef": {"name": "torch-h100"}}}, None, True),
        (_job(), None, True),
        (_job(limits=GPUS), None, True),
        (_job(limits=GPUS, requests=CPUS), None, True),
        (_job(requests=CPUS), None, False),
        (_job(limits={"memory": "1Ti"}), None, False),
        # Trainer counts processes, and Kubernetes devices, by limits.
        (_job(requests=GPUS), None, False),
        (_job(limits={"vpc.amazonaws.com/efa": "32"}), None, False),
        # The rule of its kind that `trainer` is immutable lets one be added.
        (_job(requests=CPUS), {"spec": {"runtimeRef": {"name": "torch-h100"}}}, False),
        # Of before the policy, which Kueue suspends and resumes.
        (_job(requests=CPUS), _job(requests=CPUS), True),
    ],
)
def test_a_job_that_states_resources_states_its_gpus(
    resources_per_node: Policy, job: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    assert _passes(resources_per_node, job, before) is passes


def test_it_is_told_what_to_write(resources_per_node: Policy) -> None:
    (validation,) = resources_per_node.spec()["validations"]
    assert _value(validation["messageExpression"], {"object": _job(requests=CPUS)}) == (
        "spec.trainer.resourcesPerNode states no GPUs: the queue would count none, and the job run "
        "with those of its runtime. Repeat the limit on GPUs of torch-h100 in its limits, or leave "
        "resourcesPerNode out."
    )


@pytest.mark.parametrize(
    ("name", "user", "is_judged"),
    [
        ("a-runtime-snapshot", MEMBER, True),
        ("a-runtime-snapshot", TRAINER, False),
        ("a-runtime-snapshot-b", MEMBER, False),
        ("settings", MEMBER, False),
    ],
)
def test_only_trainer_writes_snapshots(name: str, user: str, is_judged: bool) -> None:
    data = {"object": {"metadata": {"name": name}}, "request": {"userInfo": {"username": user}}}
    conditions = RUNTIME_SNAPSHOTS.spec()["matchConditions"]
    assert all(_value(each["expression"], data) for each in conditions) is is_judged


def _snapshot(runtime: str, *owners: str) -> dict[str, Any]:
    references = [{"uid": owner} for owner in owners]
    metadata = {"ownerReferences": references} if references else {}
    return {"metadata": metadata, "data": {"runtime": runtime}}


@pytest.mark.parametrize(
    ("snapshot", "before", "passes"),
    [
        (_snapshot("a", "1"), None, False),
        (_snapshot("b", "1"), _snapshot("a", "1"), False),
        ({"metadata": {}}, _snapshot("a"), False),
        # The snapshot of an earlier job, for one that has its name.
        (_snapshot("a", "2"), _snapshot("a", "1"), False),
        (_snapshot("a", "1"), _snapshot("a", "1"), True),
        (_snapshot("a"), _snapshot("a", "1"), True),
    ],
)
def test_a_snapshot_stays_as_it_is_and_whose_it_is(
    snapshot: dict[str, Any], before: dict[str, Any] | None, passes: bool
) -> None:
    (validation,) = RUNTIME_SNAPSHOTS.spec()["validations"]
    data = {"object": snapshot, "oldObject": before}
    assert (_value(validation["expression"], data) is True) is passes


@pytest.mark.parametrize(
    ("name", "replaced", "expected"),
    [
        ("queues", (WITH_TRAINER,), True),
        ("queues", (), False),
        # A scheduler counts the pods that there are.
        ("volcano", (WITH_TRAINER,), False),
        ("training", (), False),
    ],
)
def test_they_are_there_where_trainer_runs_what_kueue_counts(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    name: str,
    replaced: tuple[tuple[str, str], ...],
    expected: bool,
) -> None:
    platform = platform_of(sample(name, *replaced))
    assert bool([*train_job_policies(platform)]) is expected
