"""Whether a cluster can take jobs for others, or run those that another takes."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.queues import MultiKueue, QueueEngine
from charts_py.cluster_file.team import Namespace
from charts_py.platform.draft import Draft
from gpus.nearest import nearest

_FIELD = "multiKueue"


def check_multi_kueue(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each cluster and namespace that cannot be what is said of it."""
    multi_kueue = draft.cluster.multi_kueue
    if multi_kueue is None or not draft.is_whole((_FIELD,)):
        return
    if multi_kueue.manager in multi_kueue.workers:
        path = (_FIELD, "workers", multi_kueue.workers.index(multi_kueue.manager))
        yield Problem(path, f"{multi_kueue.manager} is the manager", "other clusters")
    yield from _clusters(draft, multi_kueue)
    if draft.name in (multi_kueue.manager, *multi_kueue.workers):
        yield from _engine(draft)
        yield from _namespaces(draft, multi_kueue)


def _clusters(draft: Draft, multi_kueue: MultiKueue) -> Iterator[Problem]:
    """Yield a problem for each name without a cluster file."""
    files = draft.directory.glob("*.yaml")
    known = sorted(file.stem for file in files if file.name != FLEET_FILE)
    named: dict[FieldPath, str] = {
        (_FIELD, "manager"): multi_kueue.manager,
        **{(_FIELD, "workers", i): name for i, name in enumerate(multi_kueue.workers)},
    }
    for path, name in named.items():
        if name not in known:
            yield Problem(path, f'unknown cluster "{name}"', ", ".join(known), nearest(name, known))


def _engine(draft: Draft) -> Iterator[Problem]:
    if draft.is_whole(("queues",)) and draft.cluster.queue_engine is not QueueEngine.KUEUE:
        what = f"{draft.name} has no queues of Kueue"
        yield Problem((_FIELD,), what, f"clusters with queues.engine: {QueueEngine.KUEUE}")


def _namespaces(draft: Draft, multi_kueue: MultiKueue) -> Iterator[Problem]:
    if not draft.is_whole(("teams",)):
        return
    own = {name: namespace for _, name, namespace in draft.namespaces()}
    for index, name in enumerate(multi_kueue.namespaces):
        path = (_FIELD, "namespaces", index)
        if name not in own:
            what = f'no team of {draft.name} has a namespace "{name}"'
            yield Problem(path, what, ", ".join(own) or None, nearest(name, own))
        else:
            yield from _quota(path, name, own[name], draft.name, multi_kueue)


def _quota(
    path: FieldPath, name: str, namespace: Namespace, cluster: str, multi_kueue: MultiKueue
) -> Iterator[Problem]:
    has_gpus = any(namespace.quota.gpus.values())
    if multi_kueue.is_worker(cluster) and not has_gpus:
        yield Problem(path, f"{name} has no quota on GPUs of {cluster}", "quota.gpus of some pool")
    if multi_kueue.is_manager(cluster) and has_gpus:
        what = f"{name} has a quota on GPUs of {cluster}, which its jobs would never use"
        yield Problem(path, what, "namespaces with quotas in the workers alone")
