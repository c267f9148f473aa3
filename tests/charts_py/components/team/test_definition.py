"""When there are teams, and what each is a component of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.team.definition import TEAM
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_each_team_is_a_component_in_the_wave_of_teams(
    example: Callable[[str], Platform],
) -> None:
    components = [(c.name, c.wave, c.namespace) for c in TEAM.plan(example("training"))]
    assert components == [
        ("team-recommendations", Wave.TEAMS, "recommendations"),
        ("team-research", Wave.TEAMS, "research-notebooks"),
    ]
