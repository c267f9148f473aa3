"""Which kind an object is meant to be of, where nobody serves the one that it states."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gpuplane.lint.api_versions.served_kinds import kubernetes_groups, served_versions
from gpus.nearest import MAX_LENGTH, is_one_typo
from policies.workloads.registry import WORKLOAD_KINDS

_WORKLOADS = frozenset(known.kind for known in WORKLOAD_KINDS)
_ENDING = re.compile(r"(\.sigs|\.k8s|\.x-k8s)*\.[a-z]+$")
"""Of a group: the top-level domain, with what the projects of Kubernetes have before it."""


class MeantKind(NamedTuple):
    """A kind that is served."""

    group: str
    kind: str


@lru_cache(maxsize=1024)
def meant_kind(group: str, kind: str) -> MeantKind | None:
    """Return the kind that is meant by one that is not served; None where it may be anybody's.

    Its name differs by case or by one letter, or else its group is another one.
    """
    if max(len(group), len(kind)) > MAX_LENGTH:
        return None
    own = group.casefold()
    if (near := _near_name(kind, served_versions().get(own, ()))) is not None:
        return MeantKind(own, near)
    places = [each for each in _elsewhere(kind) if _is_mistaken(own, each)]
    return min(places, key=lambda each: (not _is_near(own, each.group), each.group), default=None)


def _near_name(kind: str, known: Iterable[str]) -> str | None:
    names = {each.casefold(): each for each in known}
    stated = kind.casefold()
    typo = (name for spelled, name in names.items() if is_one_typo(stated, spelled))
    return names.get(stated) or next(typo, None)


def _elsewhere(kind: str) -> Iterator[MeantKind]:
    for group, kinds in served_versions().items():
        yield from (MeantKind(group, each) for each in kinds if each.casefold() == kind.casefold())


def _is_mistaken(group: str, meant: MeantKind) -> bool:
    """Whether a group that has no such kind stands for the one that does.

    The group of a definition has a dot, so that no other group has a workload.
    https://github.com/kubernetes/kubernetes/blob/v1.37.0/staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go
    Others do have kinds that are called like those of Kubernetes, such as a PodGroup.
    """
    if "." not in group and meant.kind in _WORKLOADS:
        return True
    if meant.group in kubernetes_groups():
        return is_one_typo(group, meant.group)
    return _is_near(group, meant.group)


def _is_near(group: str, known: str) -> bool:
    """Whether one is a typo of the other, ends otherwise, or is a domain of it."""
    return (
        is_one_typo(group, known)
        or _ENDING.sub("", group) == _ENDING.sub("", known)
        or group.endswith(f".{known}")
        or known.endswith(f".{group}")
    )
