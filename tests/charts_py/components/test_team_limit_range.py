"""Defaults and maxima of a container."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from charts_py.components.team_limit_range import TeamLimitRange, TeamLimitRangeProps, quantity
from charts_py.spec.quantity import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from constructs import Construct

    from charts_py.document import Document
    from charts_py.platform.platform import Platform


def test_the_largest_node_is_the_most_and_gpus_have_no_default(
    example: Callable[[str], Platform],
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    platform = example("training")
    nodes = tuple(platform.pool(name).hardware for name in ("a10g-notebooks", "a100-mixed"))
    props = TeamLimitRangeProps("research", nodes)
    (document,) = documents_of(lambda scope: TeamLimitRange(scope, "limits", props))
    assert document == {
        "apiVersion": "v1",
        "kind": "LimitRange",
        "metadata": {
            "name": "limits",
            "namespace": "research",
            "labels": {"app.kubernetes.io/managed-by": "gpuplane"},
        },
        "spec": {
            "limits": [
                {
                    "type": "Container",
                    "default": {"cpu": "96", "memory": "4Gi"},
                    "defaultRequest": {"cpu": "500m", "memory": "4Gi"},
                    "max": {"cpu": "96", "memory": "1152Gi"},
                },
                {"type": "Pod", "max": {"memory": "1152Gi"}},
            ]
        },
    }


def test_no_default_exceeds_a_small_node(
    example: Callable[[str], Platform],
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    small = replace(example("training").pool("h100").hardware, cpu=1, memory=2 * 2**30)
    props = TeamLimitRangeProps("research", (small,))
    (document,) = documents_of(lambda scope: TeamLimitRange(scope, "limits", props))
    assert document["spec"]["limits"][0] == {
        "type": "Container",
        "default": {"cpu": "1", "memory": "2Gi"},
        "defaultRequest": {"cpu": "500m", "memory": "2Gi"},
        "max": {"cpu": "1", "memory": "2Gi"},
    }


@given(st.integers(1, 2**52))
def test_a_quantity_reads_back_as_the_same_bytes(count: int) -> None:
    assert bytes_of(quantity(count)) == count


def test_a_quantity_has_the_largest_suffix_that_divides() -> None:
    written = [quantity(count) for count in (2**41, 1152 * 2**30, 2000 * 10**6, 1)]
    assert written == ["2Ti", "1152Gi", "1953125Ki", "1"]
