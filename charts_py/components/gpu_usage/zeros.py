"""What the cluster file lists, from which figures take their zeros.

There are none before kube-state-metrics has reported the pool of some node: a figure that was not
measured is missing, and not 0.
"""

from charts_py.metrics.recorded import NAMESPACE_INFO, NODE_POOL, POOL_INFO

_MEASURED = f"and on () {NODE_POOL.name}"


ZERO_BY_POOL = f"0 * group by (pool) ({POOL_INFO.name} {_MEASURED})"
"""0 for every pool."""

ZERO_BY_NAMESPACE = f"0 * group by (namespace, team) ({NAMESPACE_INFO.name} {_MEASURED})"
"""0 for every namespace of a team."""
