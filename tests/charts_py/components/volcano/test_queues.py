"""What a namespace and a team have in Volcano."""

from collections.abc import Mapping
from typing import Any

import pytest

from charts_py.cluster_file.queues import Borrowing
from charts_py.components.volcano.queues import PREEMPTABLE_POLICY, queues
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.settings import QueueScheduler
from tests.charts_py.components.evaluated import OF_TEAMS, about, messages
from tests.charts_py.fixture_types import PlatformWith

ENGINE = "queues: {engine: volcano}"
LIMITS = ("          borrow: {h100: 4}\n", "          lend: {h100: 6}\n")
GPU = "nvidia.com/gpu"
QUEUES = ("speech", "speech.gpuplane.io", "vision-batch", "vision-training", "vision.gpuplane.io")
Amounts = tuple[int, int, int]
"""What is guaranteed, deserved, and the most, of whole GPUs."""


@pytest.fixture
def platform_with(platform_after: PlatformWith) -> PlatformWith:
    """Return a function from who borrows of whom to the platform."""

    def make(borrowing: Borrowing) -> Platform:
        said = f"queues: {{engine: volcano, borrowing: {borrowing.value}}}"
        removed = LIMITS if borrowing is Borrowing.NONE else ()
        return platform_after("volcano", (ENGINE, said), *((text, "") for text in removed))

    return make


def _specs(platform: Platform) -> Mapping[str, dict[str, Any]]:
    return {each["metadata"]["name"]: each["spec"] for each in queues(platform)}


def _of_gpus(spec: dict[str, Any]) -> Amounts:
    guarantee = spec.get("guarantee", {}).get("resource", {})
    return int(guarantee.get(GPU, 0)), int(spec["deserved"][GPU]), int(spec["capability"][GPU])


@pytest.mark.parametrize(
    ("borrowing", "expected"),
    [
        (Borrowing.CLUSTER, [(2, 8, 12), (2, 8, 36), (0, 4, 12), (0, 24, 34), (0, 28, 34)]),
        (Borrowing.TEAM, [(2, 8, 8), (2, 8, 8), (0, 4, 12), (0, 24, 28), (0, 28, 28)]),
        (Borrowing.NONE, [(8, 8, 8), (8, 8, 8), (4, 4, 4), (24, 24, 24), (28, 28, 28)]),
    ],
)
def test_what_is_kept_given_back_and_borrowed_follows_from_the_quotas(
    platform_with: PlatformWith, borrowing: Borrowing, expected: list[Amounts]
) -> None:
    specs = _specs(platform_with(borrowing))
    assert {name: _of_gpus(spec) for name, spec in sorted(specs.items())} == dict(
        zip(QUEUES, expected, strict=True)
    )


@pytest.mark.parametrize("borrowing", Borrowing)
def test_what_volcanos_own_webhook_asks_of_queues_holds(
    platform_with: PlatformWith, borrowing: Borrowing
) -> None:
    specs = _specs(platform_with(borrowing))
    for parent, spec in specs.items():
        kept, deserved, most = _of_gpus(spec)
        children = [_of_gpus(each) for each in specs.values() if each.get("parent") == parent]
        assert kept <= deserved <= most
        assert not children or sum(child[0] for child in children) <= kept
        assert not children or sum(child[1] for child in children) <= deserved
        assert all(child[2] <= most for child in children)


def test_pods_wait_in_the_queue_of_their_namespace(platform_with: PlatformWith) -> None:
    platform = platform_with(Borrowing.CLUSTER)
    annotation = "scheduling.volcano.sh/queue-name"
    assert policy_settings(platform).queue_scheduler == QueueScheduler(
        "volcano", queue_annotation=annotation
    )
    (added,) = platform.contribution.teams["speech"].values()
    assert added.annotations == {annotation: "speech"}


KEY = "volcano.sh/preemptable"


def _object(where: str | None = None, value: str = "") -> dict[str, Any]:
    stated = {} if where is None else {where: {KEY: value}}
    return {"metadata": {"name": "trial", **stated}}


def _messages(now: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    return messages(PREEMPTABLE_POLICY.spec(), {"object": now, "oldObject": before})


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (_object(), None),
        (_object("annotations", "true"), None),
        (_object("labels", "true"), None),
        (_object(), _object("labels", "false")),
        # What was there before can still be deleted, which takes its finalizers off it.
        (_object("annotations", "false"), _object("annotations", "false")),
    ],
)
def test_what_gives_back_passes(now: dict[str, Any], before: dict[str, Any] | None) -> None:
    assert _messages(now, before) == []


@pytest.mark.parametrize(("where", "called"), [("annotations", "annotation"), ("labels", "label")])
@pytest.mark.parametrize("value", ["false", "0", "", "yes"])
@pytest.mark.parametrize("before", [None, _object()])
def test_what_volcano_would_not_evict_is_refused(
    where: str, called: str, value: str, before: dict[str, Any] | None
) -> None:
    (message,) = _messages(_object(where, value), before)
    assert message == (
        f'The {called} {KEY} is "{value}", but what runs on GPUs that others lent gives them back.'
        ' Set it to "true", or leave it out.'
    )


def test_it_is_about_all_that_volcano_reads_it_of() -> None:
    resources = "pods podgroups jobs replicasets statefulsets daemonsets deployments"
    assert PREEMPTABLE_POLICY.spec()["matchConstraints"] == about(
        OF_TEAMS,
        ["", "apps", "batch", "batch.volcano.sh", "scheduling.volcano.sh"],
        ["*"],
        resources.split(),
    )
