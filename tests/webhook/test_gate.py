from __future__ import annotations

import asyncio
from contextlib import ExitStack

import pytest

from webhook.gate import Arrival, Gate, Limits, OverloadError

LIMITS = Limits(bodies=3, body_bytes=100, slow_seconds=1)


async def _arrival(peer: str, since: float, size: int = 1) -> Arrival:
    patience = asyncio.timeout(None)
    await patience.__aenter__()
    return Arrival(peer, size, since, patience)


async def _dropped(*arriving: tuple[str, float, int], then: tuple[str, float, int]) -> list[int]:
    """Return the numbers of those that are dropped for another."""
    gate = Gate(LIMITS)
    with ExitStack() as admitted:
        held = [await _arrival(peer, since, size) for peer, since, size in arriving]
        for each in held:
            admitted.enter_context(gate.admit(each))
        peer, since, size = then
        admitted.enter_context(gate.admit(await _arrival(peer, since, size)))
    assert [each.patience.when() is None for each in held] == [not each.is_dropped for each in held]
    return [number for number, each in enumerate(held) if each.is_dropped]


@pytest.mark.parametrize(
    ("arriving", "then", "dropped"),
    [
        ([("a", 0, 1)] * 2, ("b", 9, 1), []),
        ([("a", 0, 1)] * 3, ("b", 9, 1), [0]),
        ([("a", 0, 1)] * 3, ("a", 9, 1), [0]),
        ([("b", 0, 1), ("a", 0, 1), ("a", 0, 1)], ("b", 9, 1), [1]),
        ([("b", 0, 1), ("a", 8.5, 1), ("a", 8.5, 1)], ("b", 9, 1), [0]),
        ([("a", 8.5, 1)] * 3, ("b", 9, 1), [0]),
        ([("a", 0, 40), ("a", 0, 40)], ("b", 9, 90), [0, 1]),
    ],
)
def test_a_body_takes_the_place_of_slow_ones_or_of_those_of_who_holds_more(
    arriving: list[tuple[str, float, int]], then: tuple[str, float, int], dropped: list[int]
) -> None:
    assert asyncio.run(_dropped(*arriving, then=then)) == dropped


@pytest.mark.parametrize(
    ("arriving", "message"),
    [
        ([("a", 8.5, 1)] * 3, "3 bodies of 3 bytes are arriving already"),
        ([("a", 8.5, 60)], "1 bodies of 60 bytes are arriving already"),
        ([], "0 bodies of 0 bytes are arriving already"),
    ],
)
def test_one_that_finds_none_to_take_the_place_of_is_refused(
    arriving: list[tuple[str, float, int]], message: str
) -> None:
    with pytest.raises(OverloadError, match=message):
        asyncio.run(_dropped(*arriving, then=("a", 9, 101 if not arriving else 90)))


def test_a_body_whose_patience_has_ended_is_dropped_as_well() -> None:
    async def fact() -> list[bool]:
        gate = Gate(Limits(bodies=1, slow_seconds=1))
        late = await _arrival("a", 0)
        with gate.admit(late):
            late.patience.reschedule(0)
            while not late.patience.expired():
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError:
                    break
            with gate.admit(await _arrival("a", 9)):
                return [late.patience.expired(), late.is_dropped]

    assert asyncio.run(fact()) == [True, True]
