"""Objects with any number of faults that the linter finds."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from charts_py.objects.document import Document

NAMESPACES: Mapping[str, tuple[str, ...]] = {
    "inference": ("assistants", "search-batch", "search-serving"),
    "mixed": ("vision-serving", "vision-training"),
    "onprem": ("robotics", "simulation", "simulation-notebooks"),
    "training": ("nobodys", "recommendations", "research-notebooks", "research-training"),
}
"""Namespaces of the example clusters, and one of no team."""
IMAGE = "registry.example.com/research/train:1.4"


class Fault(NamedTuple):
    """What an author does to a pod: `pod` and `container` are merged into it."""

    pod: Document | None = None
    container: Document | None = None
    annotations: Document | None = None


def _limits(**limits: object) -> Fault:
    return Fault(container={"resources": {"limits": limits}})


def _requests(**requests: object) -> Fault:
    return Fault(container={"resources": {"requests": requests}})


def _amount(resource: str, amount: object, more: Document | None = None) -> Fault:
    return Fault(container={"resources": {"limits": {resource: amount, **(more or {})}}})


def _selects(key: str, value: str) -> Fault:
    return Fault(pod={"nodeSelector": {key: value}})


def _secured(**context: object) -> Fault:
    return Fault(container={"securityContext": context})


def _variable(name: str, value: str) -> Fault:
    return Fault(container={"env": [{"name": name, "value": value}]})


def _tolerates(*tolerations: Document) -> Fault:
    return Fault(pod={"tolerations": [*tolerations]})


def _mounts(volume: Document, path: str) -> Fault:
    mount = {"name": "v", "mountPath": path}
    return Fault({"volumes": [{"name": "v", **volume}]}, {"volumeMounts": [mount]})


_SHM = "/dev/shm"  # noqa: S108 # in a pod
_SPOT = {"key": "gpuplane.io/purchase", "operator": "Equal", "value": "spot"}
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_ELSEWHERE = {"key": "gpuplane.io/pool", "operator": "NotIn", "values": ["h100", "l4"]}
FAULTS: Mapping[str, Fault] = {
    "no GPU": _amount("nvidia.com/gpu", None),
    "half a GPU": _amount("nvidia.com/gpu", "0.5"),
    "fewer than no GPU": _amount("nvidia.com/gpu", -1),
    "no number of GPUs": _amount("nvidia.com/gpu", "many"),
    "4 GPUs": _amount("nvidia.com/gpu", 4),
    "8 GPUs": _amount("nvidia.com/gpu", "8"),
    "9 GPUs": _amount("nvidia.com/gpu", 9),
    "GPUs in requests alone": Fault(
        container={
            "resources": {"limits": {"nvidia.com/gpu": None}, "requests": {"nvidia.com/gpu": 1}}
        }
    ),
    "more GPUs in requests": _requests(**{"nvidia.com/gpu": 2}),
    "a share besides": _amount("nvidia.com/gpu.shared", 1),
    "shares": _amount("nvidia.com/gpu.shared", 8, {"nvidia.com/gpu": None}),
    "a partition": _amount("nvidia.com/mig-1g.10gb", 1, {"nvidia.com/gpu": None}),
    "a partition that no pool has": _amount("nvidia.com/mig-1g.5gb", 1),
    "a GPU of AMD": _amount("amd.com/gpu", 1, {"nvidia.com/gpu": None}),
    "a misspelt GPU": _amount("nvidia.com/gup", 1),
    "a class of devices": _amount("deviceclass.resource.kubernetes.io/gpu.nvidia.com", 1),
    "EFA": _amount("vpc.amazonaws.com/efa", 1),
    "more EFA than a node has": _amount("vpc.amazonaws.com/efa", 33),
    "RDMA": _amount("rdma/ib", 1),
    "a resource of nobody's": _amount("smarter-devices/fuse", 1),
    "pages": _amount("hugepages-2Mi", "1Gi"),
    "all CPUs": _limits(cpu=192),
    "CPUs of no node": _limits(cpu="400"),
    "half a node": _limits(cpu="95500m"),
    "all memory": _limits(memory="2048Gi"),
    "memory of no node": _limits(memory="8Ti"),
    "no memory": _limits(memory=None),
    "little memory": _limits(memory="70Ki"),
    "requests above limits": _requests(memory="65Gi", cpu=4),
    "limits of the pod": Fault(pod={"resources": {"limits": {"memory": "32Gi"}}}),
    "a claim": Fault({"resourceClaims": [{"name": "gpu", "resourceClaimName": "gpu"}]}),
    "a node": Fault({"nodeName": "ip-10-0-1-7.ec2.internal"}),
    "a pool": _selects("gpuplane.io/pool", "h100"),
    "no such pool": _selects("gpuplane.io/pool", "h1000"),
    "a purchase": _selects("gpuplane.io/purchase", "spot"),
    "another zone": _selects("topology.kubernetes.io/zone", "us-east-1f"),
    "another machine": _selects("node.kubernetes.io/instance-type", "p4d.24xlarge"),
    "another product": _selects("nvidia.com/gpu.product", "Tesla-T4"),
    "another architecture": _selects("kubernetes.io/arch", "arm64"),
    "a model": Fault(annotations={"gpuplane.io/gpu-model": "h100"}),
    "an unknown model": Fault(annotations={"gpuplane.io/gpu-model": "h1000"}),
    "spot": Fault(annotations={"gpuplane.io/purchase": "spot"}),
    "an unknown fabric": Fault(annotations={"gpuplane.io/interconnect": "infiniband"}),
    "other pools": Fault(
        {
            "affinity": {
                "nodeAffinity": {
                    _REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [_ELSEWHERE]}]}
                }
            }
        }
    ),
    "all taints": _tolerates({"operator": "Exists"}),
    "a taint": _tolerates({"key": "nvidia.com/gpu", "operator": "Exists"}),
    "the taint of spot": _tolerates(_SPOT),
    "a class of the runtime": Fault({"runtimeClassName": "nvidia"}),
    "another class of the runtime": Fault({"runtimeClassName": "kata"}),
    "another priority": Fault({"priorityClassName": "nobodys"}),
    "a reserved priority": Fault({"priorityClassName": "system-node-critical"}),
    "a priority": Fault({"priorityClassName": "training"}),
    "another scheduler": Fault({"schedulerName": "volcano"}),
    "a scheduler of nobody's": Fault({"schedulerName": "mine"}),
    "a long grace period": Fault({"terminationGracePeriodSeconds": 86400}),
    "memory of the host": Fault({"hostIPC": True}),
    "network of the host": Fault({"hostNetwork": True}),
    "users of the host": Fault({"hostUsers": True}),
    "another system": Fault({"os": {"name": "windows"}}),
    "privileges": _secured(privileged=True),
    "capabilities": _secured(capabilities={"add": ["SYS_ADMIN"]}),
    "the capability to pin memory": _secured(capabilities={"add": ["IPC_LOCK"], "drop": ["ALL"]}),
    "escalation": _secured(allowPrivilegeEscalation=None),
    "root": _secured(runAsUser=0),
    "no profile": Fault({"securityContext": {"seccompProfile": None}}),
    "no user": Fault({"securityContext": {"runAsNonRoot": None, "runAsUser": None}}),
    "shared memory": _mounts({"emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}, _SHM),
    "much shared memory": _mounts({"emptyDir": {"medium": "Memory", "sizeLimit": "3Ti"}}, _SHM),
    "shared memory on a disk": _mounts({"emptyDir": {}}, _SHM),
    "devices of the host": _mounts({"hostPath": {"path": "/dev/nvidia0"}}, "/dev/nvidia0"),
    "files of the host": _mounts({"hostPath": {"path": "/data"}}, "/data"),
    "no devices": _variable("NVIDIA_VISIBLE_DEVICES", "void"),
    "all devices": _variable("NVIDIA_VISIBLE_DEVICES", "all"),
    "one device of CUDA": _variable("CUDA_VISIBLE_DEVICES", "3"),
    "a preloaded library": _variable("LD_PRELOAD", "/a.so"),
    "foreign variables": Fault(container={"envFrom": [{"configMapRef": {"name": "train"}}]}),
    "another registry": Fault(container={"image": "docker.io/pytorch/pytorch:2.9.0"}),
    "no tag": Fault(container={"image": "registry.example.com/research/train"}),
    "a server": Fault(container={"command": ["vllm", "serve", "m", "--tensor-parallel-size", "3"]}),
}
KINDS = (
    *("Pod", "Job", "CronJob", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"),
    *("JobSet", "LeaderWorkerSet", "PyTorchJob", "RayCluster", "TrainJob"),
)
_CLEAN: Document = {
    "restartPolicy": "Never",
    "securityContext": {
        "runAsNonRoot": True,
        "runAsUser": 1000,
        "seccompProfile": {"type": "RuntimeDefault"},
    },
    "containers": [
        {
            "name": "train",
            "image": IMAGE,
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
            },
            "resources": {"limits": {"nvidia.com/gpu": 1, "memory": "64Gi"}},
        }
    ],
}


def pod_with(names: Iterable[str], sidecar: Iterable[str] = ()) -> Document:
    """Return the template of a pod with faults; those of `sidecar` are in a second container."""
    template = _copied({"metadata": {"labels": {"app": "train"}}, "spec": _CLEAN})
    sidecars = [*sidecar]
    if sidecars:
        second = {
            **_copied(_CLEAN)["containers"][0],
            "name": "log",
            "resources": {"limits": {"memory": "1Gi"}},
        }
        template["spec"]["containers"].append(second)
    for index, faults in enumerate((names, sidecars)):
        for name in faults:
            fault = FAULTS[name]
            _merge(template["spec"], fault.pod)
            _merge(template["spec"]["containers"][index], fault.container)
            _merge(template["metadata"].setdefault("annotations", {}), fault.annotations)
    return template


def _copied(document: Document) -> Document:
    copy: Document = json.loads(json.dumps(document))
    return copy


def _merge(into: Document, more: Document | None) -> None:
    """Merge as a merge patch does, and add to lists."""
    for name, value in _copied(more or {}).items():
        if value is None:
            into.pop(name, None)
        elif isinstance(value, dict):
            _merge(into.setdefault(name, {}), value)
        elif isinstance(value, list):
            into.setdefault(name, []).extend(each for each in value if each not in into[name])
        else:
            into[name] = value


def object_of(kind: str, template: Document, namespace: str, queue: str = "") -> Document:
    """Return an object of a kind that makes pods of the template."""
    api_version, spec = _SPECS[kind](_copied(template))
    labels = {"kueue.x-k8s.io/queue-name": queue} if queue else {}
    metadata = {"name": "train", "namespace": namespace, "labels": labels}
    if kind == "Pod":
        own = template["metadata"]
        metadata |= {**own, "labels": {**own["labels"], **labels}}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def _always(template: Document) -> Document:
    template["spec"]["restartPolicy"] = "Always"
    return template


def _job(template: Document) -> Document:
    replaced = {"podReplacementPolicy": "Failed"}
    return {"backoffLimit": 1, "ttlSecondsAfterFinished": 60, **replaced, "template": template}


def _replicas(template: Document) -> Document:
    selector = {"matchLabels": {"app": "train"}}
    return {"replicas": 2, "selector": selector, "template": _always(template)}


_Spec = Callable[[Document], tuple[str, Document]]
_SPECS: Mapping[str, _Spec] = {
    "Pod": lambda t: ("v1", t["spec"]),
    "Job": lambda t: ("batch/v1", _job(t)),
    "CronJob": lambda t: ("batch/v1", {"schedule": "0 1 * * *", "jobTemplate": {"spec": _job(t)}}),
    "Deployment": lambda t: ("apps/v1", _replicas(t)),
    "StatefulSet": lambda t: ("apps/v1", {"serviceName": "train", **_replicas(t)}),
    "ReplicaSet": lambda t: ("apps/v1", _replicas(t)),
    "DaemonSet": lambda t: (
        "apps/v1",
        {"selector": {"matchLabels": {"app": "train"}}, "template": _always(t)},
    ),
    "JobSet": lambda t: (
        "jobset.x-k8s.io/v1alpha2",
        {"replicatedJobs": [{"name": "w", "replicas": 2, "template": {"spec": _job(t)}}]},
    ),
    "LeaderWorkerSet": lambda t: (
        "leaderworkerset.x-k8s.io/v1",
        {"replicas": 1, "leaderWorkerTemplate": {"size": 2, "workerTemplate": _always(t)}},
    ),
    "PyTorchJob": lambda t: (
        "kubeflow.org/v1",
        {"pytorchReplicaSpecs": {"Worker": {"replicas": 2, "template": _named(t, "pytorch")}}},
    ),
    "RayCluster": lambda t: (
        "ray.io/v1",
        {
            "headGroupSpec": {"rayStartParams": {}, "template": t},
            "workerGroupSpecs": [
                {
                    "groupName": "w",
                    "replicas": 1,
                    "minReplicas": 1,
                    "maxReplicas": 1,
                    "rayStartParams": {},
                    "template": t,
                }
            ],
        },
    ),
    "TrainJob": lambda t: (
        "trainer.kubeflow.org/v1alpha1",
        {
            "runtimeRef": {"name": "torch-distributed"},
            "trainer": {"numNodes": 2, "resourcesPerNode": t["spec"]["containers"][0]["resources"]},
        },
    ),
}


def _named(template: Document, container: str) -> Document:
    template["spec"]["containers"][0]["name"] = container
    return template
