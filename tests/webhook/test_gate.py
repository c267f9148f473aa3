from __future__ import annotations

import asyncio
from contextlib import ExitStack
from http import HTTPStatus

import pytest

from webhook.gate import (
    LARGE_BODY_BYTES,
    MAX_BODY_BYTES,
    Arrival,
    Gate,
    LargeBodyError,
    Limits,
    OverloadError,
)

LARGE = LARGE_BODY_BYTES + 1
LIMITS = Limits(bodies=3, body_bytes=10 * LARGE, slow_seconds=1)


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
        ([("a", 0, 4 * LARGE), ("a", 0, 4 * LARGE)], ("b", 9, 9 * LARGE), [0, 1]),
        ([("a", 0, 4 * LARGE), ("a", 0, 1)], ("b", 9, 9 * LARGE), [0]),
        ([("a", 8.5, 10 * LARGE)], ("b", 9, LARGE_BODY_BYTES), []),
    ],
)
def test_a_body_takes_the_place_of_slow_ones_or_of_those_of_who_holds_more(
    arriving: list[tuple[str, float, int]], then: tuple[str, float, int], dropped: list[int]
) -> None:
    assert asyncio.run(_dropped(*arriving, then=then)) == dropped


def test_one_that_finds_none_to_take_the_place_of_is_refused() -> None:
    with pytest.raises(OverloadError, match="3 bodies are arriving already"):
        asyncio.run(_dropped(*[("a", 8.5, 1)] * 3, then=("a", 9, 1)))


def test_a_large_one_that_finds_none_is_too_large_at_this_moment() -> None:
    with pytest.raises(LargeBodyError) as refused:
        asyncio.run(_dropped(("a", 8.5, 6 * LARGE), ("b", 8.5, 1), then=("a", 9, 9 * LARGE)))
    message = f"Large reviews of {6 * LARGE} bytes are arriving already. Try again."
    assert (refused.value.status, str(refused.value)) == (HTTPStatus.TOO_MANY_REQUESTS, message)


def test_no_body_is_larger_than_two_objects() -> None:
    with pytest.raises(LargeBodyError) as refused:
        asyncio.run(_dropped(then=("a", 9, MAX_BODY_BYTES + 1)))
    assert refused.value.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


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
