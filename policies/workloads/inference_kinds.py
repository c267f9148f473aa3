"""Kinds of services that serve a model.

Sources: the CRDs of LeaderWorkerSet 0.10, Grove, KAITO 0.12, Knative Serving 1, KServe 0.20, NVIDIA
Dynamo 1, the NIM operator and the vLLM production stack.
"""

from collections.abc import Mapping

from gpus.catalog import load_vendors
from gpus.vendor import NVIDIA
from policies.document import Document, Json, elements, members, text
from policies.workloads.job_label import DISAGGREGATED_SET, LEADER_WORKER_SET
from policies.workloads.place import one, pod_part, pod_spec, template
from policies.workloads.ray_kinds import ray_cluster
from policies.workloads.workload_kind import Author, Read, Status, WorkloadKind

_KSERVE_MODELS = (
    "model",
    "huggingface",
    "lightgbm",
    "onnx",
    "paddle",
    "pmml",
    "pytorch",
    "sklearn",
    "tensorflow",
    "triton",
    "xgboost",
)
"""Fields that each hold a container; all but the first are from old manifests
(https://kserve.github.io/website/docs/reference/crd-api)."""


@one
def kserve_component(component: Json) -> Document:
    """Return the pod of a predictor, transformer or explainer of KServe."""
    fields = members(component)
    models = [members(fields.get(name)) for name in _KSERVE_MODELS]
    named = [{"name": "kserve-container", **model} for model in models if model]
    return pod_part(fields, *elements(fields.get("containers")), *named)


@one
def kserve_router(graph: Json) -> Document:
    """Return the pod that routes the requests of an InferenceGraph of KServe."""
    fields = members(graph)
    return pod_part(fields, {"name": "router", **_of_container(fields)})


@one
def kv_cache_component(component: Json) -> Document:
    """Return the pod of a component of a KVCache of AIBrix."""
    fields = members(component)
    pod = members(members(fields.get("template")).get("spec"))
    container = {"name": "kvcache", **_of_container(fields, "image")}
    return pod_part(pod, container, *elements(pod.get("containers")))


@one
def dynamo_profiler(profiling: Json) -> Document:
    """Return the pod that looks for a deployment of NVIDIA Dynamo, as its v1alpha1 states it."""
    fields = members(profiling)
    container = {"name": "profiler", **_of_container(fields)}
    if "profilerImage" in fields:
        container["image"] = fields["profilerImage"]
    return pod_part(fields, container)


@one
def dynamo_service(service: Json) -> Document:
    """Return the pod of a service of NVIDIA Dynamo, as its v1alpha1 states them."""
    fields = members(service)
    pod = members(fields.get("extraPodSpec"))
    container = {"name": "main", **members(pod.get("mainContainer"))}
    if resources := members(fields.get("resources")):
        container["resources"] = {
            "limits": _amounts(resources.get("limits")),
            "requests": _amounts(resources.get("requests")),
        }
    return pod_part(pod, container, *elements(pod.get("containers")))


@one
def nim_service(service: Json) -> Document:
    """Return the pod of a service of NVIDIA's NIM operator."""
    fields = members(service)
    image = members(fields.get("image"))
    name = ":".join(filter(None, (text(image.get("repository")), text(image.get("tag")))))
    return pod_part(fields, {"name": "nim", **_of_container(fields), "image": name})


@one
def vllm_runtime(deployment: Json) -> Document:
    """Return the pod of a runtime of the vLLM production stack."""
    fields = members(deployment)
    image = members(fields.get("image"))
    name = "/".join(filter(None, (text(image.get("registry")), text(image.get("name")))))
    resources = {"limits": _amounts(fields.get("resources"))}
    return pod_part(fields, {"name": "vllm", "image": name, "resources": resources})


def _of_container(fields: Mapping[str, Json], *others: str) -> Document:
    return {name: fields[name] for name in ("env", "resources", *others) if name in fields}


def _amounts(stated: Json) -> Document:
    """Return amounts by resource; `gpu` and `gpuType` state the amount of GPUs."""
    amounts = {**members(stated)}
    resource = text(amounts.pop("gpuType", None)) or load_vendors()[NVIDIA].resource
    custom = members(amounts.pop("custom", None))
    if "gpu" in amounts:
        amounts[resource] = amounts.pop("gpu")
    return {**amounts, **custom}


_AIBRIX = "orchestration.aibrix.ai"
_FLEET = ray_cluster("/spec/template/spec")
# AIBrix 0.7 serves models by pods in roles, or by fleets of Ray clusters:
# https://github.com/vllm-project/aibrix/tree/v0.7.0/config/crd/orchestration
AIBRIX_KINDS = (
    WorkloadKind(
        _AIBRIX,
        "KVCache",
        parts=tuple(
            (f"/spec/{place}", kv_cache_component)
            for place in ("cache", "watcher", "metadata/etcd/runtime", "metadata/redis/runtime")
        ),
        is_in_roles=False,
    ),
    # A RoleSet has it where a role has pods in groups.
    WorkloadKind(
        _AIBRIX, "PodSet", ("/spec/template",), author=Author.CONTROLLER, is_in_roles=False
    ),
    WorkloadKind(_AIBRIX, "RayClusterFleet", _FLEET, has_scale=True, is_in_roles=False),
    # To a fleet, what a ReplicaSet is to a Deployment.
    WorkloadKind(
        _AIBRIX, "RayClusterReplicaSet", _FLEET, author=Author.CONTROLLER, is_in_roles=False
    ),
    # A StormService has one for each replica.
    WorkloadKind(
        _AIBRIX,
        "RoleSet",
        ("/spec/roles/*/template",),
        author=Author.CONTROLLER,
        is_in_roles=False,
    ),
    WorkloadKind(
        _AIBRIX,
        "StormService",
        ("/spec/template/spec/roles/*/template",),
        has_scale=True,
        is_in_roles=False,
    ),
)
_DYNAMO = "nvidia.com"
_GROVE = "grove.io"
_KAITO = "kaito.sh"
_KSERVE = "serving.kserve.io"
_KNATIVE = "serving.knative.dev"
_NIM = "apps.nvidia.com"
_SERVING_RUNTIME = (("/spec", pod_spec), ("/spec/workerSpec", pod_spec))
_LLM = tuple(
    (f"/spec/{place}", pod_spec)
    for place in (
        "template",
        "worker",
        "prefill/template",
        "prefill/worker",
        "router/scheduler/template",
    )
)
_PREDICTORS = ("predictor", "canary/*/predictor")


