"""Where workloads state parts of their pods, in other forms than pod templates.

Sources: the API types of Kubeflow Trainer 2.3 and Notebooks, Argo Workflows, KServe, NVIDIA Dynamo,
Grove, the NIM operator, the vLLM production stack, the Spark operator and the Slurm operator 1.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from policies.argo_template import argo_templates
from policies.document import elements, members, text
from policies.inference_part import dynamo_service, kserve_component, nim_service, vllm_runtime
from policies.pod_part import one, pod_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from policies.document import Document, Json

    Read: TypeAlias = Callable[[Json], Iterator[tuple[str, Document]]]
    """Yields pods that a part of a workload states, each with the JSON Pointer from that part."""


@one
def _template(part: Json) -> Json:
    return part


@one
def _pod_spec(part: Json) -> Json:
    return {"spec": part}


@one
def _trainer(trainer: Json) -> Json:
    fields = members(trainer)
    container = {"name": "node", **fields, "resources": fields.get("resourcesPerNode")}
    return pod_part({}, container)


def _spark(spec: Json) -> Iterator[tuple[str, Document]]:
    application = members(spec)
    for role in ("driver", "executor"):
        own = members(application.get(role))
        gpu = members(own.get("gpu"))
        limits = {text(gpu.get("name")): gpu.get("quantity")} if gpu else {}
        container = {
            "name": role,
            "image": application.get("image"),
            **own,
            "resources": {"limits": limits},
        }
        template = members(members(own.get("template")).get("spec"))
        others = (*elements(own.get("sidecars")), *elements(template.get("containers")))
        volumes = [*elements(application.get("volumes")), *elements(template.get("volumes"))]
        yield f"/{role}", pod_part({**template, **own, "volumes": volumes}, container, *others)


def _slurm(daemon: str) -> Read:
    @one
    def read(spec: Json) -> Json:
        fields = members(spec)
        pod = members(members(fields.get("template")).get("spec"))
        container = {"name": daemon, **members(fields.get(daemon))}
        return pod_part(pod, container, *elements(pod.get("containers")))

    return read


_JOB_SET = "template/spec/replicatedJobs/*/template/spec/template"
_WORKFLOW = (("/spec", argo_templates),)
_SERVING_RUNTIME = (("/spec", _pod_spec), ("/spec/workerSpec", _pod_spec))
_LLM = tuple(
    (f"/spec/{place}", _pod_spec)
    for place in ("template", "worker", "prefill/template", "prefill/worker")
)

PARTS: Mapping[str, Mapping[str, tuple[tuple[str, Read], ...]]] = {
    "apps.nvidia.com": {
        "NIMPipeline": (("/spec/services/*/spec", nim_service),),
        "NIMService": (("/spec", nim_service),),
    },
    "argoproj.io": {
        "ClusterWorkflowTemplate": _WORKFLOW,
        "CronWorkflow": (("/spec/workflowSpec", argo_templates),),
        "Workflow": _WORKFLOW,
        "WorkflowTemplate": _WORKFLOW,
    },
    "grove.io": {
        "PodClique": (("/spec/podSpec", _pod_spec),),
        "PodCliqueSet": (("/spec/template/cliques/*/spec/podSpec", _pod_spec),),
    },
    "kubeflow.org": {"Notebook": (("/spec/template", _template),)},
    "nvidia.com": {
        "DynamoComponentDeployment": (("/spec", dynamo_service), ("/spec/podTemplate", _template)),
        "DynamoGraphDeployment": (
            ("/spec/services/*", dynamo_service),
            ("/spec/components/*/podTemplate", _template),
        ),
    },
    "production-stack.vllm.ai": {"VLLMRuntime": (("/spec/deploymentConfig", vllm_runtime),)},
    "serving.kserve.io": {
        "ClusterServingRuntime": _SERVING_RUNTIME,
        "InferenceService": tuple(
            (f"/spec/{place}", kserve_component)
            for place in ("predictor", "predictor/workerSpec", "transformer", "explainer")
        ),
        "LLMInferenceService": _LLM,
        "LLMInferenceServiceConfig": _LLM,
        "ServingRuntime": _SERVING_RUNTIME,
    },
    "slinky.slurm.net": {
        "LoginSet": (("/spec", _slurm("login")),),
        "NodeSet": (("/spec", _slurm("slurmd")),),
    },
    "sparkoperator.k8s.io": {
        "ScheduledSparkApplication": (("/spec/template", _spark),),
        "SparkApplication": (("/spec", _spark),),
    },
    "trainer.kubeflow.org": {
        "TrainJob": (
            ("/spec/trainer", _trainer),
            ("/spec/podSpecOverrides/*", _pod_spec),
            ("/spec/podTemplateOverrides/*", _template),
            (f"/spec/runtimePatches/*/trainingRuntimeSpec/{_JOB_SET}", _template),
        ),
    },
}
"""By API group and kind: where parts stand, and how they are read."""
