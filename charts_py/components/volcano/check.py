"""Whether Volcano's chart can be given what the cluster file says."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.volcano_queues.api import DEFAULT_QUEUE
from charts_py.platform.draft import Draft

_ITS_OWN = (DEFAULT_QUEUE, "root")
"""Queues that it makes itself."""


def check_volcano(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a second pull secret, and for namespaces named as queues of its own."""
    if not draft.is_whole(("queues",)) or draft.cluster.queue_engine is not QueueEngine.VOLCANO:
        return
    secrets = draft.cluster.pull_secret_names
    if len(secrets) > 1:
        what = f"Volcano pulls by one secret, and there are {len(secrets)}: {', '.join(secrets)}"
        yield Problem(("queues", "engine"), what, "one secret for all registries")
    for path, name, _ in draft.namespaces():
        if name in _ITS_OWN:
            yield Problem(path, f'Volcano has a queue "{name}" of its own', "another name")
