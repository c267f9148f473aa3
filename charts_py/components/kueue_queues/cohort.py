"""Who borrows from whom: the namespaces of a team, and the teams of a cluster."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.queues import Borrowing
from charts_py.cluster_file.team import Team
from charts_py.components.kueue_queues.api import API_VERSION
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform
from gpus.platform_names import LABEL_PREFIX

ALL_TEAMS = f"all-teams.{LABEL_PREFIX}"
"""The Cohort over all teams; the name of a team has no dot."""


def cohorts(platform: Platform, borrowing: Borrowing) -> Iterator[Document]:
    """Yield a Cohort for each team, and one over all where they lend to each other."""
    if borrowing is Borrowing.NONE:
        return
    is_shared = borrowing is Borrowing.CLUSTER
    if is_shared:
        yield _cohort(ALL_TEAMS, {})
    for name, team in sorted(platform.cluster.teams.items()):
        yield _cohort(name, _among_teams(team) if is_shared else {})


def _among_teams(team: Team) -> dict[str, Any]:
    return {"parentName": ALL_TEAMS, "fairSharing": {"weight": team.share}}


def _cohort(name: str, spec: dict[str, Any]) -> Document:
    return object_of(API_VERSION, "Cohort", ObjectMeta(name), {"spec": spec})
