from fractions import Fraction

import pytest

from gpuplane.plan.effect import Verdict
from gpuplane.plan.outage import PoolNodes
from gpuplane.plan.removed_pool import Holder, RemovedPool
from gpuplane.plan.removed_pool_part import removed_pool_part
from gpuplane.plan.rollout import Span

HELD = RemovedPool(
    PoolNodes("lab", "h100", Span(1, 4), 8),
    verdict=Verdict.DISRUPTIVE,
    is_removed=True,
    held_by=("node-pools",),
    holders=(
        Holder("research", "vision", Fraction(16), Fraction(8)),
        Holder("search", "ranking", Fraction(7, 2), Fraction(0)),
    ),
)
UNASKED = RemovedPool(PoolNodes("lab", "a100", Span(2, 2), 4), Verdict.DANGEROUS, is_removed=True)
BY_HAND = RemovedPool(PoolNodes("lab", "l4", Span(0, 1), 1))
RENAMED = RemovedPool(PoolNodes("lab", "l40s", Span(2, 2), 4), successor="l40s-batch")


def test_it_says_whose_gpus_go_and_how_to_drain_them_first() -> None:
    (part,) = removed_pool_part("lab", (HELD, UNASKED, BY_HAND))
    (table,) = part.tables
    assert table.rows == (
        ("h100", "disruptive", "research", "vision", "16", "8", "8 to 32", "1 to 4"),
        ("h100", "disruptive", "search", "ranking", "3.5", "0", "8 to 32", "1 to 4"),
        ("a100", "dangerous", "-", "-", "0", "0", "8", "2"),
        ("l4", "safe", "-", "-", "0", "0", "0 to 1", "0 to 1"),
    )
    assert part.notes == (
        (
            "Somebody has to confirm the removal of h100: until then nodes and what runs there "
            "stay, and the next version waits for the sync of lab-node-pools. Queues and admission "
            "give them to no new pod from the merge on."
        ),
        "Nobody is asked before a100 goes: what is live does not yet have Argo CD wait.",
        "Argo CD removes nothing of l4: a person does.",
    )
    assert part.commands == (
        "kubectl drain --selector gpuplane.io/pool=h100 --ignore-daemonsets --delete-emptydir-data",
    )


@pytest.mark.parametrize(
    ("keeps_machines", "said"),
    [
        (True, "Its machines stay, and belong to the new pool."),
        (False, "No node passes from one to the other: the new pool starts its own."),
    ],
)
def test_a_rename_is_a_removal_and_an_addition(keeps_machines: bool, said: str) -> None:
    renamed = RemovedPool(RENAMED.nodes, successor="l40s-batch", keeps_machines=keeps_machines)
    (part,) = removed_pool_part("lab", (renamed,))
    assert part.notes[-1] == (
        f"l40s becomes l40s-batch, which is a removal and an addition. {said} Pods that name l40s "
        "start nowhere."
    )


def test_where_no_pool_goes_there_is_no_part() -> None:
    assert tuple(removed_pool_part("lab", ())) == ()
