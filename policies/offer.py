"""What the pools of a cluster offer, found by the resource that a pod asks for."""

from collections.abc import Iterable
from functools import lru_cache, partial

from policies.document import Json
from policies.gpu_names import GpuNames
from policies.node_terms import Term, read_selector, read_terms
from policies.pod import Pod
from policies.reach import Reach, find_reach, offers_by_resource
from policies.settings import PoolSettings
from policies.toleration import UNSET, keeps_off

_MAX_REACHES = 1024
"""Combinations of resources, node selector and node affinity whose reach is cached."""
_MAX_CACHED = 64
"""Requirements and values of one pod; more are not cached, so that nobody can fill the memory with
them."""


class Offer:
    """What the pools of a cluster offer."""

    def __init__(self, pools: tuple[PoolSettings, ...]) -> None:
        self.pools = pools
        self.by_resource = offers_by_resource(pools)
        self.resources = tuple(sorted(self.by_resource))
        """The names of all resources that some pool offers, sorted."""
        self.labels = _values_by_label(pools)
        """The values that each label has on the nodes of some pool."""
        self.tolerating_keys = _tolerating_keys(pools)
        """The keys of all tolerations that tolerate a taint which keeps pods off some pool."""
        self.names = GpuNames(self.by_resource)
        """The names by which pods ask for GPUs, offered or not."""
        self._find_reach = partial(find_reach, pools)
        self._cached_reach = lru_cache(maxsize=_MAX_REACHES)(self._find_reach)

    def reach(self, pod: Pod) -> Reach:
        """Return the pools that a pod can run on, by what it asks for and the nodes it selects.

        Whether it tolerates their taints does not matter: a rule adds what is missing.
        """
        selector = pod.node_selector
        term = read_selector(selector, self.labels) if selector else ()
        terms = read_terms(pod.node_terms, self.labels)
        length = _length(term)
        for one in terms or ():
            length += _length(one)
        wanted = self._offered(pod.gpus)
        find = self._cached_reach if length + len(wanted) <= _MAX_CACHED else self._find_reach
        return find(wanted, term, terms)

    def _offered(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Return what is wanted; nothing where some of it is offered nowhere."""
        names = tuple(wanted)
        for name in names:
            if name not in self.by_resource:
                return ()
        return names


def _length(term: Term) -> int:
    """Return how many requirements and values the cache would keep of the term, and one for it."""
    length = 1
    for _, _, values in term:
        length += 1 + len(values)
    return length


def _values_by_label(pools: Iterable[PoolSettings]) -> dict[str, set[str]]:
    values: dict[str, set[str]] = {}
    for pool in pools:
        for key, value in pool.labels.items():
            values.setdefault(key, set()).add(value)
    return values


def _tolerating_keys(pools: Iterable[PoolSettings]) -> tuple[Json, ...]:
    keys = {taint.key for pool in pools for taint in pool.taints if keeps_off(taint)}
    return (*UNSET, *sorted(keys))
