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
            "  rules: {image-tag: warn}",
            "  sharedMemory: {floor: 1Gi, cap: 512Mi}",
            (
                "sample.yaml:65: policies.sharedMemory.floor: 1Gi is above the cap; allowed: at "
                "most 512Mi"
            ),
        ),
        (
            "eks",
            "  rules: {image-tag: warn}",
            "  sharedMemory: {cap: 512Mi}",
            (
                "sample.yaml:65: policies.sharedMemory.default: 1Gi is outside of floor and "
                "cap; allowed: 64Mi to 512Mi"
            ),
        ),
        (
            "eks",
            "  rules: {image-tag: warn}",
            "  sharedMemory: {default: 1Mi}",
            (
                "sample.yaml:65: policies.sharedMemory.default: 1Mi is outside of floor and "
                "cap; allowed: 64Mi to 64Gi"
            ),
        ),
    ],
)
def test_bounds_of_the_shared_memory_do_not_cross(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "{image-tag: warn}",
            "{host-ipc: off}",
            (
                "sample.yaml:68: policies.exceptions[0].rule: host-ipc is off on this cluster, "
                "so nothing is excepted; allowed: a rule that is not off"
            ),
        ),
        (
            "eks",
            "  rules: {image-tag: warn}",
            "  mode: off",
            (
                "sample.yaml:68: policies.exceptions[0].rule: host-ipc is off on this cluster, "
                "so nothing is excepted; allowed: a rule that is not off"
            ),
        ),
    ],
)
def test_an_exception_is_from_a_rule_that_is_on(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "      expires: 2027-03-31\n",
            (
                "      expires: 2027-03-31\n"
                "    - rule: host-ipc\n"
                "      namespace: research\n"
                "      reason: the same once more\n"
                "      owner: research@example.com\n"
                "      expires: 2027-06-30\n"
            ),
            (
                "sample.yaml:73: policies.exceptions[1]: host-ipc is excepted in research "
                "already; allowed: once, as in policies.exceptions[0]"
            ),
        ),
    ],
)
def test_an_exception_stands_once(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
