"""LeaderWorkerSet, which runs a model on several nodes as one replica: a leader and its workers.

A replica whose pod fails is made anew as a whole. Teams create LeaderWorkerSets in their
namespaces; with queues, each replica starts as a whole. https://lws.sigs.k8s.io
"""

from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.network_rules import OperatorPods
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

LEADER_WORKER_SET = "leader-worker-set"
"""Name of the component and of its release."""
NAMESPACE = "lws-system"
"""Where its documentation installs it."""
_CHART = "lws"
SELECTOR = {"app.kubernetes.io/name": _CHART, "control-plane": "controller-manager"}
"""Labels of its pods."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""


LEADER_WORKER_SET_DEFINITION = Definition(
    name=LEADER_WORKER_SET,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.leader_worker_set is not None,
    fields=("training.leaderWorkerSet",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(_CHART),),
    operator=OperatorPods(SELECTOR, METRICS_PORT),
)
