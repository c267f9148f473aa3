"""The objects of a Slurm cluster: its controller, its partitions, and a machine to log in to."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from charts_py.cluster_file.queues import Login, Partition, Slurm, SlurmStorage
from charts_py.components.network_rules import from_namespaces, tcp
from charts_py.components.slurm.api import (
    CLUSTER,
    CONTROLLER_PORT,
    JWT_KEY,
    JWT_KEY_SECRET,
    LOGIN,
    OPERATOR_NAMESPACE,
    REST_PORT,
    SLURM_KEY,
    SLURM_KEY_SECRET,
    SLURM_NAMESPACE,
    SLURMCTLD,
    SLURMD,
    SLURMRESTD,
    SSH_PORT,
    slinky_object,
)
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import pull_secrets, tolerations_of
from charts_py.platform.fabric import fabric, node_share
from charts_py.platform.platform import Platform, PlatformPool
from gpus.model import GpuModel
from gpus.platform_names import POOL

LOGIN_NAME = "slurm-login"
_FILES = "slurm-files"
_GRES = "AutoDetect=nvidia\n"
"""How slurmd finds its GPUs, as the operator's documentation advises."""
_CGROUP = """\
CgroupPlugin=cgroup/v2
IgnoreSystemd=yes
ConstrainCores=yes
ConstrainRAMSpace=yes
ConstrainDevices=yes
"""
"""A job reaches the CPUs, memory and GPUs that it asked for, and no others. The first two lines are
those that the operator writes where there is no such file."""
_NAMESPACES = """\
AutoBasePath=true
BasePath=/var/spool/slurm-jobs
Dirs=/dev/shm
"""
"""Each job has a /dev/shm of its own on each of its nodes, empty at first and gone with it. What it
writes there is of its memory; of the machine's it can be up to half, as of any tmpfs.
Source: src/plugins/namespace/tmpfs of https://github.com/SchedMD/slurm at 26.05."""
_CONFIGURATION = """\
GresTypes=gpu
NamespaceType=namespace/tmpfs
ProctrackType=proctrack/cgroup
PrologFlags=Contain
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
TaskPlugin=task/affinity,task/cgroup
"""
"""What is added to slurm.conf (https://slurm.schedmd.com/slurm.conf.html). A node whose pod starts
anew takes jobs again."""


def controller_documents(platform: Platform, slurm: Slurm) -> Iterator[Document]:
    files = {"gres.conf": _GRES, "cgroup.conf": _CGROUP, "job_container.conf": _NAMESPACES}
    yield object_of("v1", "ConfigMap", ObjectMeta(_FILES, SLURM_NAMESPACE), {"data": files})
    yield slinky_object("Controller", CLUSTER, _controller(platform, slurm))
    yield slinky_object("RestApi", CLUSTER, _rest_api(platform))


def _controller(platform: Platform, slurm: Slurm) -> dict[str, Any]:
    return {
        "slurmKeyRef": {"name": SLURM_KEY_SECRET, "key": SLURM_KEY},
        "jwtKeyRef": {"name": JWT_KEY_SECRET, "key": JWT_KEY},
        "configFileRefs": [{"name": _FILES}],
        "extraConf": _CONFIGURATION,
        "slurmctld": container(platform, SLURMCTLD, cpu="500m", memory="1Gi"),
        "reconfigure": container(platform, SLURMCTLD, cpu="10m", memory="32Mi"),
        "logfile": log_reader(platform, SLURMCTLD),
        # Else the controller stops for each partition that comes or goes.
        "inplaceReconfigure": True,
        "persistence": _persistence(slurm.storage),
        "metrics": {"enabled": True},
        "template": template(platform),
    }


def _persistence(storage: SlurmStorage) -> dict[str, Any]:
    chosen = {"storageClassName": storage.class_name} if storage.class_name else {}
    return {
        "enabled": True,
        **chosen,
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": storage.size}},
    }


def _rest_api(platform: Platform) -> dict[str, Any]:
    return {
        "controllerRef": {"name": CLUSTER},
        "replicas": 1,
        "slurmrestd": container(platform, SLURMRESTD, cpu="100m", memory="256Mi"),
        "template": template(platform),
    }


