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
            "region: us-east-1",
            "region: us-east1",
            (
                'sample.yaml:2: region: "us-east1" is no region of eks; allowed: text such as '
                "us-east-1, matching ^[a-z]{2}(-[a-z]+){1,2}-[0-9]+$"
            ),
        ),
        (
            "gke",
            "region: europe-west4",
            "region: westeurope",
            (
                'sample.yaml:2: region: "westeurope" is no region of gke; allowed: text such as '
                "europe-west4, matching ^[a-z]+-[a-z]+[0-9]+$"
            ),
        ),
        (
            "aks",
            "region: westeurope",
            "region: west-europe",
            (
                'sample.yaml:2: region: "west-europe" is no region of aks; allowed: text such '
                "as westeurope, matching ^[a-z]+[0-9]?$"
            ),
        ),
    ],
)
def test_a_region_is_spelt_as_its_provider_does(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "gke",
            "location: europe-west4",
            "location: us-east1",
            (
                'sample.yaml:10: gke.location: "us-east1" is not in europe-west4; allowed: '
                "europe-west4, or a zone such as europe-west4-a"
            ),
        ),
    ],
)
def test_a_gke_cluster_is_in_its_region(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
