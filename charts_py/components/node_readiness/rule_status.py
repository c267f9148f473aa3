"""How many nodes the status of a NodeReadinessRule holds.

The controller adds each node that a rule selects, with its conditions, and fails again and again on
those for which there is no room: the definition of the kind allows 5,000, and the API server no
object beyond what etcd takes. Fields that are managed do not count, since the API server forgets
them where an object grows too large with them.
"""

import json
from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import Fault
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpus.platform_names import POOL

_MAX_ITEMS = 5000
"""`maxItems` of its lists (https://github.com/kubernetes-sigs/node-readiness-controller,
api/v1alpha1 at v0.5.0)."""
_MAX_BYTES = 1_565_000
"""What etcd takes, 1.5 MiB, but for the rest of the object: with two conditions Kubernetes 1.37.1
took 3,398 nodes, and with one 4,912
(https://etcd.io/docs/v3.6/dev-guide/limit/)."""
_NAME = "n" * 63
"""No name of a node that a cloud gives is longer."""


def most_nodes(rule: Document) -> int:
    conditions = [{**each, "currentStatus": "Unknown"} for each in rule["spec"]["conditions"]]
    evaluated = {
        "nodeName": _NAME,
        "conditionResults": conditions,
        "taintStatus": "Present",
        "lastEvaluationTime": "2026-11-29T18:00:00Z",
    }
    return min(_MAX_ITEMS, _MAX_BYTES // (_length(evaluated) + _length(_NAME)))


def _length(value: object) -> int:
    """Return the bytes of an item of a list."""
    return len(json.dumps(value, separators=(",", ":"))) + 1


def crowded_rules(platform: Platform, rules: Iterable[Document]) -> Iterator[Fault]:
    """Yield a warning for each rule whose pool can have more nodes."""
    for rule in rules:
        name = rule["spec"]["nodeSelector"]["matchLabels"][POOL]
        nodes, most = platform.pool(name).spec.nodes.max, most_nodes(rule)
        if nodes > most:
            what = (
                f"the status of NodeReadinessRule {rule['metadata']['name']} has room for {most} "
                f"nodes, and its controller fails on each beyond"
            )
            allowed = f"at most {most}, and further pools for the others"
            yield platform.fault(("pools", name, "nodes", "max"), what, allowed)
