"""Whatever an export holds, it is read or told of."""

import copy
from collections.abc import Iterator
from typing import Any, TypeAlias

from hypothesis import given, strategies as st

from gpuplane.adoption.adoption import check_file, cluster_file
from gpuplane.adoption.export_files import read_exports
from gpuplane.adoption.found_object import AdoptionError, FoundObject, Inventory
from tests.gpuplane.adoption.conftest import EXPORTS

Path: TypeAlias = tuple[str | int, ...]

ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    8.5,
    10**30,
    "",
    "yes",
    "8",
    "-3",
    "1e3",
    "\u0663",
    "a\nb",
    "\u202e",
    "9" * 5000,
    [],
    {},
    ["a"],
    [None],
    [{}],
    {"a": None},
    {"key": 1},
)
"""Values that no field of a sound object has."""

DOCUMENTS = tuple(
    tuple(one.document for one in read_exports([EXPORTS / name]).objects)
    for name in ("eks", "gke", "aks", "onprem")
)


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    if path not in ((), ("apiVersion",), ("kind",)):
        yield path
    steps: Any = value if isinstance(value, dict) else ()
    for step in range(len(value)) if isinstance(value, list) else steps:
        yield from _paths(value[step], (*path, step))


@st.composite
def inventories(draw: st.DrawFn) -> Inventory:
    documents = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for document in draw(st.lists(st.sampled_from(documents), min_size=1, max_size=4)):
        paths = list(_paths(document))
        if not paths:
            continue
        *steps, last = draw(st.sampled_from(paths))
        holder: Any = document
        for step in steps:
            holder = holder[step]
        holder[last] = copy.deepcopy(draw(st.sampled_from(ODD)))
    return Inventory(tuple(FoundObject(one, "an export") for one in documents), "an export")


@given(inventories())
def test_a_broken_export_makes_a_file_that_can_be_read(inventory: Inventory) -> None:
    try:
        text = cluster_file(inventory)
    except AdoptionError:
        return  # without GPUs, or of two providers
    faults = check_file(text, "sample", None).faults
    assert [fault for fault in faults if "YAML" in fault.problem.what] == []
