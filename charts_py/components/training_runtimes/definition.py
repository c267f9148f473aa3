"""Runtimes of Kubeflow Trainer: a job names a pool and a framework, and gets whole nodes of it.

A ClusterTrainingRuntime `FRAMEWORK-POOL` for each pool with several whole NVIDIA GPUs on a node.
Its pods ask for all GPUs of a node with their share of its CPUs and memory, for its network
interfaces, and for a `/dev/shm` in memory; where NVLink joins the machines of a pool they stand in
one domain, and claim a channel of the ComputeDomain that each namespace with a quota there gets.
"""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.cluster_file.training import Framework
from charts_py.components.definition import Definition
from charts_py.components.image_registries import allowed_images, refused_images
from charts_py.components.kai_scheduler.api import MIN_MEMBER
from charts_py.components.training_runtimes.pod import PodRole, pod_template
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Contribution, TeamAdditions
from charts_py.platform.fabric import (
    API_VERSION,
    CHANNEL_TEMPLATE,
    COUNTED_RESTARTS,
    LAUNCHER,
    NODE,
    Fabric,
    fabric,
    has_channels,
    has_launcher,
    runtime_images,
    runtime_levels,
    runtime_name,
    runtime_pools,
)
from charts_py.platform.fabric_table import network_images
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.wave import Wave
from policies.image import registry_of

_FRAMEWORK = "trainer.kubeflow.org/framework"
_TRAINER_STEP = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}
"""Label of the job that Trainer gives image, command and variables of a TrainJob."""
_MAX_RESTARTS = 3
_FAILURE_POLICY = {
    "maxRestarts": _MAX_RESTARTS,
    "rules": [
        {
            "name": "disruption",
            "action": "RestartJobSetAndIgnoreMaxRestarts",
            "onJobFailureReasons": ["PodFailurePolicy"],
        }
    ],
}
"""A job whose pod was evicted, such as from a node that is drained, starts anew, however often
(https://github.com/kubernetes-sigs/jobset at v0.12.0, examples of failure policies)."""
_COUNTING_POLICY = {"maxRestarts": COUNTED_RESTARTS}
"""Where evictions count, they and failures together."""
_JOB = {
    "backoffLimit": 0,
    "podFailurePolicy": {
        "rules": [{"action": "FailJob", "onPodConditions": [{"type": "DisruptionTarget"}]}]
    },
}
"""A pod alone cannot join the others again: one that fails fails its job, with the reason."""
_MPI_HOME = "/home/mpiuser"
_SSH_PORT = 2222
_SSH_SERVER = {
    "command": ["/usr/sbin/sshd"],
    "args": ["-De", "-f", f"{_MPI_HOME}/.sshd_config"],
    "readinessProbe": {"tcpSocket": {"port": _SSH_PORT}, "initialDelaySeconds": 5},
}
_NAME = "training-runtimes"


def compute_domain(namespace: str) -> Document:
    spec = {
        "numNodes": 0,  # any number
        "channel": {"resourceClaimTemplate": {"name": CHANNEL_TEMPLATE}},
    }
    metadata = ObjectMeta("training", namespace)
    return object_of("resource.nvidia.com/v1beta1", "ComputeDomain", metadata, {"spec": spec})


def training_runtime(
    platform: Platform, pool: PlatformPool, framework: Framework, image: str
) -> Document:
    parts = _of_mpi if has_launcher(framework) else _of_one_kind
    policy, job_set = parts(platform, pool, framework, image)
    metadata = ObjectMeta(runtime_name(framework, pool), labels={_FRAMEWORK: framework.value})
    template = {**_job_set_metadata(platform, framework), "spec": job_set}
    spec = {"mlPolicy": {"numNodes": 1, **policy}, "template": template}
    return object_of(API_VERSION, "ClusterTrainingRuntime", metadata, {"spec": spec})


def _job_set_metadata(platform: Platform, framework: Framework) -> Document:
    """Return how many of its jobs KAI starts together: one, where a launcher comes after workers.

    It waits for all otherwise, whatever depends on what (`computePodGroupMinSubGroup` in
    https://github.com/kai-scheduler/KAI-Scheduler, podgrouper/plugins/jobset at v0.17.0).
    """
    if platform.cluster.queue_engine is not QueueEngine.KAI or not has_launcher(framework):
        return {}
    return {"metadata": {"annotations": {MIN_MEMBER: "1"}}}


def _of_one_kind(
    platform: Platform, pool: PlatformPool, framework: Framework, image: str
) -> tuple[Document, Document]:
    template = pod_template(platform, pool, PodRole(image))
    jobs = [_job(NODE, template, labels=_TRAINER_STEP)]
    return {framework.value: {}}, _job_set(platform, pool, jobs)


def _of_mpi(
    platform: Platform, pool: PlatformPool, _: Framework, image: str
) -> tuple[Document, Document]:
    """Return workers that listen, and a launcher that is one of them, once they do."""
    worker, launcher = (
        pod_template(platform, pool, PodRole(image, container, True, True))
        for container in (_SSH_SERVER, {})
    )
    policy = {
        # As many as there are GPUs.
        "numProcPerNode": 1,
        "mpiImplementation": "OpenMPI",
        "sshAuthMountPath": f"{_MPI_HOME}/.ssh",
        "runLauncherAsNode": True,
    }
    after = {"dependsOn": [{"name": NODE, "status": "Ready"}]}
    jobs = [_job(NODE, worker), {**_job(LAUNCHER, launcher, labels=_TRAINER_STEP), **after}]
    success = {"operator": "All", "targetReplicatedJobs": [LAUNCHER]}
    return {"mpi": policy}, {**_job_set(platform, pool, jobs), "successPolicy": success}


