"""How many nodes get another driver at once, and how long they wait for their jobs."""

import pytest

from charts_py.components.gpu_operator.driver_upgrade import upgrade_policy
from charts_py.components.registry import component_warnings
from tests.charts_py.fixture_types import PlatformWith

LARGE = ("nodes: {min: 4, max: 4}", "nodes: {min: 4, max: 998}")
TEAM = """\
teams:
  research:
    owner: research@example.com
    costCenter: "1"
    members: {users: [ml-research]}
    priorities: [batch]
    namespaces:
      research: {purpose: PURPOSE, quota: {gpus: {h200: 28}, cpu: 8, memory: 8Gi, storage: 1Gi}}
addons:
"""


def _team(purpose: str) -> tuple[str, str]:
    return "addons:\n", TEAM.replace("PURPOSE", purpose)


def _stated(upgrade: str) -> tuple[str, str]:
    return "owner: operator\n", f"owner: operator\n  upgrade: {upgrade}\n"


@pytest.mark.parametrize(
    ("replaced", "parallel", "job_seconds"),
    [
        # The pools of the sample train and serve, and nobody has a quota on them.
        ((), 1, 86_400),
        ((LARGE,), 50, 86_400),
        ((LARGE, _team("training")), 100, 86_400),
        ((LARGE, _team("batch")), 100, 21_600),
        ((LARGE, _team("notebooks")), 100, 3_600),
        ((LARGE, _team("inference")), 50, 3_600),
        ((LARGE, _stated("{maxParallelUpgrades: 7}")), 7, 86_400),
        ((LARGE, _stated("{jobTimeoutMinutes: 90}")), 50, 5_400),
        ((LARGE, _stated("{jobTimeoutMinutes: 0}")), 50, 0),
    ],
)
def test_a_part_of_the_nodes_is_upgraded_at_once_and_waits_as_their_purposes_say(
    platform_after: PlatformWith,
    replaced: tuple[tuple[str, str], ...],
    parallel: int,
    job_seconds: int,
) -> None:
    policy = upgrade_policy(platform_after("onprem", *replaced))
    assert policy["maxParallelUpgrades"] == parallel
    assert policy["waitForCompletion"]["timeoutSeconds"] == job_seconds


@pytest.mark.parametrize(("stated", "found"), [('"3"', 3), ("3", 3), ("40%", "40%")])
def test_unavailable_nodes_are_a_number_or_a_percentage(
    platform_after: PlatformWith, stated: str, found: object
) -> None:
    platform = platform_after("onprem", _stated(f"{{maxUnavailable: {stated}}}"))
    assert upgrade_policy(platform)["maxUnavailable"] == found


@pytest.mark.parametrize(
    ("replaced", "warnings"),
    [
        ((), ()),
        ((_stated("{maxParallelUpgrades: 1}"), LARGE), ()),
        (
            (LARGE,),
            (
                (
                    "pools.l40s: the driver of up to 50 nodes is replaced at the same time, which "
                    "may be all 2 of this pool: only PodDisruptionBudgets keep its services; "
                    "allowed: driver.upgrade.maxParallelUpgrades below 2"
                ),
            ),
        ),
    ],
)
def test_a_pool_that_serves_and_may_be_out_as_a_whole_is_warned_of(
    platform_after: PlatformWith, replaced: tuple[tuple[str, str], ...], warnings: tuple[str, ...]
) -> None:
    platform = platform_after("onprem", *replaced)
    found = [str(each.problem) for each in component_warnings(platform)]
    assert tuple(each for each in found if each.startswith("pools.")) == warnings


@pytest.mark.parametrize(
    ("stated", "warnings"),
    [
        ("6", []),
        (
            "7",
            [
                (
                    "driver.upgrade.maxParallelUpgrades: 7 is more than the 6 nodes that there can "
                    "be; allowed: at most 6, or no line"
                )
            ],
        ),
    ],
)
def test_more_nodes_at_once_than_there_are_is_told(
    platform_after: PlatformWith, stated: str, warnings: list[str]
) -> None:
    platform = platform_after("onprem", _stated(f"{{maxParallelUpgrades: {stated}}}"))
    found = [str(each.problem) for each in component_warnings(platform)]
    assert [each for each in found if each.startswith("driver.")] == warnings
