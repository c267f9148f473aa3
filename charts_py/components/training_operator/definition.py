"""Kubeflow's training operator, the first version: PyTorchJob, TFJob, XGBoostJob and MPIJob.

For what is written for these kinds already; new jobs are TrainJobs. It has no chart: its Deployment
and its rights are written here, and Argo CD gets the definitions of its kinds from its repository,
at a pinned commit. It runs jobs in the namespaces of teams alone, and MPIJobs where the cluster
asks for them, which need `pods/exec` and Roles.
https://www.kubeflow.org/docs/components/trainer/legacy-v1
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.components.alert_tables import alert_table
from charts_py.components.component import Component, PinnedManifests
from charts_py.components.controller_sizes import SIZE_FIELDS, container_resources
from charts_py.components.definition import Definition
from charts_py.components.image_registries import allowed_images, refused_images
from charts_py.components.network_rules import WEBHOOK_PORT, OperatorPods, operator_network_policy
from charts_py.components.object_table import read_objects
from charts_py.components.pinned_definitions import mirrored_definitions
from charts_py.components.training_operator.rights import (
    NAMESPACE,
    TRAINING_OPERATOR,
    cluster_roles,
    runs_mpi_jobs,
)
from charts_py.objects.document import Document, EmittedKind
from charts_py.objects.metadata import ObjectMeta
from charts_py.objects.pods import secret_references
from charts_py.platform.contribution import Contribution, Controller, PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.image import registry_of
from policies.settings import PodSecurity

SELECTOR = {"app.kubernetes.io/name": TRAINING_OPERATOR}
"""Labels of its Service and its pods."""
IMAGE = "ghcr.io/kubeflow/training-v1/training-operator:v1-93c5489"
"""The one of its overlay `standalone`."""
INIT_IMAGE = "docker.io/library/busybox:1.36"
"""Workers of a PyTorchJob wait in it until the name of its master resolves."""
KUBECTL_IMAGE = "ghcr.io/kubeflow/training-v1/kubectl-delivery:v1-93c5489"
"""Which brings `kubectl` to the launcher of an MPIJob; by default its tag is `latest`."""
MPI_KIND = "MPIJob"
KINDS = (MPI_KIND, "PyTorchJob", "TFJob", "XGBoostJob")
"""The kinds that it runs here; the first where the cluster asks for it."""
WEBHOOK_SECRET = "training-operator-webhook-cert"  # noqa: S105 # a name
INIT_CONFIG_MAP = "training-operator-init-container"
METRICS_PORT = 8080
_FILES = {kind: f"kubeflow.org_{kind.lower()}s.yaml" for kind in KINDS}
DEFINITIONS = PinnedManifests(
    folder="crds/trainer-1.9.4",
    files=tuple(_FILES.values()),
    kinds=(EmittedKind("apiextensions.k8s.io", "CustomResourceDefinition", namespaced=False),),
)
"""Too large to be written here, and not ours."""
_TARGET = ScrapeTarget(TRAINING_OPERATOR, NAMESPACE, SELECTOR, port="metrics")


def check_definitions(draft: Draft) -> Iterator[Problem]:
    if draft.cluster.training.training_operator is not None:
        yield from mirrored_definitions(draft, ("training", "trainingOperator"))


def refused_pods(platform: Platform) -> Iterator[Fault]:
    for refused in refused_images(platform, (INIT_IMAGE,)):
        what = f"admission refuses workers of PyTorchJobs: they wait in {refused}, of no allowed "
        path = ("training", "trainingOperator")
        yield platform.fault(path, f"{what}registry", allowed_images(platform))


def _parts(platform: Platform) -> Iterator[Component]:
    yield Component(
        name=f"{TRAINING_OPERATOR}-definitions",
        wave=Wave.OPERATORS,
        namespace=NAMESPACE,
        manifests=definitions_of(platform),
    )
    yield Component(
        name=TRAINING_OPERATOR,
        # It ends where the definitions are missing.
        wave=Wave.NODES,
        namespace=NAMESPACE,
        objects=partial(operator_documents, platform),
    )


def definitions_of(platform: Platform) -> PinnedManifests:
    """Return the definitions of the kinds that it runs.

    Without the MPIJob of version 1, a cluster may have that of the MPI operator.
    """
    runs_mpi = runs_mpi_jobs(platform)
    names = tuple(name for kind, name in _FILES.items() if runs_mpi or kind != MPI_KIND)
    return replace(DEFINITIONS, files=names)


def operator_documents(platform: Platform) -> Iterator[Document]:
    """Yield its objects, but not the definitions of its kinds."""
    image_of = platform.mirrors.of
    yield from cluster_roles(platform)
    yield from read_objects(
        __package__,
        operator=TRAINING_OPERATOR,
        namespace=NAMESPACE,
        labels=SELECTOR,
        certificate=WEBHOOK_SECRET,
        init_container=INIT_CONFIG_MAP,
        template=(files(__package__) / "init_container.yaml").read_text(encoding="utf-8"),
        image=image_of(IMAGE),
        init_image=image_of(INIT_IMAGE),
        **_mpi_values(platform),
        metrics_port=METRICS_PORT,
        webhook_port=WEBHOOK_PORT,
        pull_secrets=secret_references(platform.cluster.pull_secret_names),
        resources=container_resources(platform, TRAINING_OPERATOR),
    )
    metadata = ObjectMeta(TRAINING_OPERATOR, NAMESPACE, labels=SELECTOR)
    yield operator_network_policy(platform, metadata, OperatorPods(SELECTOR, METRICS_PORT))


def _mpi_values(platform: Platform) -> dict[str, Any]:
    if not runs_mpi_jobs(platform):
        return {"mpi_scheme": None, "mpi_image": None, "mpi_variable": None}
    variable = {"name": "KUBECTL_DELIVERY_IMAGE", "value": platform.mirrors.of(KUBECTL_IMAGE)}
    return {
        "mpi_scheme": "--enable-scheme=mpijob",
        "mpi_image": f"--mpi-kubectl-delivery-image=$({variable['name']})",
        "mpi_variable": variable,
    }


TRAINING_OPERATOR_DEFINITION = Definition(
    name=TRAINING_OPERATOR,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.training.training_operator is not None,
    fields=(
        "training.trainingOperator",
        *SIZE_FIELDS,
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "webhook.apiServer",
        "policies.registries",
        "gitops.charts",
        "imagePullSecrets",
        "registries",
    ),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.RESTRICTED, goes_last=True),
    parts=_parts,
    contribution=Contribution(
        controllers=(
            Controller(
                NAMESPACE,
                TRAINING_OPERATOR,
                "no job of Kubeflow's first version is accepted, started or ended",
            ),
        )
    ),
    registries=lambda _: tuple(map(registry_of, (IMAGE, INIT_IMAGE))),
    checks=(check_definitions,),
    warnings=refused_pods,
    scraped=lambda _: (_TARGET,),
    rules=alert_table(TRAINING_OPERATOR, NAMESPACE, __package__, kinds="|".join(KINDS)),
)
