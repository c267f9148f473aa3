from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.load import load_platform
from charts_py.spec.fault import SpecError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LONG = "s" * 64


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "  search:\n    owner",
            "  Search:\n    owner",
            (
                'sample.yaml:50: teams.Search: "Search" is no name for a team; allowed: '
                "^[a-z]([-a-z0-9]{0,26}[a-z0-9])?$"
            ),
        ),
        (
            "eks",
            "  search:\n    owner",
            "  sssssssssssssssssssssssssssss:\n    owner",
            (
                "sample.yaml:50: teams.sssssssssssssssssssssssssssss: "
                '"sssssssssssssssssssssssssssss" has 29 characters; a team takes at most 28; '
                "allowed: ^[a-z]([-a-z0-9]{0,26}[a-z0-9])?$"
            ),
        ),
    ],
)
def test_a_team_has_a_short_lower_case_name(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "      search:\n",
            "      search_live:\n",
            (
                'sample.yaml:57: teams.search.namespaces.search_live: "search_live" is no name '
                "for a namespace; allowed: ^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"
            ),
        ),
        (
            "eks",
            "      search:\n",
            f"      {LONG}:\n",
            (
                f'sample.yaml:57: teams.search.namespaces.{LONG}: "{LONG}" has 64 '
                "characters; a namespace takes at most 63; allowed: "
                "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$"
            ),
        ),
    ],
)
def test_a_namespace_has_a_name_that_kubernetes_takes(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "      search:\n",
            "      research:\n",
            (
                'sample.yaml:57: teams.search.namespaces.research: namespace "research" is team '
                "research's already; allowed: one team a namespace"
            ),
        ),
    ],
)
def test_a_namespace_is_of_one_team(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "      search:\n",
            "      kube-system:\n",
            (
                'sample.yaml:57: teams.search.namespaces.kube-system: namespace "kube-system" '
                "is the platform's; allowed: a name of the team's own"
            ),
        ),
        (
            "eks",
            "      search:\n",
            "      argocd:\n",
            (
                'sample.yaml:57: teams.search.namespaces.argocd: namespace "argocd" is the '
                "platform's; allowed: a name of the team's own"
            ),
        ),
        (
            "eks",
            "      search:\n",
            "      monitoring:\n",
            (
                'sample.yaml:57: teams.search.namespaces.monitoring: namespace "monitoring" is '
                "the platform's; allowed: a name of the team's own"
            ),
        ),
    ],
)
def test_a_namespace_is_not_the_platforms(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "  system: {",
            "  system-gpu: {",
            (
                'sample.yaml:31: priorities.system-gpu: "system-gpu" begins like the priority '
                "classes of Kubernetes itself; allowed: a name without system-"
            ),
        ),
        (
            "eks",
            "  system: {",
            "  System: {",
            (
                'sample.yaml:31: priorities.System: "System" is no name for a priority class; '
                "allowed: ^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$"
            ),
        ),
    ],
)
def test_a_priority_class_is_not_kubernetes_own(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


def test_a_cluster_has_a_name_of_its_own(sample: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "fleet.yaml"
    file.write_text(sample("eks"), encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        load_platform(file, None)
    assert str(caught.value) == (
        f'{file}:1: "fleet" is the name of the folder dist/fleet; allowed: another name of the file'
    )
