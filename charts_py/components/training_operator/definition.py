"""Kubeflow's training operator, the first version: PyTorchJob, TFJob, MPIJob and XGBoostJob.

For what is written for these kinds already; new jobs are TrainJobs. It has no chart: its Deployment
and its rights are written here, with fewer rights than upstream's, and Argo CD gets the definitions
of its kinds from its repository, at a pinned commit. https://www.kubeflow.org/docs/components/trainer/legacy-v1
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.components.alert_tables import read_alerts
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.operator_network_policy import OperatorPods, operator_network_policy
from charts_py.components.training_operator.access import access
from charts_py.components.training_operator.check import check_definitions, refused_pods
from charts_py.components.training_operator.definitions import DEFINITIONS
from charts_py.components.training_operator.deployment import deployment, init_container
from charts_py.components.training_operator.names import (
    IMAGE,
    INIT_IMAGE,
    KINDS,
    METADATA,
    METRICS_PORT,
    METRICS_PORT_NAME,
    NAMESPACE,
    OWN_NAMESPACE,
    SELECTOR,
    TRAINING_OPERATOR,
)
from charts_py.components.training_operator.webhooks import (
    certificate_secret,
    service,
    webhook_configuration,
)
from charts_py.platform.contribution import Contribution
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.prometheus_rules import RuleGroup
from charts_py.platform.registry_mirrors import registry_of
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_TARGET = ScrapeTarget(TRAINING_OPERATOR, NAMESPACE, SELECTOR, METRICS_PORT_NAME)


def _parts(platform: Platform) -> Iterator[Component]:
    yield Component(
        name=f"{TRAINING_OPERATOR}-definitions",
        wave=Wave.OPERATORS,
        namespace=NAMESPACE,
        manifests=DEFINITIONS,
    )
    yield Component(
        name=TRAINING_OPERATOR,
        # It ends where the definitions are missing.
        wave=Wave.NODES,
        namespace=NAMESPACE,
        objects=partial(operator_documents, platform),
    )


def operator_documents(platform: Platform) -> Iterator[Document]:
    """Yield its objects, but not the definitions of its kinds."""
    yield from access()
    yield init_container()
    yield certificate_secret()
    yield deployment(platform)
    yield service()
    yield operator_network_policy(platform, METADATA, OperatorPods(SELECTOR, METRICS_PORT))
    yield webhook_configuration()


def _rule_group() -> RuleGroup:
    alerts = read_alerts(
        __package__, deployment=TRAINING_OPERATOR, namespace=NAMESPACE, kinds="|".join(KINDS)
    )
    return RuleGroup(TRAINING_OPERATOR, NAMESPACE, alerts, reads_other_namespaces=True)


TRAINING_OPERATOR_DEFINITION = Definition(
    name=TRAINING_OPERATOR,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.training_operator is not None,
    fields=(
        "training.trainingOperator",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "webhook.apiServer",
        "policies.registries",
        "gitops.charts",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("lasting-namespaces",),
    wave=Wave.OPERATORS,
    contribution=Contribution(
        namespaces=(OWN_NAMESPACE,),
    ),
    parts=_parts,
    registries=lambda _: tuple(map(registry_of, (IMAGE, INIT_IMAGE))),
    checks=(check_definitions,),
    warnings=refused_pods,
    scraped=lambda _: (_TARGET,),
    rules=lambda _: (_rule_group(),),
    alerts=lambda: _rule_group().alerts,
)
