"""Pods that are too large to be read are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.cel.pod import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    LIMITS,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    TOLERATIONS,
    VOLUMES,
)
from policies.in_cel.match_conditions import ASKING, MAX_IN_CONTAINER, MAX_IN_POD, MAX_IN_TERM
from tests.policies.in_cel.shown_pods import Shown, pod_asking, pod_of, pod_requiring


def _each(count: int) -> dict[str, Any]:
    return {f"a{number}": "1" for number in range(count)}


LARGE: dict[str, Callable[[int], dict[str, Any]]] = {
    CONTAINERS: lambda count: pod_of(
        initContainers=[{"name": "i"}], ephemeralContainers=[{"name": "e"}] * (count - 2)
    ),
    VOLUMES: lambda count: pod_of(volumes=[{"name": "a", "emptyDir": {}}] * count),
    TOLERATIONS: lambda count: pod_of(tolerations=[{"key": "a"}] * count),
    NODE_SELECTOR: lambda count: pod_of(nodeSelector=_each(count)),
    NODE_TERMS: lambda count: pod_requiring([{}] * count),
    LIMITS: lambda count: pod_asking(limits=_each(count)),
    REQUESTS: lambda count: pod_asking(requests=_each(count)),
    ENVIRONMENT: lambda count: pod_of({"env": [{"name": "A"}] * count}),
    EXPRESSIONS: lambda count: pod_requiring([{}, {"matchExpressions": [{"key": "a"}] * count}]),
}
"""Pods that concern no rule, by what they have that many of."""
BOUNDS = {**MAX_IN_POD, **MAX_IN_CONTAINER, **MAX_IN_TERM}


@pytest.mark.parametrize("field", BOUNDS)
def test_a_pod_is_shown_where_it_is_too_large_to_be_read(is_shown: Shown, field: str) -> None:
    make, most = LARGE[field], BOUNDS[field]
    assert [is_shown(make(count)) for count in (most, most + 1)] == [False, True]


@pytest.mark.parametrize("field", BOUNDS)
def test_a_pod_is_shown_to_be_fixed_where_it_is_too_large_to_ask(
    is_shown_to_be_fixed: Shown, field: str
) -> None:
    make, most = LARGE[field], BOUNDS[field]
    shown = [is_shown_to_be_fixed(make(count)) for count in (most, most + 1)]
    assert shown == [False, field in ASKING]
