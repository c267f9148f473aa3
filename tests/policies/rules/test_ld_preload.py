from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.ld_preload import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


@pytest.mark.parametrize("fields", [{"value": "/a.so"}, {"valueFrom": {}}])
def test_a_preloaded_library_is_refused(found: Found, gpu_pod: MakePod, fields: Any) -> None:
    pod = gpu_pod({"env": [{"name": "A"}, {"name": "LD_PRELOAD"} | fields]})
    assert _messages(found(RULE, pod)) == [
        (
            "/spec/containers/0/env/1 The container train sets LD_PRELOAD on a pod with GPUs. "
            "Remove "
            "spec.containers[0].env[1]; set it in a start script."
        )
    ]


def test_other_variables_pass(found: Found, gpu_pod: MakePod) -> None:
    assert found(RULE, gpu_pod({"env": [{"name": "LD_LIBRARY_PATH"}, None, {"name": 1}]})) == []
