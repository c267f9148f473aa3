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
            "h100: 24",
            "h100: 25",
            (
                "sample.yaml:60: teams.search.namespaces.search.quota.gpus.h100: the quotas on "
                "pool h100 add up to 33: 25 (research) + 8 (search); allowed: at most 32, which "
                "is 4 nodes x 8 allocations"
            ),
        ),
        (
            "eks",
            "a100-mig: 64",
            "a100-mig: 65",
            (
                "sample.yaml:60: teams.search.namespaces.search.quota.gpus.a100-mig: the quotas "
                "on pool a100-mig add up to 65: 65 (search); allowed: at most 64, which is 2 "
                "nodes x 32 allocations"
            ),
        ),
        (
            "eks",
            "a10g: 16}",
            "a10g: 33}",
            (
                "sample.yaml:45: teams.research.namespaces.research.quota.gpus.a10g: the quotas "
                "on pool a10g add up to 33: 33 (research); allowed: at most 32, which is 2 "
                "nodes x 16 allocations"
            ),
        ),
    ],
)
def test_quotas_add_up_to_no_more_than_the_capacity(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
