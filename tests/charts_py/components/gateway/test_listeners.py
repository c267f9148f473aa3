"""Listeners of the Gateway, of which it has so many."""

from collections.abc import Callable
from dataclasses import replace

from charts_py.cluster_file.fault import Problem
from charts_py.components.gateway.listeners import check_listeners
from charts_py.platform.draft import Draft


def test_no_more_teams_serve_than_a_gateway_has_listeners(drafted: Callable[[str], Draft]) -> None:
    draft = drafted("serving")
    team = draft.cluster.teams["research"]
    teams = {f"team-{number}": team for number in range(65)}
    cluster = draft.cluster.model_copy(update={"teams": teams})
    assert list(check_listeners(replace(draft, cluster=cluster))) == [
        Problem(
            ("serving", "gateway"),
            "65 teams with a namespace of inference and 0 hubs have a listener each",
            "at most 64, as a Gateway has listeners",
        )
    ]
