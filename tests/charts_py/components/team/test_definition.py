import re

import pytest

from charts_py.components.team.definition import TEAM
from charts_py.components.team.objects import team_objects
from charts_py.constructs.render import render
from charts_py.platform.wave import Wave
from tests.charts_py.fixture_types import DocumentsOf, Load


def test_each_team_is_a_component_in_the_wave_of_teams(example: Load) -> None:
    components = [(c.name, c.wave, c.namespace) for c in TEAM.plan(example("training"))]
    assert components == [
        ("team-recommendations", Wave.TEAMS, "recommendations"),
        ("team-research", Wave.TEAMS, "research-notebooks"),
    ]


def test_a_team_has_the_objects_of_its_namespaces_and_no_others(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    platform = example("training")
    (component,) = (c for c in TEAM.plan(platform) if c.name == "team-research")
    namespaces = [each for each in platform.namespaces if each.team_name == "research"]
    objects = (document for each in namespaces for document in team_objects(platform, each))
    assert [each.name for each in namespaces] == ["research-notebooks", "research-training"]
    assert documents_of_component(component) == tuple(objects)


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_it_reads_the_gpus_and_objects_of_a_quota_and_nothing_else(
    example: Load, cluster: str
) -> None:
    nearly_full, _ = TEAM.rules.alerts()
    (selector,) = set(re.findall(r'resource=~"(.*?)"', nearly_full.expression))
    platform = example(cluster)
    quotas = [
        document["spec"]["hard"]
        for documents in render(platform).folders.values()
        for document in documents
        if document["kind"] == "ResourceQuota" and document["metadata"]["name"] == "quota"
    ]
    read = {name for hard in quotas for name in hard if re.fullmatch(selector, name)}
    objects = {name for hard in quotas for name in hard if name.startswith(("pods", "count/"))}
    assert read == objects | {f"requests.{resource}" for resource in platform.offered_resources}
