"""What a detector looks at on nodes."""

import pytest

from charts_py.components.node_problem_detector.monitors import is_testable
from gpus.sharing import Sharing
from gpus.vendor import AMD, NVIDIA


@pytest.mark.parametrize(
    ("vendor", "sharing", "expected"),
    [
        (NVIDIA, Sharing(), True),
        (NVIDIA, Sharing(time_slicing=4), True),
        (NVIDIA, Sharing(mps=4), False),
        (NVIDIA, Sharing(mig=(("1g.10gb", 7),)), False),
        (NVIDIA, Sharing(mig=(("1g.10gb", 7),), time_slicing=4), False),
        (AMD, Sharing(), False),
    ],
)
def test_whole_gpus_of_nvidia_can_be_tested(vendor: str, sharing: Sharing, expected: bool) -> None:
    assert is_testable(vendor, sharing) is expected
