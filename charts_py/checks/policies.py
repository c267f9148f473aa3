"""Settings of the admission policies that contradict each other."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.spec.fault import Problem
from charts_py.spec.quantity import bytes_of


def check_policies(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where bounds of the shared memory cross."""
    shared_memory = draft.cluster.policies.shared_memory
    path = ("policies", "sharedMemory")
    floor, cap = bytes_of(shared_memory.floor), bytes_of(shared_memory.cap)
    if floor > cap:
        what = f"{shared_memory.floor} is above the cap"
        yield Problem((*path, "floor"), what, f"at most {shared_memory.cap}")
    if not floor <= bytes_of(shared_memory.default) <= max(floor, cap):
        what = f"{shared_memory.default} is outside of floor and cap"
        yield Problem((*path, "default"), what, f"{shared_memory.floor} to {shared_memory.cap}")
