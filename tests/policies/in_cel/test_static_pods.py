"""Static pods are left alone, unless somebody else than their kubelet shows them."""

from __future__ import annotations

from typing import Any

import pytest

from policies.cel.pod import IS_NO_STATIC_POD
from tests.policies.in_cel.shown_pods import pod_of, shown_by

KUBELET = {"groups": ["system:nodes", "system:authenticated"]}
SOMEBODY = {"groups": ["ml-research", "system:authenticated"]}


@pytest.mark.parametrize(
    ("operation", "user", "shown"),
    [
        ("CREATE", KUBELET, False),
        ("CREATE", SOMEBODY, True),
        ("CREATE", {}, True),
        ("UPDATE", SOMEBODY, False),
    ],
)
def test_a_static_pod_is_kept_away_where_a_kubelet_shows_it(
    operation: str, user: dict[str, Any], shown: bool
) -> None:
    pod = pod_of()
    pod["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "a"}
    is_shown = shown_by([IS_NO_STATIC_POD])
    assert is_shown(pod, operation=operation, userInfo=user) is shown