def _job_set(platform: Platform, pool: PlatformPool, jobs: list[Document]) -> Document:
    return {
        # Ranks look for each other before they are ready.
        "network": {"publishNotReadyAddresses": True},
        "failurePolicy": (_COUNTING_POLICY if platform.counts_evictions(pool) else _FAILURE_POLICY),
        "replicatedJobs": jobs,
    }


def _job(name: str, template: Document, labels: dict[str, str] | None = None) -> Document:
    metadata: dict[str, Any] = {"metadata": {"labels": labels}} if labels else {}
    return {"name": name, "template": {**metadata, "spec": {**_JOB, "template": template}}}


def training_runtimes(platform: Platform) -> Iterator[Document]:
    trainer = platform.cluster.training.trainer
    assert trainer is not None  # noqa: S101 # the component is not wanted without it
    for pool in runtime_pools(platform):
        for framework, image in runtime_images(trainer).items():
            yield training_runtime(platform, pool, framework, image)


def claims_channels(platform: Platform, namespace: TeamNamespace) -> bool:
    pools = [pool for pool in runtime_pools(platform) if has_channels(platform, pool)]
    return any(namespace.spec.quota.gpus.get(pool.name) for pool in pools)


def without_network(platform: Platform) -> Iterator[Fault]:
    """Yield what keeps the jobs of a pool from using the network between its nodes."""
    for pool in runtime_pools(platform):
        path, network = ("pools", pool.name), _fabric(platform, pool)
        if network.missing:
            what = f"{pool.hardware.interconnect} is not used by its training runtimes: "
            yield platform.fault(path, f"{what}{network.missing}")


def without_claims(platform: Platform) -> Iterator[Fault]:
    """Yield the namespaces whose quota leaves no room for the claims of their jobs' pods."""
    for namespace in platform.namespaces:
        if claims_channels(platform, namespace) and not namespace.spec.quota.resource_claims:
            path = ("teams", namespace.team_name, "namespaces", namespace.name, "quota")
            what = "every pod of a training runtime claims a channel of its NVLink domain"
            yield platform.fault(path, what, "resourceClaims, as many as nodes")


def without_image(platform: Platform) -> Iterator[Fault]:
    """Yield the frameworks whose jobs cannot start unless they name an image of their own."""
    trainer = platform.cluster.training.trainer
    assert trainer is not None  # noqa: S101 # the component is not wanted without it
    for framework, image in runtime_images(trainer).items():
        for refused in refused_images(platform, (image,)):
            what = (
                f"admission refuses pods of {framework} jobs that name no image: {refused} is of "
            )
            path = ("training", "trainer", "images", framework.value)
            yield platform.fault(path, f"{what}no allowed registry", allowed_images(platform))


def without_network_image(platform: Platform) -> Iterator[Fault]:
    """Yield the pools whose jobs cannot start, since their network takes another image, too."""
    for pool in runtime_pools(platform):
        for refused in refused_images(platform, _network_images(platform, pool)):
            what = f"admission refuses the pods of its training runtimes: {refused} is of "
            path = ("pools", pool.name)
            yield platform.fault(path, f"{what}no allowed registry", allowed_images(platform))


def _fabric(platform: Platform, pool: PlatformPool) -> Fabric:
    return fabric(platform, pool, runtime_levels(platform, pool))


def _network_images(platform: Platform, pool: PlatformPool) -> tuple[str, ...]:
    return tuple(each["image"] for each in _fabric(platform, pool).beside)


def _is_wanted(platform: Platform) -> bool:
    return platform.cluster.training.trainer is not None and bool(runtime_pools(platform))


def _registries(cluster: Cluster) -> tuple[str, ...]:
    trainer = cluster.training.trainer
    of_frameworks = runtime_images(trainer).values() if trainer else ()
    images = (*of_frameworks, *(network_images(cluster.provider) if trainer else ()))
    return tuple(dict.fromkeys(registry_of(image) for image in images))


def _warnings(platform: Platform) -> Iterator[Fault]:
    if _is_wanted(platform):
        yield from without_network(platform)
        yield from without_claims(platform)
        yield from without_image(platform)
        yield from without_network_image(platform)


def _contributes(platform: Platform) -> Contribution:
    added = {each.name: {_NAME: _team(platform, each)} for each in platform.namespaces}
    return Contribution(teams=added)


def _team(platform: Platform, namespace: TeamNamespace) -> TeamAdditions:
    has_domain = claims_channels(platform, namespace)
    return TeamAdditions(objects=(compute_domain(namespace.name),) if has_domain else ())


TRAINING_RUNTIMES = Definition(
    name=_NAME,
    description=__doc__,
    appears="where `training` has Kubeflow Trainer, for pools of several whole NVIDIA GPUs a node",
    is_wanted=_is_wanted,
    fields=(
        "training.trainer",
        "queues",
        "gke.networks",
        "pools",
        "teams.NAME.namespaces.NAME.podSecurity",
        "teams.NAME.namespaces.NAME.quota.gpus",
        "policies.sharedMemory",
        "policies.registries",
        "addons.computeDomains",
        "addons.gpuHealth",
        "imagePullSecrets",
        "registries",
    ),
    # Its webhook judges them.
    depends_on=("kubeflow-trainer",),
    wave=Wave.NODE_FEATURES,
    objects=training_runtimes,
    registries=_registries,
    warnings=_warnings,
    contributes=_contributes,
)
