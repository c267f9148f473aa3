"""The ways to weights as a table for people, and as a report."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.fault import counted
from gpuplane.json_output import attributes
from gpuplane.reports.cost.cost_report import amount
from gpuplane.reports.recommendation.weights import Way, WeightWays, process_seconds
from gpuplane.tables import Table
from gpus.purchase import LIST_CURRENCY

_GB = 10**9


def weight_sentence(found: WeightWays) -> str:
    best = found.ways[0]
    part = f"part of a GPU ({found.resource})"
    where = part if found.resource else counted(int(found.gpus), "GPU")
    return (
        f"A replica with {found.size / _GB:g} GB of weights on {where} answers soonest, "
        f"after {_duration(best.new_node)}, where it reads them from {best.words}: {best.option}."
    )


def weight_table(found: WeightWays) -> Table:
    headers = (
        "Weights from",
        "gpuplane new llm",
        "On a new node",
        "On the same node",
        f"{found.starts} starts a month, {found.currency}",
        f"Stored a month, {LIST_CURRENCY}",
    )
    return Table(headers, tuple(map(_row, found.ways)), words=2)


def _row(way: Way) -> tuple[str, ...]:
    times = (_duration(way.new_node), _duration(way.same_node))
    return (way.words, way.option, *times, amount(way.waiting), amount(way.storage))


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def weight_notes() -> Iterator[str]:
    yield (
        "Times are from the start of the container to the first token, or, of an image and of the "
        "disks of nodes, from the start of the download: the size of the weights by what was "
        f"measured of one process and 13 to 61 GB, and {process_seconds()} s of a server that was "
        "compiled before, which none is with --cache none. A new node, and the engine's image, "
        "take as long whatever holds the weights."
    )
    yield "Starts cost what the GPUs of a replica do while it loads, each on a new node."
    yield (
        "What is stored costs what clouds list for it, on the disks of nodes once for each that "
        "the pool can have, where these are not local; a ? is not listed here."
    )


def weight_fields(found: WeightWays) -> dict[str, Any]:
    shown = attributes(found, "size", "resource", "starts", "currency")
    gpus = round(float(found.gpus), 4)
    return {**shown, "gpus": gpus, "items": [_way(way) for way in found.ways]}


def _way(way: Way) -> dict[str, Any]:
    return {
        "name": way.name,
        "option": way.option,
        "newNode": round(way.new_node),
        "sameNode": round(way.same_node),
        "waiting": None if way.waiting is None else round(way.waiting, 2),
        "storage": None if way.storage is None else round(way.storage, 2),
    }
