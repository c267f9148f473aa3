"""Policies of the rules name every namespace, up to as many as an API server can read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from charts_py.cluster_file.admission import Admission
from charts_py.components.admission_policies.definition import ADMISSION_POLICIES
from charts_py.platform.render_error import RenderError
from charts_py.rendering.size_check import check_sizes

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    DocumentsOf: TypeAlias = Callable[[Component], tuple[Document, ...]]

FIT, TOO_MANY = 1200, 4000


def _of_teams(platform: Platform, count: int, admission: Admission) -> Platform:
    """Return a platform of that many teams with a namespace each."""
    cluster = platform.cluster
    (team, *_) = cluster.teams.values()
    (namespace, *_) = team.namespaces.values()
    teams = {
        f"team-{n}": team.model_copy(update={"namespaces": {f"research-{n}": namespace}})
        for n in range(count)
    }
    policies = cluster.policies.model_copy(update={"admission": admission})
    update = {"teams": teams, "policies": policies}
    return replace(platform, cluster=cluster.model_copy(update=update))


def _check(platform: Platform, documents_of_component: DocumentsOf) -> None:
    (component,) = ADMISSION_POLICIES.plan(platform)
    documents = documents_of_component(component)
    check_sizes("sample", {component.name: documents}, {component.name: component.when_too_large})


def test_those_of_many_teams_are_rendered(
    example: Callable[[str], Platform], documents_of_component: DocumentsOf
) -> None:
    platform = _of_teams(example("onprem"), FIT, Admission.IN_TREE_ONLY)
    _check(platform, documents_of_component)


def test_of_too_many_it_is_said_what_to_use(
    example: Callable[[str], Platform], documents_of_component: DocumentsOf
) -> None:
    platform = _of_teams(example("onprem"), TOO_MANY, Admission.BACKSTOP)
    with pytest.raises(RenderError) as refused:
        _check(platform, documents_of_component)
    remedies = {fault.rpartition("; ")[2] for fault in str(refused.value).splitlines()}
    assert remedies == {"for a cluster of this size, use policies.admission: webhook-only"}
