import asyncio
import random
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

from webhook.gate import LARGE_BODY_BYTES, MAX_BODY_BYTES, MAX_HEAD_BYTES, Arrival, Gate, Limits

LARGE = LARGE_BODY_BYTES + 1
LIMITS = Limits(bodies=3, body_bytes=10 * LARGE)
PACE = int(LIMITS.pace)
NOW = 9.0


class Came(NamedTuple):
    """A body that is arriving when another comes."""

    peer: str
    since: float
    size: int = 1
    parts: Sequence[tuple[float, int]] = ()
    """When how many bytes of it came."""


async def _arrival(came: Came) -> Arrival:
    """Return a body that is waited for, as by who reads it."""
    patience = asyncio.timeout(None)
    await patience.__aenter__()
    arrival = Arrival(came.peer, came.size, came.since, patience, bytearray())
    for when, size in came.parts:
        arrival.take(bytes(size), when, LIMITS.pace)
    return arrival


async def _dropped(*arriving: Came, then: Came) -> list[int]:
    """Return the numbers of those that are dropped for another."""
    gate = Gate(LIMITS)
    with ExitStack() as admitted:
        held = [await _arrival(each) for each in arriving]
        for each, came in zip((*held, await _arrival(then)), (*arriving, then), strict=True):
            admitted.enter_context(gate.admit(each, came.since))
    assert [each.patience.when() is None for each in held] == [not each.is_dropped for each in held]
    return [number for number, each in enumerate(held) if each.is_dropped]


DRIPS = [(when / 10, 1) for when in range(90)]
FAST = [(8.99, PACE), (NOW, PACE)]


@pytest.mark.parametrize(
    ("arriving", "then", "dropped"),
    [
        pytest.param([Came("a", 0)] * 2, Came("b", NOW), [], id="there is room"),
        pytest.param([Came("a", 0)] * 3, Came("b", NOW), [0], id="the oldest of equal ones"),
        pytest.param(
            [Came("a", 8.5), Came("a", 0), Came("a", 8.5)], Came("a", NOW), [1], id="the slowest"
        ),
        pytest.param(
            [Came("a", 8, 1, FAST), Came("a", 8.3, 1, [(8.9, 9)]), Came("a", 8.5, 1, [(8.9, 9)])],
            Came("a", NOW),
            [1],
            id="of those of which nothing to speak of came, the one that waits for longest",
        ),
        pytest.param(
            [Came("a", 8.9, 1, FAST), Came("a", 0, 1, DRIPS), Came("a", 8.9, 1, FAST)],
            Came("a", NOW),
            [1],
            id="who drips, not who has paused for a moment",
        ),
        pytest.param(
            [Came("a", 0, 1, [(0, 3 * PACE), *DRIPS]), Came("a", 8.8), Came("a", 8.8)],
            Came("a", NOW),
            [0],
            id="who was fast once, and drips since",
        ),
        pytest.param(
            [Came("a", 8.99, 1, [(8.99, each)]) for each in (900, 1, 800)],
            Came("a", NOW),
            [1],
            id="of those that have just begun, the one of which least came",
        ),
        pytest.param(
            [Came("b", 8.95), Came("a", 8.95, 1, FAST), Came("a", 8.96, 1, FAST)],
            Came("c", NOW),
            [1],
            id="of an address that holds more, though its bodies are fast",
        ),
        pytest.param(
            [Came("b", 8.98), Came("b", 8.98), Came("a", 8)],
            Came("b", NOW),
            [2],
            id="who drips, though another address holds more",
        ),
        pytest.param(
            [Came("b", 8.65), Came("a", 8.75), Came("a", 8.75)],
            Came("c", NOW),
            [1],
            id="of an address that holds more, which is about as slow",
        ),
        pytest.param(
            [Came("a", 0, 4 * LARGE), Came("a", 0, 4 * LARGE)],
            Came("b", NOW, 9 * LARGE),
            [0, 1],
            id="as many large ones as a large one needs",
        ),
        pytest.param(
            [Came("a", 0), Came("a", 8, 4 * LARGE)],
            Came("b", NOW, 9 * LARGE),
            [1],
            id="no small one for the bytes of a large one",
        ),
        pytest.param(
            [Came("a", 0, 10 * LARGE)],
            Came("b", NOW, LARGE_BODY_BYTES),
            [],
            id="no large one for the bytes of a small one",
        ),
        pytest.param(
            [Came("a", 0, LARGE)], Came("b", NOW, 11 * LARGE), [0], id="all, for what is too much"
        ),
    ],
)
def test_a_body_takes_the_place_of_what_is_furthest_behind(
    arriving: list[Came], then: Came, dropped: list[int]
) -> None:
    assert asyncio.run(_dropped(*arriving, then=then)) == dropped


