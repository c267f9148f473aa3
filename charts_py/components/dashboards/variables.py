"""What readers choose."""

from charts_py.grafana.variable import Variable
from charts_py.metrics.kube_state import POD_OWNER
from charts_py.metrics.recorded import NAMESPACE_INFO, NODE_POOL, POD_ALLOCATED, POOL_INFO

POOL = Variable("pool", POOL_INFO.name, "pool")
TEAM = Variable("team", NAMESPACE_INFO.name, "team")
NODE = Variable("node", f'{NODE_POOL.name}{{pool=~"$pool"}}', "node")
NAMESPACE = Variable("namespace", POD_ALLOCATED.name, "namespace", takes_several=False)
WORKLOAD = Variable("workload", f'{POD_OWNER.name}{{namespace="$namespace"}}', "owner_name")
POD = Variable("pod", f'{POD_OWNER.name}{{namespace="$namespace", owner_name=~"$workload"}}', "pod")
