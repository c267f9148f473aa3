"""Settings of the admission policies that contradict each other, and mirrors of registries."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.gitops import DOCKER_HUB, DOCKER_HUB_SERVERS, is_registry
from charts_py.cluster_file.quantity import bytes_of
from charts_py.platform.draft import Draft
from policies.image import registry_of
from policies.rule_name import Mode


def check_shared_memory(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where bounds contradict each other."""
    shared_memory = draft.cluster.policies.shared_memory
    path = ("policies", "sharedMemory")
    floor, cap = bytes_of(shared_memory.floor), bytes_of(shared_memory.cap)
    if floor > cap:
        what = f"{shared_memory.floor} is above the cap"
        yield Problem((*path, "floor"), what, f"at most {shared_memory.cap}")
    elif not floor <= bytes_of(shared_memory.default) <= cap:
        what = f"{shared_memory.default} is not between floor and cap"
        yield Problem((*path, "default"), what, f"{shared_memory.floor} to {shared_memory.cap}")


def check_exceptions(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each exception without effect."""
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
    of_teams = {name for _, name, _ in draft.namespaces()}
    for index, name in enumerate(draft.cluster.policies.exempt.namespaces):
        if name in of_teams:
            path = ("policies", "exempt", "namespaces", index)
            what = f'namespace "{name}" belongs to a team'
            yield Problem(path, what, "another namespace; for a team's, use `rules` or exceptions")


def check_registries(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that is not a registry's, and each mirror in a wrong place."""
    mirrors = {name: each.mirror for name, each in draft.cluster.registries.items()}
    for name in mirrors:
        yield from _check_name(name)
    for name, mirror in mirrors.items():
        yield from _check_chain(name, mirror, mirrors)
    for one, other in combinations(mirrors, 2):
        yield from _check_overlap(one, other, mirrors)


def _check_name(name: str) -> Iterator[Problem]:
    if is_registry(name):
        return
    path = ("registries", name)
    if name in DOCKER_HUB_SERVERS:
        yield Problem(path, f'"{name}" is another name of {DOCKER_HUB}', DOCKER_HUB)
        return
    host = (name.partition("://")[2] or name).partition("/")[0].lower()
    allowed = host if is_registry(host) else "a registry such as nvcr.io"
    yield Problem(path, f'"{name}" is not the name of a registry', allowed)


def _check_chain(name: str, mirror: str, mirrors: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem where a mirror is in a registry that has one itself, such as in a circle."""
    registry = registry_of(f"{mirror}/any")
    if registry not in mirrors:
        return
    where = "itself the registry" if registry == name else f"in {registry}, which has a mirror"
    yield Problem(_mirror_path(name), f'"{mirror}" is {where}', "a registry that has no mirror")


def _check_overlap(one: str, other: str, mirrors: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a problem where images of two registries could have the same name in their mirrors."""
    first, second = f"{mirrors[one]}/", f"{mirrors[other]}/"
    if not (first.startswith(second) or second.startswith(first)):
        return
    what = f'"{mirrors[other]}" overlaps the mirror of {one}, where images of one name would meet'
    server, name = mirrors[other].partition("/")[0], other.partition(":")[0]
    yield Problem(_mirror_path(other), what, f"a place of its own, such as {server}/{name}")


def _mirror_path(name: str) -> FieldPath:
    return ("registries", name, "mirror")