def test_of_a_body_that_is_dropped_no_more_than_the_head_is_kept() -> None:
    async def fact() -> tuple[int, float | None]:
        large = await _arrival(Came("a", 0, 1, [(0, 2 * MAX_HEAD_BYTES)]))
        large.drop(NOW)
        return len(large.body), large.patience.when()

    assert asyncio.run(fact()) == (MAX_HEAD_BYTES, NOW)


def test_a_body_whose_patience_has_ended_is_dropped_as_well() -> None:
    async def fact() -> list[bool]:
        gate = Gate(Limits(bodies=1))
        late = await _arrival(Came("a", 0))
        with gate.admit(late, 0):
            late.patience.reschedule(0)
            while not late.patience.expired():
                try:
                    await asyncio.sleep(0)
                except asyncio.CancelledError:
                    break
            with gate.admit(await _arrival(Came("a", NOW)), NOW):
                return [late.patience.expired(), late.is_dropped]

    assert asyncio.run(fact()) == [True, True]


PART = 16 * 2**10
"""Bytes of a TLS record at most, by which the API server sends."""
REVIEW = 3 * 2**20
PART_SECONDS = PART / 12.5e6
"""At 100 megabits a second."""
SIZES = (100, 200_000, 1_000_000, MAX_BODY_BYTES)
FIRST = (1, 1, 9, 900)
"""Bytes by which a body begins that comes by a byte at a time."""


@dataclass
class Drips:
    """Bodies of the API server's own address, each of which comes by a byte at a time."""

    gate: Gate
    chance: random.Random
    held: list[tuple[Arrival, ExitStack]] = field(default_factory=list)

    async def begin(self, count: int, now: float) -> None:
        """Begin as many bodies."""
        for _ in range(count):
            came = Came("a", now, self.chance.choice(SIZES), [(now, self.chance.choice(FIRST))])
            arrival, admitted = await _arrival(came), ExitStack()
            admitted.enter_context(self.gate.admit(arrival, now))
            self.held.append((arrival, admitted))

    def go_on(self, now: float) -> None:
        """Send a byte of each, and leave those that were dropped."""
        for arrival, admitted in self.held:
            if arrival.is_dropped:
                admitted.close()
            else:
                arrival.take(b" ", now, self.gate.limits.pace)
        self.held = [each for each in self.held if not each[0].is_dropped]


@pytest.mark.parametrize("seed", range(4))
def test_no_review_gives_way_to_who_drips_and_nothing_is_above_its_bound(seed: int) -> None:
    async def fact() -> None:
        chance = random.Random(seed)  # noqa: S311 # a simulation
        limits = Limits()
        gate = Gate(limits)
        drips = Drips(gate, chance)
        now = 0.0
        for _ in range(100):
            await drips.begin(1, now)
            now += chance.choice([0, 0.001, 0.1])
        review = await _arrival(Came("a", now, REVIEW, [(now, 1000)]))
        with gate.admit(review, now):
            while len(review.body) < REVIEW:
                await drips.begin(chance.choice([0, 0, 1, 100]), now + PART_SECONDS / 2)
                now += PART_SECONDS
                review.take(bytes(PART), now, limits.pace)
                drips.go_on(now)
                arriving = [review, *(each for each, _ in drips.held)]
                assert not review.is_dropped
                assert len(arriving) <= limits.bodies
                assert sum(each.large for each in arriving) <= limits.body_bytes

    asyncio.run(fact())
