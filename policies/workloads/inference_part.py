"""What inference services state about their pods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.catalog import load_vendors
from gpus.vendor import NVIDIA
from policies.document import elements, members, text
from policies.workloads.pod_part import one, pod_part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from policies.document import Document, Json

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
