"""How much work something is, by calls rather than by time, which differs from run to run."""

import sys
from collections.abc import Callable
from types import FrameType


def counted_calls(work: Callable[[], object]) -> int:
    """Return how often anything is called, or asked for its next element, in this process."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def is_linear(work: Callable[[int], Callable[[], object]], size: int) -> bool:
    """Whether twice as much is at most about twice the work; `work` prepares some of a size."""
    work(size)()  # what is kept for good is made before it is counted
    small, large = (counted_calls(work(each)) for each in (size, 2 * size))
    return large < 2.3 * small
