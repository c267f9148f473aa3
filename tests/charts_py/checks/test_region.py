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
    ],
)
def test_a_region_is_spelt_as_its_provider_does(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
