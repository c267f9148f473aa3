"""What must hold of the models that nodes keep: known names, room on the disks, who may read."""

from collections.abc import Iterator, Mapping

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.node_cache import CachedModel
from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.team import Namespace
from charts_py.components.team.definition import egress_problems
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import NameRule, check_known, check_name
from policies.settings import PodSecurity

PATH: FieldPath = ("serving", "nodeCache")
_NAME = NameRule("a model", r"[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?", 63, "qwen3-32b")
_GIB = 2**30


def check_node_cache(draft: Draft) -> Iterator[Problem]:
    cache = draft.cluster.serving.node_cache
    if cache is None or not draft.is_whole(PATH):
        return
    for name in cache.models:
        yield from check_name(_NAME, (*PATH, "models", name), name)
    yield from egress_problems(draft, (*PATH, "egress"), cache.egress)
    if draft.is_whole(("pools",)):
        yield from _pools(draft, cache.models)
        yield from _disks(draft, cache.models)
    if draft.is_whole(("teams",)):
        yield from _namespaces(draft, cache.models)


def _pools(draft: Draft, models: Mapping[str, CachedModel]) -> Iterator[Problem]:
    for path, model in _paths(models):
        for index, pool in enumerate(model.pools):
            known = draft.names_at(("pools",))
            yield from check_known("pool", pool, known, (*path, "pools", index))


def _disks(draft: Draft, models: Mapping[str, CachedModel]) -> Iterator[Problem]:
    """Yield a problem where models are more than the disk of a node, as far as that is known."""
    for pool in draft.pools:
        sizes = {name: bytes_of(one.size) for name, one in models.items() if pool.name in one.pools}
        if not sizes or pool.hardware is None or not draft.has_driver_owner:
            continue
        most = draft.provider.most_disk(pool.hardware, draft.driver_owner)
        kept = sum(sizes.values())
        if most is not None and kept > most:
            path = (*PATH, "models", tuple(sizes)[-1], "size")
            what = f"the models of pool {pool.name} take {kept / _GIB:.0f} GiB of each node's disk"
            yield Problem(path, what, f"at most {most // _GIB} GiB, which pods have of it")


def _namespaces(draft: Draft, models: Mapping[str, CachedModel]) -> Iterator[Problem]:
    namespaces = {name: one for _, name, one in draft.namespaces()}
    for path, model in _paths(models):
        for index, name in enumerate(model.namespaces):
            place = (*path, "namespaces", index)
            yield from check_known("namespace", name, tuple(namespaces), place)
            if name in namespaces:
                yield from _reader(place, name, namespaces[name], model)


def _reader(
    path: FieldPath, name: str, namespace: Namespace, model: CachedModel
) -> Iterator[Problem]:
    if not set(namespace.quota.pools) & set(model.pools):
        what = f"{name} has GPUs of none of the pools {', '.join(model.pools)}"
        yield Problem(path, what, "a namespace with a quota of one of them")
    if namespace.pod_security is not PodSecurity.RESTRICTED:
        what = f"pods of {name} may be root, who could change what other teams read"
        yield Problem(path, what, f"a namespace with podSecurity: {PodSecurity.RESTRICTED}")


def _paths(models: Mapping[str, CachedModel]) -> Iterator[tuple[FieldPath, CachedModel]]:
    for name, model in models.items():
        yield (*PATH, "models", name), model
