"""The operator of Slinky, which runs Slurm on Kubernetes.

It makes the pods of a Slurm cluster from its custom resources, drains the nodes that a smaller
partition gives up, and heeds the namespace `slurm` alone. https://slinky.schedmd.com
"""

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.chart_image import ChartImage
from charts_py.components.definition import Chart, Definition
from charts_py.components.slurm_operator.namespaces import OPERATOR_NAMESPACE
from charts_py.components.slurm_operator.values import operator_values
from charts_py.objects.document import EmittedKind
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.wave import Wave

OPERATOR_NAME = "slurm-operator"
"""Name of its chart and of its Application."""

_RBAC = "rbac.authorization.k8s.io"

SLURM_OPERATOR = Definition(
    name=OPERATOR_NAME,
    description=__doc__,
    appears="where the cluster has Slurm",
    is_wanted=lambda platform: platform.cluster.slurm is not None,
    fields=("slurm", "priorities", "imagePullSecrets", "registries", "charts"),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    namespace=OPERATOR_NAMESPACE,
    contribution=Contribution(
        namespaces=(PlatformNamespace(OPERATOR_NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),),
    ),
    charts=(
        Chart(
            repository="ghcr.io/slinkyproject/charts",
            name=OPERATOR_NAME,
            kinds=lambda _: (
                EmittedKind("", "Service", namespaced=True),
                EmittedKind("", "ServiceAccount", namespaced=True),
                EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),
                EmittedKind("apps", "Deployment", namespaced=True),
                EmittedKind(_RBAC, "ClusterRole", namespaced=False),
                EmittedKind(_RBAC, "ClusterRoleBinding", namespaced=False),
            ),
            images=(
                ChartImage(
                    section="operator.image",
                    repository="ghcr.io/slinkyproject/slurm-operator",
                    tag="1.2.1",
                ),
            ),
        ),
    ),
    values=operator_values,
)
