"""What pods request of the nodes that they are bound to, as the scheduler counts it."""

from charts_py.metrics.kube_state import (
    CONTAINER_REQUESTS,
    INIT_CONTAINER_INFO,
    INIT_CONTAINER_REQUESTS,
    POD_PHASE,
)

_PODS = "namespace, pod, node, resource"

_UNFINISHED = f'group by (namespace, pod) ({POD_PHASE.name}{{phase=~"Pending|Running"}} == 1)'
"""A pod that has finished holds nothing, though its requests stay."""

_SIDECARS = f'{INIT_CONTAINER_INFO.name}{{restart_policy="Always"}}'


def pod_requests(resources: str) -> str:
    """Return PromQL of the requests of unfinished pods, by `namespace, pod, node, resource`.

    `resources` are matchers of what is requested. Containers and sidecars run together; before
    them, init containers run one by one. Source: `PodRequests` in
    https://github.com/kubernetes/component-helpers (resource/helpers.go), but for the overhead of
    runtime classes, and what sidecars hold beside an init container that is larger than the rest.
    """
    bound = f'{{node!="", {resources}}}'
    init = f"{INIT_CONTAINER_REQUESTS.name}{bound}"
    together = (
        f"{CONTAINER_REQUESTS.name}{bound} or {init} and on (namespace, pod, container) {_SIDECARS}"
    )
    # Two replicas of kube-state-metrics, an old and a new one, say the same twice.
    once = f"max by ({_PODS}, container) ({together})"
    most = f"max by ({_PODS}) (sum by ({_PODS}) ({once}) or {init})"
    return f"{most} * on (namespace, pod) group_left () {_UNFINISHED}"
