from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.spec.quantity import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "memory: 4Ti",
            "memory: 4TB",
            (
                'sample.yaml:47: teams.research.namespaces.research.quota.memory: "4TB" is no '
                "quantity; allowed: digits and one of k, M, G, T, P, Ki, Mi, Gi, Ti, Pi"
            ),
        ),
        (
            "eks",
            "memory: 4Ti",
            "memory: 1.5Ti",
            (
                'sample.yaml:47: teams.research.namespaces.research.quota.memory: "1.5Ti" is no '
                "quantity; allowed: digits and one of k, M, G, T, P, Ki, Mi, Gi, Ti, Pi"
            ),
        ),
        (
            "eks",
            "memory: 4Ti",
            "memory: 512",
            (
                "sample.yaml:47: teams.research.namespaces.research.quota.memory: 512 is a "
                "number in YAML; quote it; allowed: text such as 512Gi, matching "
                "^[0-9]+(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$"
            ),
        ),
    ],
)
def test_a_quantity_is_digits_and_a_suffix(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "memory: 4Ti",
            "memory: 0Gi",
            (
                'sample.yaml:47: teams.research.namespaces.research.quota.memory: "0Gi" is '
                "nothing; allowed: more"
            ),
        ),
        (
            "onprem",
            "memory: 512Gi",
            'memory: "0"',
            'sample.yaml:27: pools.l40s.memory: "0" is nothing; allowed: more',
        ),
    ],
)
def test_a_quantity_that_must_be_something_is_not_nothing(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("quantity", "size"),
    [("0", 0), ("7", 7), ("3k", 3000), ("512Gi", 512 * 2**30), ("2P", 2 * 10**15)],
)
def test_a_quantity_has_a_size_in_bytes(quantity: str, size: int) -> None:
    assert bytes_of(quantity) == size
