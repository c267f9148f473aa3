"""Clusters of which the same is told but for their names, so that it is told once."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from charts_py.cluster_file.fault import counted
from policies.document import few

_MAX_NAMED, _FEW = 5, 2
_Told = TypeVar("_Told")


def alike(told: Iterable[tuple[str, str, _Told]]) -> Iterator[tuple[_Told, tuple[str, ...]]]:
    """Yield one of the values whose texts differ by nothing but their cluster, with the others.

    Each value comes with its cluster and its text; of the others, the clusters are yielded.
    """
    found: dict[str, list[tuple[str, _Told]]] = {}
    for cluster, text, value in told:
        name = rf"(?<![\w-]){re.escape(cluster)}(?![\w])" if cluster else "$."
        found.setdefault(re.sub(name, "CLUSTER", text), []).append((cluster, value))
    for (_, first), *others in found.values():
        yield first, tuple(cluster for cluster, _ in others)


def told_once(told: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the clauses of clusters, and of those that are alike one, which names the others."""
    for text, others in alike((cluster, text, text) for cluster, text in told):
        yield f"{text} (the same on {names_of(others)})" if others else text


def names_of(clusters: Sequence[str]) -> str:
    """Name clusters: all of a few, of many the first: `inference, mixed and 38 more`."""
    return few(clusters, len(clusters) if len(clusters) <= _MAX_NAMED else _FEW)


def same_holds(others: Sequence[str]) -> str:
    return f"The same holds for {counted(len(others), 'more cluster')}: {names_of(others)}."


def is_cut_short(clusters: Sequence[str]) -> bool:
    return len(clusters) > _MAX_NAMED
