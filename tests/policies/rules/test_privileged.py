from typing import Any

import pytest

from policies.rules.privileged import RULE
from tests.policies.conftest import found, gpu_pod, message


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
def test_rights_over_the_node_are_refused(security: Any, field: str, said: str) -> None:
    assert message(found(RULE, gpu_pod({"securityContext": security}))) == (
        f"/spec/containers/0/securityContext/{field} The container train {said}, which gives "
        "it every GPU of the node. Remove it from spec.containers[0].securityContext."
    )


@pytest.mark.parametrize(
    "security", [{"privileged": False}, {"capabilities": {"add": ["IPC_LOCK", 1]}}, "malformed"]
)
def test_other_rights_pass(security: Any) -> None:
    assert found(RULE, gpu_pod({"securityContext": security})) == []
