from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charts_py.cluster_file.queues import Preemption, Priority
from charts_py.components.priority_classes import priority_classes
from gpuplane.reports.priorities import (
    Contention,
    Ladder,
    Rung,
    cluster_priorities,
    contentions,
    disruptions,
    ladder_of,
    priorities_notes,
)
from tests.charts_py.fixture_types import Load, PlatformWith

CRITICAL = ("system-node-critical", "system-cluster-critical")


PRIORITIES = st.builds(
    Priority, value=st.integers(0, 5), preemption=st.sampled_from(list(Preemption))
)


def _rung(name: str, priority: Priority) -> Rung:
    return Rung(name, priority, (), (), platform_only=False)


@pytest.fixture
def training(example: Load) -> Ladder:
    return ladder_of(example("training"))


def test_a_class_evicts_what_is_below_it_and_one_that_never_preempts_evicts_nobody(
    training: Ladder,
) -> None:
    """Both are evicted by all that preempt and are above them."""
    assert {rung.name: training.victims_of(rung) for rung in training.rungs[2:]} == {
        "system": ("inference", "training", "notebooks", "batch"),
        "inference": ("training", "notebooks", "batch"),
        "training": ("notebooks", "batch"),
        "notebooks": (),
        "batch": (),
    }
    assert {rung.name: training.evictors_of(rung) for rung in training.rungs[3:]} == {
        "inference": (*CRITICAL, "system"),
        "training": (*CRITICAL, "system", "inference"),
        "notebooks": (*CRITICAL, "system", "inference", "training"),
        "batch": (*CRITICAL, "system", "inference", "training"),
    }


def test_a_class_that_may_not_preempt_is_not_spared(example: Load) -> None:
    """In mixed, training waits as notebooks and batch do."""
    ladder = ladder_of(example("mixed"))
    rungs = {rung.name: rung for rung in ladder.rungs}
    assert ladder.victims_of(rungs["training"]) == ()
    assert ladder.evictors_of(rungs["training"]) == (*CRITICAL, "system", "inference")


def test_the_classes_of_kubernetes_are_above_any_that_a_file_may_state(training: Ladder) -> None:
    assert [(rung.name, rung.priority.value) for rung in training.rungs[:2]] == [
        ("system-node-critical", 2_000_001_000),
        ("system-cluster-critical", 2_000_000_000),
    ]


def test_who_uses_a_class_and_where_it_is_the_default(training: Ladder) -> None:
    users = {
        rung.name: ([each.name for each in rung.users], rung.default_in, rung.platform_only)
        for rung in training.rungs
    }
    of_research = ["research-notebooks", "research-training"]
    assert users == {
        "system-node-critical": ([], (), True),
        "system-cluster-critical": ([], (), True),
        "system": ([], (), True),
        "inference": (["recommendations"], ("recommendations",), False),
        "training": (of_research, ("research-training",), False),
        "notebooks": (of_research, ("research-notebooks",), False),
        "batch": (["recommendations", *of_research], (), False),
    }


@given(one=PRIORITIES, other=PRIORITIES)
def test_no_two_classes_evict_each_other_and_none_its_equal(one: Priority, other: Priority) -> None:
    rungs = _rung("one", one), _rung("other", other)
    assert not (rungs[0].evicts(rungs[1]) and rungs[1].evicts(rungs[0]))
    assert not rungs[0].evicts(rungs[0])
    if one.value == other.value:
        assert not rungs[0].evicts(rungs[1])


def test_the_classes_are_those_that_are_rendered(example: Load) -> None:
    platform = example("mixed")
    rendered = priority_classes(platform.cluster.priorities)
    policies = {"PreemptLowerPriority": Preemption.LOWER, "Never": Preemption.NEVER}
    assert {
        each["metadata"]["name"]: (each["value"], policies[each["preemptionPolicy"]])
        for each in rendered
    } == {
        rung.name: (rung.priority.value, rung.priority.preemption)
        for rung in ladder_of(platform).rungs
        if rung.name not in CRITICAL
    }


def test_room_is_taken_only_on_pools_that_both_may_use(example: Load) -> None:
    platform = example("training")
    found = contentions(platform, ladder_of(platform))
    assert [each for each in found if each.pool == "h100-spot"] == [
        Contention(
            "h100-spot",
            namespace,
            priority,
            (("recommendations", ("batch",)), ("research-training", below)),
        )
        for namespace, priority, below in (
            ("recommendations", "inference", ("training", "notebooks", "batch")),
            ("research-training", "training", ("notebooks", "batch")),
        )
    ]


def test_nobody_is_evicted_for_what_dra_gives_out(platform_after: PlatformWith) -> None:
    found = cluster_priorities(platform_after("dra"))
    assert found.without_preemption
    assert {each.pool for each in found.contentions}.isdisjoint(found.without_preemption)
    assert "for which nobody is evicted" in "\n".join(priorities_notes([found]))


def test_what_extensions_do_to_classes_is_not_read(example: Load) -> None:
    clusters = [cluster_priorities(example(name)) for name in ("training", "onprem")]
    assert [each.extended for each in clusters] == [False, True]
    assert list(priorities_notes(clusters))[1:] == [
        "onprem: extensions may change classes or add some, which are not read here."
    ]


def test_only_the_eviction_api_is_held_back_by_a_budget() -> None:
    (held_back,) = [each for each in disruptions() if each.budgets.startswith("held back")]
    assert "eviction API" in held_back.what


def test_each_has_its_source() -> None:
    assert all(each.source.startswith("https://kubernetes.io/docs/") for each in disruptions())


def test_the_page_says_the_same() -> None:
    page = Path(__file__).parents[3] / "docs" / "priorities.md"
    rows = page.read_text(encoding="utf-8").splitlines()
    assert {f"| [{each.what}]({each.source}) | {each.budgets} |" for each in disruptions()} <= {
        *rows
    }
