from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

ALLOWED = "pods reach the endpoint of the cloud's workload identity without asking"


@pytest.mark.parametrize(
    ("cidr", "link_local"),
    [
        ("169.254.169.254/32", "169.254.0.0/16"),
        ("169.254.0.0/16", "169.254.0.0/16"),
        ("fe80::/64", "fe80::/10"),
    ],
)
def test_egress_leads_to_no_address_of_the_node(
    faults_after: Callable[..., str], cidr: str, link_local: str
) -> None:
    assert faults_after("eks", ("[10.20.0.0/16]", f'["{cidr}"]')) == (
        f'sample.yaml:49: teams.research.namespaces.research.egress[0]: "{cidr}" is link-local, '
        "where nodes answer with their own credentials; allowed: networks outside of "
        f"{link_local}; {ALLOWED}"
    )
