"""What gives figures their pool and team: the pool of a node, and the team of a namespace."""

from charts_py.metrics.kube_state import NODE_LABELS, POD_PHASE, POOL_LABEL
from charts_py.metrics.recorded import NAMESPACE_INFO, NAMESPACE_TEAM, NODE_POOL
from charts_py.metrics.scraped import from_no_team
from charts_py.platform.recording_rule import RecordingRule

_LABELLED = from_no_team(f'{NODE_LABELS.name}{{{POOL_LABEL}!=""}}')

_NODE_POOL = (
    f'group by (node, pool) (label_replace({_LABELLED}, "pool", "$1", "{POOL_LABEL}", "(.+)"))'
)

_PODS = f'{POD_PHASE.name}{{phase="Running"}}'
"""Every pod, running or not: each has a series of every phase, 1 or 0, of which one will do."""

# With namespaces of no team, and with none at all, since a join drops what finds no partner.
_NAMESPACE_TEAM = (
    f"group by (namespace, team) ({NAMESPACE_INFO.name})"
    f" or on (namespace) group by (namespace) ({_PODS})"
    " or vector(1)"
)

JOINS = (
    RecordingRule(NODE_POOL.name, _NODE_POOL),
    RecordingRule(NAMESPACE_TEAM.name, _NAMESPACE_TEAM),
)
