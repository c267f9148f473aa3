from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from policies.document import Document
from policies.finding import Finding
from policies.rules.privileged import RULE

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _messages(findings: list[Finding]) -> list[str]:
    return [f"{finding.path} {finding.message} {finding.remedy}" for finding in findings]


@pytest.mark.parametrize(
    ("security", "field", "said"),
    [
        ({"privileged": True}, "privileged", "is privileged"),
        (
            {"capabilities": {"add": ["NET_ADMIN", "SYS_ADMIN"]}},
            "capabilities/add/1",
            "adds the capability SYS_ADMIN",
        ),
        (
            {"capabilities": {"add": ["CAP_SYS_ADMIN"]}},
            "capabilities/add/0",
            "adds the capability CAP_SYS_ADMIN",
        ),
        (
            {"capabilities": {"add": ["\u017fys_admin"]}},
            "capabilities/add/0",
            "adds the capability \u017fys_admin",
        ),
    ],
)
def test_rights_over_the_node_are_refused(
    found: Found, gpu_pod: MakePod, security: Any, field: str, said: str
) -> None:
    assert _messages(found(RULE, gpu_pod({"securityContext": security}))) == [
        (
            f"/spec/containers/0/securityContext/{field} The container train {said}, which gives "
            "it every GPU of the node. Remove it from spec.containers[0].securityContext."
        )
    ]


@pytest.mark.parametrize(
    "security", [{"privileged": False}, {"capabilities": {"add": ["IPC_LOCK", 1]}}, "malformed"]
)
def test_other_rights_pass(found: Found, gpu_pod: MakePod, security: Any) -> None:
    assert found(RULE, gpu_pod({"securityContext": security})) == []
