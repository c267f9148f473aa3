"""Whether what teams say of their queues has a meaning on the cluster."""

from collections.abc import Callable, Iterator, Mapping

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.queues import Borrowing, MultiKueue
from charts_py.cluster_file.team import Namespace
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.name_rule import check_known
from gpus.nearest import nearest

_FIELD = "multiKueue"
_LIMITS = ("borrow", "lend")
_OF_KUEUE = {
    "ready_minutes": ("readyMinutes", "pods that start have no time limit here"),
    "recovery_minutes": ("recoveryMinutes", "pods that start have no time limit here"),
    "uncounted": ("uncounted", "queues count GPUs alone here"),
    "retries": ("retries", "no job gives its GPUs back here"),
    "strategy": ("strategy", "queues have an order of their own here"),
}
_ONLY_KUEUE = f"only with queues.engine: {QueueEngine.KUEUE}"
_NOT_KAI = f"{_ONLY_KUEUE} or {QueueEngine.VOLCANO}"
_WHOLE_GPUS = frozenset({"nvidia.com/gpu", "amd.com/gpu"})
"""What KAI counts as a GPU, beside parts of one: pkg/scheduler/api/resource_info at v0.17.0 of
https://github.com/kai-scheduler/KAI-Scheduler."""


def check_queues(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each share and each limit that no queue can keep."""
    yield from _check_limits(draft)
    yield from _check_without_queues(draft)
    yield from _check_uncounted(draft)
    if draft.is_whole(("queues",)):
        for check in _OF_ENGINES.get(draft.cluster.queue_engine, ()):
            yield from check(draft)


def _check_without_queues(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each setting of a team that no queue reads."""
    if not draft.is_whole(("queues",)):
        return
    yield from _check_strategies(draft)
    borrowing = draft.cluster.borrowing
    for name, team in draft.cluster.teams.items():
        if team.share != 1 and borrowing is not Borrowing.CLUSTER:
            yield _without_effect(("teams", name, "share"), Borrowing.CLUSTER)
    if borrowing is Borrowing.NONE:
        for path, _, namespace in draft.namespaces():
            for limit in _LIMITS:
                if getattr(namespace.quota, limit):
                    yield _without_effect((*path, "quota", limit), Borrowing.TEAM)


def _check_strategies(draft: Draft) -> Iterator[Problem]:
    if draft.cluster.queue_engine is not QueueEngine.KUEUE:
        for path, _, namespace in draft.namespaces():
            if namespace.queue_strategy is not None:
                yield Problem((*path, "queueStrategy"), "Kueue has no queue here", _ONLY_KUEUE)


def _without_effect(path: FieldPath, least: Borrowing) -> Problem:
    kinds = list(Borrowing)
    values = " or ".join(kind.value for kind in kinds[kinds.index(least) :])
    return Problem(path, "nothing is borrowed here", f"only with queues.borrowing: {values}")


def _check_limits(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each limit where a namespace has no quota, or a smaller one."""
    for path, _, namespace in draft.namespaces():
        quota = namespace.quota
        pools = ", ".join(quota.pools)
        for limit, stated in (("borrow", quota.borrow), ("lend", quota.lend)):
            for pool, count in stated.items():
                at, own = (*path, "quota", limit, pool), quota.gpus.get(pool, 0)
                if own == 0:
                    what = f"there is no quota on pool {pool}"
                    yield Problem(at, what, f"pools of quota.gpus: {pools}")
                elif limit == "lend" and count > own:
                    what = f"{count} are more than there are"
                    yield Problem(at, what, f"at most {own}, its quota")


def _check_uncounted(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each resource that no queue counts, and that pools offer as GPUs."""
    if not draft.is_whole(("queues",)) or draft.cluster.queues is None:
        return
    facts = [pool.facts for pool in draft.pools if pool.facts is not None]
    gpus = {resource.name for each in facts for resource in each.resources}
    for index, name in enumerate(draft.cluster.queues.uncounted):
        # Kueue takes each for the beginning of names.
        if any(gpu.startswith(name) for gpu in gpus):
            path = ("queues", "uncounted", index)
            yield Problem(path, f"{name} are GPUs, which queues count", "other resources")


def _check_settings(draft: Draft) -> Iterator[Problem]:
    queues = draft.cluster.queues
    for field, (name, what) in _OF_KUEUE.items():
        if queues is not None and field in queues.model_fields_set:
            yield Problem(("queues", name), what, _ONLY_KUEUE)


def _check_counted_together(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each limit of one of several pools that are a single number."""
    counted = {pool.name: _resources(pool) for pool in draft.pools}
    if draft.cluster.queue_engine is QueueEngine.KAI:
        # GPUs of every maker are one to it.
        for name, resources in counted.items():
            counted[name] = resources if resources - _WHOLE_GPUS else _WHOLE_GPUS
    for path, _, namespace in draft.namespaces():
        for limit in _LIMITS:
            for pool in getattr(namespace.quota, limit):
                others = [
                    name
                    for name in namespace.quota.pools
                    if name != pool
                    and counted.get(name, frozenset()) & counted.get(pool, frozenset())
                ]
                if others:
                    what = f"GPUs of {pool} and {', '.join(others)} are counted together here"
                    yield Problem((*path, "quota", limit, pool), what, _ONLY_KUEUE)


def _resources(pool: DraftPool) -> frozenset[str]:
    return frozenset(each.name for each in pool.facts.resources) if pool.facts else frozenset()


def _check_whole_gpus(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool where KAI counts no GPUs, or counts parts of a GPU as GPUs."""
    for pool in draft.pools:
        if pool.facts is None or pool.facts.device_class is not None:
            continue
        if names := ", ".join(sorted(_resources(pool) - _WHOLE_GPUS)):
            yield Problem(pool.path, f"queues count whole GPUs alone here, not {names}", _NOT_KAI)


def _check_lent(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each namespace that would keep what it leaves unused."""
    for path, _, namespace in draft.namespaces():
        if namespace.quota.lend:
            yield Problem((*path, "quota", "lend"), "all that is unused is lent here", _NOT_KAI)


def _check_shares(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each share, since what is unused goes to teams by their quotas."""
    if draft.cluster.borrowing is Borrowing.CLUSTER:
        for name, team in draft.cluster.teams.items():
            if team.share != 1:
                what = "what is unused goes to teams in proportion to their quotas here"
                yield Problem(("teams", name, "share"), what, _ONLY_KUEUE)


def _check_claims(draft: Draft) -> Iterator[Problem]:
    for pool in draft.pools:
        if pool.facts is not None and pool.facts.device_class is not None:
            yield Problem(pool.path, "queues count no GPUs that DRA gives out here", _ONLY_KUEUE)


_OF_ENGINES: Mapping[QueueEngine | None, tuple[Callable[[Draft], Iterator[Problem]], ...]] = {
    QueueEngine.VOLCANO: (_check_settings, _check_counted_together, _check_shares, _check_claims),
    QueueEngine.KAI: (
        _check_settings,
        _check_counted_together,
        _check_lent,
        _check_whole_gpus,
        _check_claims,
    ),
}
"""What each cannot keep."""


def check_multi_kueue(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each cluster and namespace that cannot be what is said of it."""
    multi_kueue = draft.cluster.multi_kueue
    if multi_kueue is None or not draft.is_whole((_FIELD,)):
        return
    if multi_kueue.manager in multi_kueue.workers:
        at = (_FIELD, "workers", multi_kueue.workers.index(multi_kueue.manager))
        yield Problem(at, f"{multi_kueue.manager} is the manager", "other clusters")
    named: dict[FieldPath, str] = {
        (_FIELD, "manager"): multi_kueue.manager,
        **{(_FIELD, "workers", i): name for i, name in enumerate(multi_kueue.workers)},
    }
    for path, name in named.items():
        yield from check_known("cluster", name, draft.cluster_names, path)
    if draft.name in (multi_kueue.manager, *multi_kueue.workers):
        if draft.is_whole(("queues",)) and draft.cluster.queue_engine is not QueueEngine.KUEUE:
            what = f"{draft.name} has no queues of Kueue"
            yield Problem((_FIELD,), what, f"clusters with queues.engine: {QueueEngine.KUEUE}")
        yield from _check_namespaces(draft, multi_kueue)


def _check_namespaces(draft: Draft, multi_kueue: MultiKueue) -> Iterator[Problem]:
    if not draft.is_whole(("teams",)):
        return
    own = {name: namespace for _, name, namespace in draft.namespaces()}
    for index, name in enumerate(multi_kueue.namespaces):
        path = (_FIELD, "namespaces", index)
        if name not in own:
            what = f'no team of {draft.name} has a namespace "{name}"'
            yield Problem(path, what, ", ".join(own) or None, nearest(name, own))
        else:
            yield from _check_quota(path, name, own[name], draft.name, multi_kueue)


def _check_quota(
    path: FieldPath, name: str, namespace: Namespace, cluster: str, multi_kueue: MultiKueue
) -> Iterator[Problem]:
    has_gpus = any(namespace.quota.gpus.values())
    if multi_kueue.is_worker(cluster) and not has_gpus:
        yield Problem(path, f"{name} has no quota on GPUs of {cluster}", "quota.gpus of some pool")
    if multi_kueue.is_manager(cluster) and has_gpus:
        what = f"{name} has a quota on GPUs of {cluster}, which its jobs would never use"
        yield Problem(path, what, "namespaces with quotas in the workers alone")
