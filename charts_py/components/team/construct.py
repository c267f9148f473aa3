"""A team: for each of its namespaces what it may use, who may use it, and who may reach it."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.components.team.objects import team_objects
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform, TeamNamespace


class Team(Construct):
    """The namespaces of a team and what bounds them."""

    def __init__(
        self, scope: Construct, id: str, platform: Platform, namespaces: Iterable[TeamNamespace]
    ) -> None:
        super().__init__(scope, id)
        for namespace in namespaces:
            add_documents(self, team_objects(platform, namespace))
