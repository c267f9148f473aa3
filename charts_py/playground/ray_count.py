"""How many pods a cluster of Ray has of one of its templates.

Source: `GetWorkerGroupDesiredReplicas` in
https://github.com/ray-project/kuberay/blob/v1.7.0/ray-operator/controllers/ray/utils/util.go, and
the defaults of the CRD.
"""

from collections.abc import Mapping, Sequence

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
    return _replicas(group) * _number(group, "numOfHosts", 1)


def _replicas(group: Mapping[str, Json]) -> int:
    if group.get("suspend") is True:
        return 0
    least = _number(group, "minReplicas", 0)
    most = max(least, _number(group, "maxReplicas", 2**31 - 1))
    return min(max(_number(group, "replicas", least), least), most)


def _number(group: Mapping[str, Json], name: str, default: int) -> int:
    value = group.get(name)
    return value if type(value) is int else default
