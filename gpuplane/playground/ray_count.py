"""How many pods a cluster of Ray has of one of its templates.

Source: `GetWorkerGroupDesiredReplicas` in
https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/utils/util.go, and
the defaults of the CRD.
"""

from collections.abc import Mapping, Sequence

from gpuplane.playground.stated_count import stated_count
from policies.document import Json

_ONE_EACH = ("/headGroupSpec/template", "/submitterPodTemplate")


def ray_count(above: Sequence[Mapping[str, Json]], pointer: str) -> int | None:
    """Return how many pods there are; None of a group that an autoscaler grows and shrinks.

    `above` are the objects on the way to the template, which the pointer leads to.
    """
    if pointer.endswith(_ONE_EACH):
        return 1
    # The group is an item of a list.
    cluster, _, group = above[-3:]
    if cluster.get("enableInTreeAutoscaling") is True:
        return None
    return _replicas(group) * stated_count(group, "numOfHosts", 1)


def _replicas(group: Mapping[str, Json]) -> int:
    if group.get("suspend") is True:
        return 0
    least = stated_count(group, "minReplicas", 0)
    most = max(least, stated_count(group, "maxReplicas", 2**31 - 1))
    return min(max(stated_count(group, "replicas", least), least), most)
