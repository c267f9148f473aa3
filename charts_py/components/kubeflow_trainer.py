"""Kubeflow Trainer, version 2, which runs a TrainJob by the runtime that it names.

Its own runtimes are left out: they ask for no GPU. https://www.kubeflow.org/docs/components/trainer
"""

from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.network_rules import OperatorPods
from charts_py.platform.contribution import Access, Contribution, PlatformNamespace, Use
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

TRAINER = "kubeflow-trainer"
"""Name of the component, of its release, and before the names of its objects."""
NAMESPACE = "kubeflow-system"
"""Where its documentation installs it, and where its Python client looks for its version."""
MANAGER = f"{TRAINER}-controller-manager"
"""Its Deployment and its service account."""
SELECTOR = {"app.kubernetes.io/name": TRAINER, "app.kubernetes.io/component": "manager"}
"""Labels of its pods."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""


KUBEFLOW_TRAINER = Definition(
    name=TRAINER,
    description=__doc__,
    appears="where `training` has it",
    is_wanted=lambda platform: platform.cluster.training.trainer is not None,
    fields=("training.trainer",),
    # It watches JobSets from its start on.
    depends_on=("jobset",),
    wave=Wave.NODES,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    contribution=Contribution(
        access=(Access("trainer.kubeflow.org", ("clustertrainingruntimes",), Use.LOOK_UP),)
    ),
    charts=(known_chart(TRAINER),),
    # Pods of jobs do not report to it: its feature `TrainJobStatus` is off.
    operator=OperatorPods(SELECTOR, METRICS_PORT),
)
