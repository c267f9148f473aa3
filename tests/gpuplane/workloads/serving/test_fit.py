"""Whether a model fits."""

import pytest

from gpuplane.workloads.serving.fit import (
    GIB,
    Demand,
    Room,
    Split,
    fits,
    kv_cache_each,
    overhead,
    smallest,
    splits,
    weights_each,
)

H100 = 80 * GIB


def test_a_gpu_keeps_eight_percent_and_two_gib_to_run() -> None:
    assert overhead(100 * GIB) == 10 * GIB


@pytest.mark.parametrize(
    ("split", "weights", "kv_cache"),
    [(Split(1, 1), 64, 32), (Split(8, 1), 8, 4), (Split(16, 1), 4, 4), (Split(8, 2), 4, 2)],
)
def test_heads_of_the_cache_are_not_split_further(
    split: Split, weights: int, kv_cache: int
) -> None:
    demand = Demand(64, 32, kv_heads=8)
    assert (weights_each(demand, split), kv_cache_each(demand, split)) == (weights, kv_cache)


@pytest.mark.parametrize(("heads", "kv_cache"), [(None, 32), (1, 32), (4, 8), (8, 4)])
def test_gpus_beyond_the_heads_that_are_known_hold_copies(heads: int | None, kv_cache: int) -> None:
    assert kv_cache_each(Demand(64, 64, heads), Split(8, 2)) == kv_cache


@pytest.mark.parametrize(
    ("gib", "kv_cache", "fit"),
    [(71, 0, True), (72, 0, False), (70, 1, True), (70, 2, False), (71, None, True)],
)
def test_weights_and_what_is_known_of_the_cache_fit_beside_the_rest(
    gib: int, kv_cache: int | None, fit: bool
) -> None:
    cache = None if kv_cache is None else kv_cache * GIB
    assert fits(Demand(gib * GIB, cache), H100, Split(1, 1)) is fit


def test_a_model_is_split_on_powers_of_two_and_then_on_nodes() -> None:
    ways = [(each.gpus, each.nodes) for each in splits(Room(H100, 6, 3))]
    assert ways == [(1, 1), (2, 1), (4, 1), (4, 2), (4, 3)]


@pytest.mark.parametrize(
    ("gib", "split"), [(16, Split(1, 1)), (140, Split(2, 1)), (600, Split(8, 2)), (3000, None)]
)
def test_the_smallest_split_is_the_first_that_fits(gib: int, split: Split | None) -> None:
    room = Room(H100, 8, 4)
    assert smallest(Demand(gib * GIB, None), room, splits(room)) == split
