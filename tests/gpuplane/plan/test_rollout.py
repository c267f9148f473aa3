"""How many nodes are worked on at once."""

import pytest
from hypothesis import given, strategies as st

from gpuplane.plan.rollout import Mechanism, Rollout

LIMITS = st.lists(
    st.integers(0, 50).map(str) | st.integers(0, 100).map(lambda share: f"{share}%"), max_size=3
)


@pytest.mark.parametrize(
    ("limits", "surge", "nodes", "out", "at_once"),
    [
        ((), "0", 6, 6, 6),
        (("10%",), "0", 6, 1, 1),
        (("25%",), "0", 6, 2, 2),
        (("1", "25%"), "0", 6, 1, 1),
        (("0",), "0", 6, 0, 0),
        (("0",), "2", 6, 0, 2),
        (("1",), "1", 6, 1, 2),
        (("3",), "0", 2, 2, 2),
    ],
)
def test_the_least_limit_holds_and_percentages_are_rounded_up(
    limits: tuple[str, ...], surge: str, nodes: int, out: int, at_once: int
) -> None:
    rollout = Rollout(Mechanism.POOL_UPGRADE, "h100", limits=limits, surge=surge)
    assert (rollout.out_at_once(nodes), rollout.at_once(nodes)) == (out, at_once)


@given(LIMITS, st.integers(0, 9).map(str), st.integers(0, 100))
def test_never_more_nodes_are_out_than_are_worked_on_or_there(
    limits: list[str], surge: str, nodes: int
) -> None:
    rollout = Rollout(Mechanism.POOL_UPGRADE, "h100", limits=tuple(limits), surge=surge)
    assert 0 <= rollout.out_at_once(nodes) <= rollout.at_once(nodes) <= nodes
