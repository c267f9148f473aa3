"""Whether the hardware of every pool is stated, once, by known names."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.spec.fault import Problem


def check_hardware(draft: Draft) -> Iterator[Problem]:
    """Yield why the hardware of a pool is unknown."""
    for pool in draft.pools:
        yield from pool.hardware_problems
