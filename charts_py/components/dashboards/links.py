"""What leads from one dashboard to another."""

from charts_py.grafana.link import Link

POOL = Link("pool", "pool", {"pool": "pool"})
TEAM = Link("team", "team", {"team": "team"})
NODE = Link("node", "node", {"node": "node"})
POD = Link("pod", "job", {"namespace": "namespace", "pod": "pod"})
