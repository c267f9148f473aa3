from __future__ import annotations

from collections.abc import Callable

from charts_py.platform.platform import Platform
from gpuplane.reports.priorities.contention import Contention, contentions
from gpuplane.reports.priorities.ladder import ladder_of
from gpuplane.reports.priorities.priorities_notes import priorities_notes
from gpuplane.reports.priorities.priorities_request import cluster_priorities


def test_room_is_taken_only_on_pools_that_both_may_use(example: Callable[[str], Platform]) -> None:
    platform = example("training")
    found = contentions(platform, ladder_of(platform))
    assert [each for each in found if each.pool == "h100-spot"] == [
        Contention(
            "h100-spot",
            "recommendations",
            "inference",
            (
                ("recommendations", ("batch",)),
                ("research-training", ("training", "notebooks", "batch")),
            ),
        ),
        Contention(
            "h100-spot",
            "research-training",
            "training",
            (("recommendations", ("batch",)), ("research-training", ("notebooks", "batch"))),
        ),
    ]


def test_nobody_is_evicted_for_what_dra_gives_out(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    found = cluster_priorities(platform_of(sample("dra")))
    assert found.without_preemption
    assert {each.pool for each in found.contentions}.isdisjoint(found.without_preemption)
    assert "for which nobody is evicted" in "\n".join(priorities_notes([found]))


def test_what_extensions_do_to_classes_is_not_read(example: Callable[[str], Platform]) -> None:
    clusters = [cluster_priorities(example(name)) for name in ("training", "onprem")]
    assert [each.extended for each in clusters] == [False, True]
    assert list(priorities_notes(clusters))[1:] == [
        "onprem: extensions may change classes or add some, which are not read here."
    ]