def container(platform: Platform, image: str, cpu: str, memory: str) -> dict[str, Any]:
    """Return what a container asks for; the operator states the rest of it."""
    requests = {"cpu": cpu, "memory": memory}
    return {"image": platform.mirrors.of(image), "resources": {"requests": requests}}


def log_reader(platform: Platform, image: str) -> dict[str, Any]:
    """Return the container that prints the log of another.

    It runs the image of that one: all it takes is a shell.
    """
    return container(platform, image, cpu="10m", memory="32Mi")


def template(platform: Platform, pod: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what is stated of a pod itself.

    No pod of a team evicts it: jobs would end that Kubernetes knows nothing of.
    """
    spec = {
        **pull_secrets(platform.cluster.pull_secret_names),
        "priorityClassName": platform.cluster.platform_priority,
        **(pod or {}),
    }
    return {"spec": spec}


def login_set(platform: Platform, login: Login) -> Document:
    """Return the LoginSet, whose Service is reached from within the cluster alone."""
    spec = {
        "controllerRef": {"name": CLUSTER},
        "replicas": 1,
        "sssdConfRef": {"name": login.sssd_secret, "key": "sssd.conf"},
        "login": container(platform, LOGIN, cpu="500m", memory="1Gi"),
        "initconf": log_reader(platform, LOGIN),
        "service": {"spec": {"type": "ClusterIP"}},
        "template": template(platform),
    }
    return slinky_object("LoginSet", LOGIN_NAME, spec)


def node_set(platform: Platform, name: str, partition: Partition, *, is_default: bool) -> Document:
    pool = platform.pool(partition.pool)
    spec = {
        "controllerRef": {"name": CLUSTER},
        "replicas": partition.nodes,
        "slurmd": _slurmd(platform, pool),
        "logfile": log_reader(platform, SLURMD),
        "extraConf": f"Gres=gpu:{gres_type(pool.facts.model)}:{pool.hardware.gpus}",
        "partition": {"enabled": True, "config": _partition(is_default=is_default)},
        "template": template(platform, _pod(pool)),
    }
    return slinky_object("NodeSet", name, spec)


def gres_type(model: GpuModel) -> str:
    """Return the type by which jobs ask for a GPU: the family of its model.

    slurmd takes any part of the name that the driver has, with `_` between its words
    (https://slurm.schedmd.com/gres.conf.html).
    """
    return model.family.replace("-", "_")


def _partition(*, is_default: bool) -> str:
    return f"State=UP MaxTime=UNLIMITED Default={'YES' if is_default else 'NO'}"


def _slurmd(platform: Platform, pool: PlatformPool) -> dict[str, Any]:
    return {"image": platform.mirrors.of(SLURMD), "resources": {"limits": _limits(platform, pool)}}


def _limits(platform: Platform, pool: PlatformPool) -> dict[str, str]:
    """Return all that a pod can have of a node, its devices of the network among it.

    slurmd is privileged, so that it lacks no capability for them.
    """
    (gpus,) = pool.facts.resources
    share = node_share(pool, pool.hardware.gpus)
    devices = {gpus.name: gpus.per_node, **fabric(platform, pool).resources}
    return {
        "cpu": str(share.cpu),
        "memory": f"{share.memory_gib}Gi",
        **{name: str(count) for name, count in devices.items()},
    }


def _pod(pool: PlatformPool) -> dict[str, Any]:
    return {"nodeSelector": {POOL: pool.name}, "tolerations": tolerations_of(pool.facts.taints)}


def network_policy(collectors: Iterable[str], *, has_login: bool) -> Document:
    """Return a NetworkPolicy that lets in the pods of Slurm themselves, and few others.

    `srun` listens on any port, and so do the processes of a job. The controller shows its metrics
    to whoever reaches its port; the API wants a token, and SSH a login.
    """
    rules: list[dict[str, Any]] = [
        {"from": [{"podSelector": {}}]},
        from_namespaces([OPERATOR_NAMESPACE], REST_PORT),
        from_namespaces(collectors, CONTROLLER_PORT),
    ]
    if has_login:
        rules.append({"ports": tcp([SSH_PORT])})
    spec = {"podSelector": {}, "policyTypes": ["Ingress"], "ingress": rules}
    metadata = ObjectMeta("slurm", SLURM_NAMESPACE)
    return object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})