def _leader_worker(place: str) -> tuple[str, ...]:
    return (
        f"{place}/leaderWorkerTemplate/leaderTemplate",
        f"{place}/leaderWorkerTemplate/workerTemplate",
    )


def _dynamo_component(v1alpha1: str, v1beta1: str) -> tuple[tuple[str, Read], ...]:
    """Return the parts of a component, by where a version of Dynamo's API has it."""
    return (
        (v1alpha1, dynamo_service),
        (f"{v1alpha1}/checkpoint/job/podTemplate", template),
        (f"{v1beta1}/podTemplate", template),
        (f"{v1beta1}/experimental/checkpoint/job/podTemplate", template),
    )


INFERENCE_KINDS = (
    WorkloadKind(_NIM, "NIMPipeline", parts=(("/spec/services/*/spec", nim_service),)),
    WorkloadKind(_NIM, "NIMService", parts=(("/spec", nim_service),)),
    WorkloadKind(
        "disaggregatedset.x-k8s.io",
        "DisaggregatedSet",
        _leader_worker("/spec/roles/*/spec"),
        job_label=DISAGGREGATED_SET,
    ),
    # Grove creates it from a PodCliqueSet.
    WorkloadKind(
        _GROVE,
        "PodClique",
        parts=(("/spec/podSpec", pod_spec),),
        author=Author.CONTROLLER,
        has_scale=True,
    ),
    WorkloadKind(
        _GROVE,
        "PodCliqueSet",
        parts=(("/spec/template/cliques/*/spec/podSpec", pod_spec),),
        has_scale=True,
    ),
    WorkloadKind(
        "leaderworkerset.x-k8s.io",
        "LeaderWorkerSet",
        _leader_worker("/spec"),
        job_label=LEADER_WORKER_SET,
        has_scale=True,
    ),
    # KAITO adds tolerations and node affinity to a template.
    WorkloadKind(
        _KAITO,
        "InferenceSet",
        parts=(("/spec/template/inference/template", template),),
        has_scale=True,
        is_in_roles=False,
    ),
    WorkloadKind(
        _KAITO, "Workspace", parts=(("/inference/template", template),), is_in_roles=False
    ),
    WorkloadKind(
        _DYNAMO,
        "DynamoCheckpoint",
        parts=(("/spec/job/podTemplateSpec", template),),
        is_in_roles=False,
    ),
    WorkloadKind(
        _DYNAMO,
        "DynamoComponentDeployment",
        parts=_dynamo_component("/spec", "/spec"),
    ),
    WorkloadKind(
        _DYNAMO,
        "DynamoGraphDeployment",
        parts=_dynamo_component("/spec/services/*", "/spec/components/*"),
    ),
    # Its v1alpha1 names the namespace of what the operator creates from it.
    WorkloadKind(
        _DYNAMO,
        "DynamoGraphDeploymentRequest",
        parts=(
            ("/spec/profilingConfig", dynamo_profiler),
            ("/spec/overrides/profilingJob/template", template),
        ),
        wrapped=("/spec/overrides/dgd",),
        author=Author.PLATFORM,
        is_in_roles=False,
    ),
    WorkloadKind(
        "production-stack.vllm.ai",
        "VLLMRuntime",
        parts=(("/spec/deploymentConfig", vllm_runtime),),
        has_scale=True,
    ),
    WorkloadKind(
        _KSERVE,
        "ClusterServingRuntime",
        parts=_SERVING_RUNTIME,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    WorkloadKind(_KSERVE, "InferenceGraph", parts=(("/spec", kserve_router),), is_in_roles=False),
    WorkloadKind(
        _KSERVE,
        "InferenceService",
        parts=tuple(
            (f"/spec/{place}", kserve_component)
            for place in (
                *_PREDICTORS,
                *(f"{predictor}/workerSpec" for predictor in _PREDICTORS),
                "transformer",
                "explainer",
            )
        ),
    ),
    WorkloadKind(_KSERVE, "LLMInferenceService", parts=_LLM),
    # Its status, which came with 0.20, names the services that refer to it.
    WorkloadKind(_KSERVE, "LLMInferenceServiceConfig", parts=_LLM, status=Status.HIDDEN),
    WorkloadKind(_KSERVE, "ServingRuntime", parts=_SERVING_RUNTIME, status=Status.NONE),
    WorkloadKind(_KNATIVE, "Configuration", ("/spec/template",)),
    WorkloadKind(_KNATIVE, "Service", ("/spec/template",)),
)
