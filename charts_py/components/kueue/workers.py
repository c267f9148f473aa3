"""MultiKueue: jobs of some namespaces run in other clusters, bounded by what these have.

https://kueue.sigs.k8s.io/docs/concepts/multikueue/
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.training import Training
from charts_py.components.access import account_subject, cluster_role, policy_rule, role_binding
from charts_py.components.kueue.api import API_VERSION, GROUP, installed_kinds
from charts_py.components.kueue.checks import MAX_LEVELS
from charts_py.components.kueue.definition import KUEUE_NAMESPACE
from charts_py.components.kueue.quotas import quantity, strategy
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.draft import Draft
from charts_py.platform.fabric import has_channels
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.pool_hardware import HOSTNAME, topology_levels
from charts_py.platform.queue_quota import ANY_NUMBER, namespace_amounts, queue_pools
from gpus.platform_names import LABEL_PREFIX, NVLINK_CHANNEL, PLACED

_FIELD = "multiKueue"
ACCOUNT = "multikueue"
"""ServiceAccount of a worker, which the manager acts by, with its token and its rights."""
KUBECONFIG_KEY = "kubeconfig"
"""Key of the Secret with the kubeconfig of a worker (`MultiKueueConfigSecretKey` in
https://github.com/kubernetes-sigs/kueue, apis/kueue/v1beta2/multikueue_types.go at v0.19.2)."""
_READ = ("get", "list", "watch")
_MANAGER = account_subject(ACCOUNT, KUEUE_NAMESPACE)
_WRITER = f"{ACCOUNT}-writer"
_READER = f"{ACCOUNT}-reader"
_CHANGED = (("batch", "jobs"), ("ray.io", "rayclusters"), ("ray.io", "rayservices"))
"""What it patches to be as in the manager: the size of elastic jobs, and what a RayService serves
(`clientutil.Patch` in pkg/controller/jobs/job and pkg/controller/jobs/ray at v0.19.2)."""
WORKERS = "workers"
"""The AdmissionCheck, and its configuration."""
ALL_POOLS = f"{WORKERS}.{LABEL_PREFIX}"
"""The flavor of all that workers have; the names of pools have no dot."""
COHORT = f"{WORKERS}.{LABEL_PREFIX}"
"""The Cohort that lends pods; the names of teams have no dot."""
_PODS = "pods"


def worker_objects(platform: Platform) -> Iterator[Document]:
    """Yield the check that sends jobs to workers, and the flavor that it counts them by."""
    if not platform.workers:
        return
    names = [worker.name for worker in platform.workers]
    metadata = ObjectMeta(WORKERS)
    yield object_of(API_VERSION, "MultiKueueConfig", metadata, {"spec": {"clusters": names}})
    check = {
        "controllerName": f"{GROUP}/multikueue",
        "parameters": {"apiGroup": GROUP, "kind": "MultiKueueConfig", "name": WORKERS},
    }
    yield object_of(API_VERSION, "AdmissionCheck", metadata, {"spec": check})
    yield from map(_cluster, names)
    yield from _flavors(platform)
    yield _pods(platform)


def _cluster(worker: str) -> Document:
    secret = {"locationType": "Secret", "location": kubeconfig_secret(worker)}
    spec = {"clusterSource": {"kubeConfig": secret}}
    return object_of(API_VERSION, "MultiKueueCluster", ObjectMeta(worker), {"spec": spec})


def _flavors(platform: Platform) -> Iterator[Document]:
    """Yield the flavors, which take whatever nodes a job selects.

    A job that asks for a level is let pass by none but a flavor with a topology that has it, and
    any other job by none but one without. Where pods stand, the worker decides.
    """
    yield object_of(API_VERSION, "ResourceFlavor", ObjectMeta(ALL_POOLS), {"spec": {}})
    if levels := worker_levels(platform.workers):
        topology = {"levels": [{"nodeLabel": level} for level in levels]}
        yield object_of(API_VERSION, "Topology", ObjectMeta(PLACED), {"spec": topology})
        # A flavor with a topology needs the label of some nodes; the manager has none of these.
        flavor = {"topologyName": PLACED, "nodeLabels": {PLACED: "true"}}
        yield object_of(API_VERSION, "ResourceFlavor", ObjectMeta(PLACED), {"spec": flavor})


def worker_levels(workers: Iterable[Platform]) -> tuple[str, ...]:
    """Return every level that a job may ask for in clusters that run it, the node last."""
    levels = {
        level: None
        for worker in workers
        for name in worker.run_for_manager
        for pool in queue_pools(worker, worker.namespace(name))
        for level in topology_levels(pool.spec, pool.hardware, worker.provider)
    }
    return (*(level for level in levels if level != HOSTNAME), HOSTNAME) if levels else ()


def _pods(platform: Platform) -> Document:
    """Return what lends every queue as many pods as it wants.

    The check is of a flavor, and a job without GPUs has none but that of its pods: it would be let
    pass, and start nowhere. A quota of the queue's own would be one that is never used.
    """
    resources = [{"name": _PODS, "nominalQuota": quantity(ANY_NUMBER)}]
    spec = {"resourceGroups": [_group(platform, resources)]}
    return object_of(API_VERSION, "Cohort", ObjectMeta(COHORT), {"spec": spec})


def _group(platform: Platform, resources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the group of some resources; every flavor has the same amounts.

    With two flavors, twice as much as workers have may be let pass, and waits there.
    """
    names = (ALL_POOLS, PLACED) if worker_levels(platform.workers) else (ALL_POOLS,)
    return {
        "coveredResources": [each["name"] for each in resources],
        "flavors": [{"name": name, "resources": list(resources)} for name in names],
    }


def workers_queue(platform: Platform, namespace: TeamNamespace) -> Document:
    """Return the ClusterQueue of a namespace whose jobs run in workers.

    The workers decide who borrows from whom. Here a job waits only while others have all that the
    namespace can reach in them, and those of lower priority give way.
    """
    reach = sorted(_reach(platform, namespace.name).items())
    gpus = [
        {"name": name, "nominalQuota": quantity(count), "lendingLimit": quantity(0)}
        for name, count in reach
    ]
    pods = {"name": _PODS, "nominalQuota": quantity(0)}
    spec = {
        "namespaceSelector": {"matchLabels": {NAMESPACE_NAME_LABEL: namespace.name}},
        "cohortName": COHORT,
        "resourceGroups": [_group(platform, (*gpus, pods))],
        **strategy(platform, namespace),
        "preemption": {"withinClusterQueue": "LowerPriority"},
        "admissionChecksStrategy": {"admissionChecks": [{"name": WORKERS}]},
    }
    return object_of(API_VERSION, "ClusterQueue", ObjectMeta(namespace.name), {"spec": spec})


def _reach(platform: Platform, name: str) -> Counter[str]:
    """Return the most of each resource that a namespace has in all workers at once."""
    reach: Counter[str] = Counter()
    for worker in platform.workers:
        namespace = worker.namespace(name)
        amounts = namespace_amounts(worker, namespace)
        reach.update({resource: amount.most for resource, amount in amounts.items()})
        if any(has_channels(worker, pool) for pool in queue_pools(worker, namespace)):
            reach[NVLINK_CHANNEL] = ANY_NUMBER
    return reach


def check_workers(manager: Draft, workers: Sequence[Platform]) -> Iterator[Problem]:
    """Yield a problem for each worker that would refuse jobs, or run them for somebody else."""
    stated = manager.cluster.multi_kueue
    for index, worker in enumerate(workers):
        path = (_FIELD, "workers", index)
        if worker.cluster.multi_kueue != stated:
            what = f"{worker.name} says otherwise, in {worker.mark((_FIELD,))}"
            yield Problem(path, what, "the same in each, as where it stands in fleet.yaml")
        else:
            yield from _check_teams(manager, worker)
            yield from _check_training(path, manager, worker)
    if (count := len(worker_levels(workers))) > MAX_LEVELS:
        what = f"their topologies have {count} levels together"
        yield Problem((_FIELD, "workers"), what, f"at most {MAX_LEVELS}")


def _check_teams(manager: Draft, worker: Platform) -> Iterator[Problem]:
    """Yield a problem for each namespace whose members could act in that of another team."""
    names = worker.run_for_manager
    teams = {
        name: team_name
        for team_name, team in manager.cluster.teams.items()
        for name in team.namespaces
    }
    for index, name in enumerate(names):
        own, other = teams[name], worker.namespace(name).team_name
        path: FieldPath = (_FIELD, "namespaces", index)
        if own != other:
            what = f"{name} is of team {own} in {manager.name}, and of {other} in {worker.name}"
            yield Problem(path, what, "one team in all clusters")
        else:
            yield from _check_priorities(path, own, manager, worker)


def _check_priorities(
    path: FieldPath, team: str, manager: Draft, worker: Platform
) -> Iterator[Problem]:
    theirs = worker.cluster.teams[team].priorities
    missing = [each for each in manager.cluster.teams[team].priorities if each not in theirs]
    if missing:
        what = f"team {team} has no priority {', '.join(missing)} in {worker.name}"
        yield Problem(path, what, f"the priorities of the team in {manager.name}")


def _check_training(path: FieldPath, manager: Draft, worker: Platform) -> Iterator[Problem]:
    """Yield a problem for a kind that the manager watches in vain: it then reaches no worker."""
    own, theirs = _installed(manager.cluster.training), _installed(worker.cluster.training)
    if missing := [field for field in own if field not in theirs]:
        what = f"{worker.name} has no {', '.join(missing)}, as {manager.name} has"
        yield Problem(path, what, "all that runs jobs in the manager")


def _installed(training: Training) -> tuple[str, ...]:
    """Return the fields of the frameworks installed; JobSet comes with Kubeflow Trainer, too."""
    found = training.model_dump(by_alias=True, exclude_none=True).keys()
    with_job_set = {"jobSet"} if training.has_job_set else set()
    return tuple(f"training.{name}" for name in sorted({*found, *with_job_set}))


def kubeconfig_secret(worker: str) -> str:
    return f"{worker}-kubeconfig"


def manager_access(platform: Platform) -> Iterator[Document]:
    """Yield the account of the manager with its token, and what it reads, where there is one.

    The rules are those of site/static/examples/multikueue/create-multikueue-kubeconfig.sh of
    https://github.com/kubernetes-sigs/kueue at v0.19.2, but that it writes only in the namespaces
    whose jobs it takes, reads no more kinds than the cluster has, and changes all kinds that its
    code does.
    """
    if not platform.run_for_manager:
        return
    account = ObjectMeta(ACCOUNT, KUEUE_NAMESPACE)
    yield object_of("v1", "ServiceAccount", account, {"automountServiceAccountToken": False})
    # The API server puts the token into it.
    annotations = {"kubernetes.io/service-account.name": ACCOUNT}
    token = ObjectMeta(ACCOUNT, KUEUE_NAMESPACE, annotations=annotations)
    yield object_of("v1", "Secret", token, {"type": "kubernetes.io/service-account-token"})
    kinds = tuple(_kinds(platform.cluster.training))
    yield cluster_role(_READER, [policy_rule(group, [each], *_READ) for group, each in kinds])
    yield cluster_role(_WRITER, _written(kinds))
    yield role_binding(ObjectMeta(_READER), _READER, [_MANAGER])


def writer_binding(namespace: str) -> Document:
    return role_binding(ObjectMeta(ACCOUNT, namespace), _WRITER, [_MANAGER])


def _kinds(training: Training) -> Iterator[tuple[str, str]]:
    """Yield group and resource of each kind that runs in a worker; Deployments run as pods."""
    yield GROUP, "workloads"
    for kind in installed_kinds(training):
        if kind.kind != "Deployment":
            yield kind.group, kind.resource


def _written(kinds: tuple[tuple[str, str], ...]) -> list[dict[str, Any]]:
    return [
        *(policy_rule(group, [resource], "create", "delete") for group, resource in kinds),
        policy_rule(GROUP, ["workloads"], "patch", "update"),
        policy_rule(GROUP, ["workloads/status"], "get", "patch", "update"),
        *(
            policy_rule(group, [each], "patch")
            for group, each in kinds
            if (group, each) in _CHANGED
        ),
    ]
