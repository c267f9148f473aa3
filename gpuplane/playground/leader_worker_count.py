"""How many pods a LeaderWorkerSet has of one of its templates.

Source: https://lws.sigs.k8s.io/docs/reference/leaderworkerset.v1/: of each of its `replicas`, the
leader and `size` less one workers, both 1 by default. Without a template of its own, the leader has
that of the workers.
"""

from collections.abc import Mapping, Sequence

from gpuplane.playground.stated_count import stated_count
from policies.document import Json


def leader_worker_count(above: Sequence[Mapping[str, Json]], pointer: str) -> int:
    """Return how many pods there are.

    `above` are the objects on the way to the template, which the pointer leads to.
    """
    spec, group = above[-2:]
    replicas, size = stated_count(spec, "replicas", 1), stated_count(group, "size", 1)
    if pointer.endswith("/leaderTemplate"):
        return replicas
    return replicas * (size - 1 if "leaderTemplate" in group else size)
