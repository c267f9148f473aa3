from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "[10.20.0.0/16]",
            "[10.20.0.1/16]",
            (
                'sample.yaml:49: teams.research.namespaces.research.egress[0]: "10.20.0.1/16" '
                "is no network address; allowed: 10.20.0.0/16"
            ),
        ),
        (
            "eks",
            "[10.20.0.0/16]",
            "[10.20.0.1]",
            (
                'sample.yaml:49: teams.research.namespaces.research.egress[0]: "10.20.0.1" is '
                "no CIDR; allowed: 10.20.0.1/32"
            ),
        ),
        (
            "eks",
            "[10.20.0.0/16]",
            "[s3.amazonaws.com]",
            (
                "sample.yaml:49: teams.research.namespaces.research.egress[0]: "
                '"s3.amazonaws.com" is no CIDR; allowed: a network such as 10.20.0.0/16'
            ),
        ),
        (
            "eks",
            "[10.20.0.0/16]",
            "[10.20.0.0/33]",
            (
                'sample.yaml:49: teams.research.namespaces.research.egress[0]: "10.20.0.0/33" '
                "is no CIDR; allowed: a network such as 10.20.0.0/16"
            ),
        ),
    ],
)
def test_egress_is_to_networks(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "[ml-research]",
            "[system:masters]",
            (
                'sample.yaml:39: teams.research.members.users[0]: "system:masters" is a group '
                "of Kubernetes itself; allowed: groups of your own people"
            ),
        ),
        (
            "eks",
            "[ml-research]",
            '["", " a"]',
            (
                'sample.yaml:39: teams.research.members.users[0]: "" is no name of a group; '
                "allowed: text without spaces around it\n"
                'sample.yaml:39: teams.research.members.users[1]: " a" is no name of a group; '
                "allowed: text without spaces around it"
            ),
        ),
    ],
)
def test_members_are_groups_of_ones_own(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            '"^train-[0-9]+$"',
            '"^train-[0-9+$"',
            (
                'sample.yaml:22: pools.h200.match.hostnames[0]: "^train-[0-9+$" is no regular '
                "expression: unterminated character set at position 7; allowed: one such as "
                "^train-[0-9]+$"
            ),
        ),
    ],
)
def test_hostnames_are_regular_expressions(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
