"""Kinds of services that serve a model.

Sources: the CRDs of LeaderWorkerSet 0.10, Grove, KAITO 0.12, Knative Serving 1, KServe 0.20, NVIDIA
Dynamo 1, the NIM operator and the vLLM production stack.
"""

from __future__ import annotations

from policies.workloads.inference_part import (
    dynamo_profiler,
    dynamo_service,
    kserve_component,
    kserve_router,
    nim_service,
    vllm_runtime,
)
from policies.workloads.job_label import DISAGGREGATED_SET, LEADER_WORKER_SET
from policies.workloads.pod_part import pod_spec, template
from policies.workloads.workload_kind import Author, Read, Status, WorkloadKind

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
