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
            "live: 1.0.0",
            "live: 1.2.0",
            ("sample.yaml:5: live: 1.2.0 is later than the version, 1.1.0; allowed: up to 1.1.0"),
        ),
        (
            "eks",
            "version: 1.1.0\nlive: 1.0.0",
            "version: 1.1.0-rc.1\nlive: 1.1.0",
            (
                "sample.yaml:5: live: 1.1.0 is later than the version, 1.1.0-rc.1; allowed: up "
                "to 1.1.0-rc.1"
            ),
        ),
    ],
)
def test_what_is_live_has_been_rendered(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
