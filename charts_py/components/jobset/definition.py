"""JobSet, which runs several Jobs as one: they start, restart and end together.

Kubeflow Trainer makes a JobSet of each of its jobs. https://jobset.sigs.k8s.io
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.jobset.alerts import ALERTS, rules, scraped
from charts_py.components.jobset.values import CHART, JOBSET_NAME, NAMESPACE, jobset_values
from charts_py.platform.additions import OwnNamespace
from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.wave import Wave
from charts_py.spec.team import PodSecurity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from constructs import Construct

    from charts_py.platform.platform import Platform

_NETWORK = f"{JOBSET_NAME}-network"


def _parts(platform: Platform) -> Iterator[Component]:
    yield Component(
        name=_NETWORK, wave=Wave.OPERATORS, namespace=NAMESPACE, construct=_construct(platform)
    )
    yield Component(
        name=JOBSET_NAME,
        wave=Wave.OPERATORS,
        namespace=NAMESPACE,
        helm=CHART.release(platform, jobset_values(platform)),
    )


def _construct(platform: Platform) -> Callable[[Construct], object]:
    from charts_py.components.jobset.construct import JobSetNetwork

    return lambda scope: JobSetNetwork(scope, _NETWORK, platform)


JOBSET = Definition(
    name=JOBSET_NAME,
    description=__doc__,
    appears="where `training` has JobSet or Kubeflow Trainer",
    is_wanted=lambda platform: platform.cluster.training.has_job_set,
    fields=(
        "training.jobSet",
        "training.trainer",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "webhook.apiServer",
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("namespaces",),
    wave=Wave.OPERATORS,
    own_namespaces=(OwnNamespace(NAMESPACE, PodSecurity.RESTRICTED),),
    charts=(CHART,),
    parts=_parts,
    scraped=scraped,
    rules=rules,
    alerts=lambda: ALERTS,
    prerequisites=(
        Prerequisite(
            name="kube-state-metrics",
            needed="for the alert that JobSet is away",
            without="it does not fire",
        ),
        Prerequisite(
            name="A Prometheus whose service account may `get` the URL `/metrics`, as the charts "
            "of the Prometheus operator have it, or is bound to the ClusterRole "
            "`jobset-metrics-reader`",
            needed="for the alert that a JobSet has failed; Google's managed collection has no "
            "such token",
            without="JobSet answers Prometheus with 401 or 403, and it does not fire",
        ),
    ),
)
