"""Settings of the admission policies that contradict each other."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.draft import Draft
from policies.rule_name import Mode


def check_policies(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where bounds contradict each other, and for each exception without effect."""
    yield from _shared_memory(draft)
    yield from _exceptions(draft)


def _shared_memory(draft: Draft) -> Iterator[Problem]:
    shared_memory = draft.cluster.policies.shared_memory
    path = ("policies", "sharedMemory")
    floor, cap = bytes_of(shared_memory.floor), bytes_of(shared_memory.cap)
    if floor > cap:
        what = f"{shared_memory.floor} is above the cap"
        yield Problem((*path, "floor"), what, f"at most {shared_memory.cap}")
    elif not floor <= bytes_of(shared_memory.default) <= cap:
        what = f"{shared_memory.default} is not between floor and cap"
        yield Problem((*path, "default"), what, f"{shared_memory.floor} to {shared_memory.cap}")


def _exceptions(draft: Draft) -> Iterator[Problem]:
    policies = draft.cluster.policies
    seen: dict[tuple[str, str], int] = {}
    for index, exception in enumerate(policies.exceptions):
        path = ("policies", "exceptions", index)
        if policies.rules.get(exception.rule, policies.mode) is Mode.OFF:
            what = f"{exception.rule} is {Mode.OFF} on this cluster, so the exception has no effect"
            yield Problem((*path, "rule"), what, f"a rule that is not {Mode.OFF}")
        key = (exception.rule, exception.namespace)
        if key in seen:
            what = f"{exception.rule} already has an exception in {exception.namespace}"
            yield Problem(path, what, f"once, as in policies.exceptions[{seen[key]}]")
        seen.setdefault(key, index)


def check_exempt(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each exempt namespace that belongs to a team."""
    of_teams = {name for _, name, _ in draft.namespaces()}
    for index, name in enumerate(draft.cluster.policies.exempt.namespaces):
        if name in of_teams:
            path = ("policies", "exempt", "namespaces", index)
            what = f'namespace "{name}" belongs to a team'
            yield Problem(path, what, "another namespace; for a team's, use `rules` or exceptions")
