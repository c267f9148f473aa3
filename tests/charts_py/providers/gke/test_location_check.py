from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_gke_cluster_is_in_its_region(faults_after: Callable[..., str]) -> None:
    assert faults_after("gke", ("location: europe-west4", "location: us-east1")) == (
        'sample.yaml:10: gke.location: "us-east1" is not in europe-west4; allowed: '
        "europe-west4, or a zone such as europe-west4-a"
    )
