"""Pods with any number of one thing, by which they try to keep a worker busy or fill its memory."""

from typing import Any

from policies.document import Document
from policies.limits import MAX_NODE_SELECTOR_TERMS
from tests.policies.conftest import affinity

GPU = "nvidia.com/gpu"
BY_CLASS = "deviceclass.resource.kubernetes.io/gpu.nvidia.com"


def _asking(limits: Document, **members: Any) -> Document:
    return {"resources": {"limits": limits}, **members}


def _pod(*containers: Document, annotations: Document | None = None, **spec: Any) -> Document:
    metadata = {"name": "hostile", "annotations": annotations or {}}
    return {"metadata": metadata, "spec": {"containers": list(containers), **spec}}


def containers(count: int) -> Document:
    return _pod(*[_asking({GPU: 1}, image="a") for _ in range(count)])


def containers_without_gpus(count: int) -> Document:
    others = [{"name": f"{number:x}", "image": "a:latest"} for number in range(count)]
    return _pod(_asking({GPU: 1}), *others)


def empty_containers(count: int) -> Document:
    return _pod(*[{}] * count)


def empty_init_containers(count: int) -> Document:
    return _pod(_asking({GPU: 1}), initContainers=[{}] * count)


def privileged_containers(count: int) -> Document:
    security = {"privileged": True, "capabilities": {"add": ["SYS_ADMIN"]}}
    return _pod(*[_asking({GPU: 1}, securityContext=security) for _ in range(count)])


def resources(count: int) -> Document:
    return _pod(_asking({f"{GPU}.{number:x}": 1 for number in range(count)}))


def requests_without_limits(count: int) -> Document:
    requests = {f"{GPU}.{number:x}": 1 for number in range(count)}
    return _pod({"resources": {"requests": requests}})


def resources_beside_device_classes(count: int) -> Document:
    both = [_asking({BY_CLASS: 1}) for _ in range(count)]
    return _pod(*both, _asking({f"{GPU}.{number:x}": 1 for number in range(count)}))


def variables(count: int) -> Document:
    entries = [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}, {"name": "LD_PRELOAD"}] * count
    return _pod(_asking({GPU: 1}, env=entries))


def volumes(count: int) -> Document:
    mounts = [{"name": "gpuplane-shm", "hostPath": {"path": "/dev/nvidia0"}}] * count
    return _pod(_asking({GPU: 1}), volumes=mounts)


def tolerations(count: int) -> Document:
    return _pod(_asking({GPU: 1}), tolerations=[{"key": GPU, "operator": "Equal"}] * count)


def tolerations_without_gpus(count: int) -> Document:
    return _pod({}, tolerations=[{"key": GPU, "operator": "Equal"}] * count)


def claims(count: int) -> Document:
    return _pod({}, resourceClaims=[{"name": f"claim-{number}"} for number in range(count)])


ZONE = {"key": "zone", "operator": "Exists"}
MODEL = {"gpuplane.io/gpu-model": "h100,a100", "gpuplane.io/purchase": "spot"}


def terms(count: int) -> Document:
    each = [{"matchExpressions": [ZONE]} for _ in range(count)]
    return _pod(_asking({GPU: 1}), annotations=MODEL, affinity=affinity(*each))


def terms_without_gpus(count: int) -> Document:
    return _pod({}, affinity=affinity(*[{"matchExpressions": [ZONE]} for _ in range(count)]))


def expressions(count: int) -> Document:
    required = affinity({"matchExpressions": [ZONE] * count})
    return _pod(_asking({GPU: 1}), annotations=MODEL, affinity=required)


def values_of_terms(count: int) -> Document:
    values = [f"{number:x}" for number in range(count)]
    pool = {"key": "gpuplane.io/pool", "operator": "NotIn", "values": values}
    required = affinity(*[{"matchExpressions": [pool]}] * 9)
    return _pod(_asking({GPU: 1}), annotations=MODEL, affinity=required)


def values_of_an_annotation(count: int) -> Document:
    values = ",".join([*(f"{number:x}" for number in range(count)), *["h100"] * count])
    each = [{"matchExpressions": [ZONE]} for _ in range(MAX_NODE_SELECTOR_TERMS)]
    annotations = {"gpuplane.io/gpu-model": values}
    return _pod(_asking({GPU: 1}), annotations=annotations, affinity=affinity(*each))


def letters_of_an_annotation(count: int) -> Document:
    return _pod(_asking({GPU: 1}), annotations={"gpuplane.io/gpu-model": "h" * count})


def values_of_a_toleration(count: int) -> Document:
    tolerations = [{"key": GPU, "value": f"{number:x}"} for number in range(count)]
    return _pod({}, tolerations=tolerations, nodeSelector={"gpuplane.io/purchase": "spot"})


def labels(count: int) -> Document:
    pod = _pod(_asking({GPU: 1}))
    pod["metadata"]["labels"] = {f"gpuplane.io/{number:x}": "a" for number in range(count)}
    return pod


def annotations_of_fixes(count: int) -> Document:
    fixed = ",".join(f"{number:x}" for number in range(count))
    return _pod(_asking({GPU: 1}), annotations={"gpuplane.io/fixed": fixed})


def preferred_terms(count: int) -> Document:
    term = {"weight": 1, "preference": {"matchExpressions": [ZONE]}}
    preferred = {"preferredDuringSchedulingIgnoredDuringExecution": [term] * count}
    return _pod(_asking({GPU: 1}), annotations=MODEL, affinity={"nodeAffinity": preferred})


def node_labels(count: int) -> Document:
    selector = {f"gpuplane.io/{number:x}": "a" for number in range(count)}
    return _pod(_asking({GPU: 1}), nodeSelector=selector)


HOSTILE = (
    containers,
    containers_without_gpus,
    empty_containers,
    empty_init_containers,
    privileged_containers,
    resources,
    requests_without_limits,
    resources_beside_device_classes,
    variables,
    volumes,
    tolerations,
    tolerations_without_gpus,
    claims,
    terms,
    terms_without_gpus,
    expressions,
    values_of_terms,
    values_of_an_annotation,
    letters_of_an_annotation,
    values_of_a_toleration,
    labels,
    annotations_of_fixes,
    preferred_terms,
    node_labels,
)
