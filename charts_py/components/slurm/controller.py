"""The controller, which queues the jobs, and the API by which the operator asks it."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.slurm import Slurm, SlurmStorage
from charts_py.components.slurm.api import (
    CLUSTER,
    JWT_KEY,
    JWT_KEY_SECRET,
    SLURM_KEY,
    SLURM_KEY_SECRET,
    slinky_object,
)
from charts_py.components.slurm.images import SLURMCTLD, SLURMRESTD
from charts_py.components.slurm.pod import container, log_reader, template
from charts_py.components.slurm_operator.namespaces import SLURM_NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.platform import Platform

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
    """Yield the controller, the files that it hands to all nodes, and its API."""
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
