"""Kinds of services that serve a model.

Sources: the CRDs of LeaderWorkerSet 0.10, Grove, Knative Serving 1, KServe, NVIDIA Dynamo, the NIM
operator and the vLLM production stack.
"""

from __future__ import annotations

from policies.workloads.inference_part import (
    dynamo_service,
    kserve_component,
    nim_service,
    vllm_runtime,
)
from policies.workloads.job_label import DISAGGREGATED_SET, LEADER_WORKER_SET
from policies.workloads.pod_part import pod_spec, template
from policies.workloads.workload_kind import Author, Status, WorkloadKind

_DYNAMO = "nvidia.com"
_GROVE = "grove.io"
_KSERVE = "serving.kserve.io"
_KNATIVE = "serving.knative.dev"
_NIM = "apps.nvidia.com"
_SERVING_RUNTIME = (("/spec", pod_spec), ("/spec/workerSpec", pod_spec))
_LLM = tuple(
    (f"/spec/{place}", pod_spec)
    for place in ("template", "worker", "prefill/template", "prefill/worker")
)


def _leader_worker(place: str) -> tuple[str, ...]:
    return (
        f"{place}/leaderWorkerTemplate/leaderTemplate",
        f"{place}/leaderWorkerTemplate/workerTemplate",
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
    WorkloadKind(
        _DYNAMO,
        "DynamoComponentDeployment",
        parts=(("/spec", dynamo_service), ("/spec/podTemplate", template)),
    ),
    WorkloadKind(
        _DYNAMO,
        "DynamoGraphDeployment",
        parts=(
            ("/spec/services/*", dynamo_service),
            ("/spec/components/*/podTemplate", template),
        ),
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
    WorkloadKind(
        _KSERVE,
        "InferenceService",
        parts=tuple(
            (f"/spec/{place}", kserve_component)
            for place in ("predictor", "predictor/workerSpec", "transformer", "explainer")
        ),
    ),
    WorkloadKind(_KSERVE, "LLMInferenceService", parts=_LLM),
    WorkloadKind(_KSERVE, "LLMInferenceServiceConfig", parts=_LLM, status=Status.NONE),
    WorkloadKind(_KSERVE, "ServingRuntime", parts=_SERVING_RUNTIME, status=Status.NONE),
    WorkloadKind(_KNATIVE, "Configuration", ("/spec/template",)),
    WorkloadKind(_KNATIVE, "Service", ("/spec/template",)),
)
