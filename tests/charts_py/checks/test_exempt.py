from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_no_namespace_of_a_team_is_exempt(faults_after: Callable[..., str]) -> None:
    text = "policies:\n  exempt:\n    namespaces:\n      - logging\n      - search\n"
    assert faults_after("eks", ("policies:\n", text)) == (
        'sample.yaml:68: policies.exempt.namespaces[1]: namespace "search" is a team\'s; '
        "allowed: another namespace; a team's has `rules` and exceptions"
    )
