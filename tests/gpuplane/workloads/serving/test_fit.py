"""Whether a model fits."""

import pytest

from gpuplane.workloads.serving.fit import (
    Demand,
    Layers,
    Room,
    Split,
    fits,
    kv_cache_each,
    least_nodes,
    overhead,
    smallest,
    splits,
    weights_each,
)
from gpuplane.workloads.serving.reserve import GIB, Reserve

H100 = 80 * GIB


@pytest.mark.parametrize(
    ("reserve", "gib", "weights", "gpus", "kept"),
    [
        (Reserve.PART, 100, 0, 1, 10.0),
        (Reserve.REST, 100, 0, 1, 11.8),
        (Reserve.REST, 100, 80, 1, 10.0),
        (Reserve.BATCH, 80, 0, 1, 14.002),
        (Reserve.BATCH, 80, 0, 8, 15.345),
        (Reserve.BATCH, 40, 0, 1, 7.552),
        (Reserve.BATCH, 3, 0, 1, 3.0),
    ],
)
def test_an_engine_keeps_what_it_asks_to_run(
    reserve: Reserve, gib: int, weights: int, gpus: int, kept: float
) -> None:
    demand = Demand(weights * GIB, None, reserve=reserve)
    assert overhead(demand, gib * GIB, Split(gpus, 1)) / GIB == pytest.approx(kept, abs=0.08)


@pytest.mark.parametrize(
    ("layers", "nodes", "weights", "kv_cache"),
    [
        (Layers(10, 10), 1, 100, 50),
        (Layers(10, 10), 4, 30, 15),
        (Layers(10, 8), 4, 38, 15),
        (Layers(10, 5), 2, 100, 25),
        (None, 4, 25, 13),
    ],
)
def test_nodes_share_whole_layers_and_the_one_with_most_has_to_fit(
    layers: Layers | None, nodes: int, weights: int, kv_cache: int
) -> None:
    demand, split = Demand(100, 50, layers=layers), Split(1, nodes)
    assert (weights_each(demand, split), kv_cache_each(demand, split)) == (weights, kv_cache)


@pytest.mark.parametrize(
    ("layers", "gib", "nodes"), [(None, 140, 2), (Layers(3, 3), 140, 3), (Layers(2, 2), 200, None)]
)
def test_a_model_has_no_more_nodes_than_it_needs(
    layers: Layers | None, gib: int, nodes: int | None
) -> None:
    assert least_nodes(Demand(gib * GIB, None, layers=layers), H100, 1) == nodes


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
