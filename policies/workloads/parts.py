"""Readers of the parts of workloads that describe pods in other ways than by whole templates.

`kinds.toml` says which reader is for which part.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from gpus.catalog import load_vendors
from gpus.model import NVIDIA
from policies.document import Document, Json, elements, members, text
from policies.workloads.place import Read, at, one, pod_part, pod_spec, template

_KSERVE_MODELS = (
    *("model", "huggingface", "lightgbm", "onnx", "paddle", "pmml", "pytorch", "sklearn"),
    *("tensorflow", "triton", "xgboost"),
)
"""Fields that each hold a container; all but the first are from old manifests
(https://kserve.github.io/website/docs/reference/crd-api)."""


Fields: TypeAlias = Mapping[str, Json]


def _of_fields(read: Callable[[Fields], Document]) -> Read:
    """Make a reader of a part that describes one pod; what is no object has no fields."""
    return one(lambda part: read(members(part)))


@_of_fields
def kserve_component(fields: Fields) -> Document:
    """Return the pod of a predictor, transformer or explainer of KServe."""
    models = [members(fields.get(name)) for name in _KSERVE_MODELS]
    named = [{"name": "kserve-container", **model} for model in models if model]
    return pod_part(fields, *elements(fields.get("containers")), *named)


@_of_fields
def kserve_router(fields: Fields) -> Document:
    return pod_part(fields, _container("router", fields))


@_of_fields
def kv_cache_component(fields: Fields) -> Document:
    return _with_containers(_template(fields), _container("kvcache", fields, "image"))


@_of_fields
def dynamo_profiler(fields: Fields) -> Document:
    """Return the pod that looks for a deployment of NVIDIA Dynamo, as its v1alpha1 states it."""
    image = {"image": fields["profilerImage"]} if "profilerImage" in fields else {}
    return pod_part(fields, {**_container("profiler", fields), **image})


@_of_fields
def dynamo_service(fields: Fields) -> Document:
    """Return the pod of a service of NVIDIA Dynamo, as its v1alpha1 states them."""
    pod = members(fields.get("extraPodSpec"))
    container = {"name": "main", **members(pod.get("mainContainer"))}
    if resources := members(fields.get("resources")):
        stated = {field: _amounts(resources.get(field)) for field in ("limits", "requests")}
        container["resources"] = stated
    return _with_containers(pod, container)


@_of_fields
def nim_service(fields: Fields) -> Document:
    image = members(fields.get("image"))
    name = ":".join([str(image[each]) for each in ("repository", "tag") if image.get(each)])
    if "draResources" in fields:
        fields = {**fields, "resourceClaims": fields["draResources"]}
    return pod_part(fields, {**_container("nim", fields), "image": name})


@_of_fields
def vllm_runtime(fields: Fields) -> Document:
    image = members(fields.get("image"))
    name = "/".join(filter(None, (text(image.get("registry")), text(image.get("name")))))
    resources = {"limits": _amounts(fields.get("resources"))}
    return pod_part(fields, {"name": "vllm", "image": name, "resources": resources})


def _container(name: str, fields: Fields, *others: str) -> Document:
    own = {each: fields[each] for each in ("env", "resources", *others) if each in fields}
    return {"name": name, **own}


def _template(fields: Fields) -> Fields:
    return members(members(fields.get("template")).get("spec"))


def _with_containers(pod: Fields, container: Document) -> Document:
    return pod_part(pod, container, *elements(pod.get("containers")))


def _amounts(stated: Json) -> Document:
    """Return amounts by resource; `gpu` and `gpuType` state the amount of GPUs."""
    amounts = {**members(stated)}
    resource = text(amounts.pop("gpuType", None)) or load_vendors()[NVIDIA].resource
    custom = members(amounts.pop("custom", None))
    if "gpu" in amounts:
        amounts[resource] = amounts.pop("gpu")
    return {**amounts, **custom}


@_of_fields
def trainer(fields: Fields) -> Document:
    container = _container("node", fields, "image", "command", "args")
    return pod_part({}, {**container, "resources": fields.get("resourcesPerNode")})


def spark_application(spec: Json) -> Iterator[tuple[str, Document]]:
    return _spark_roles(spec, "driver", "executor")


def spark_connect(spec: Json) -> Iterator[tuple[str, Document]]:
    return _spark_roles(spec, "server", "executor")


def _spark_roles(spec: Json, *roles: str) -> Iterator[tuple[str, Document]]:
    application = members(spec)
    for role in roles:
        own = members(application.get(role))
        container = {"name": role, "image": application.get("image"), **own}
        container["resources"] = _spark_resources(own)
        template = _template(own)
        others = (*elements(own.get("sidecars")), *elements(template.get("containers")))
        volumes = [*elements(application.get("volumes")), *elements(template.get("volumes"))]
        yield f"/{role}", pod_part({**template, **own, "volumes": volumes}, container, *others)


def _spark_resources(role: Fields) -> Document:
    """Return what a role asks for at least: of memory, Spark adds overhead.

    https://spark.apache.org/docs/latest/running-on-kubernetes.html#spark-properties
    """
    gpu, memory = members(role.get("gpu")), _JAVA_MEMORY.fullmatch(text(role.get("memory")))
    limits = {text(gpu.get("name")): gpu.get("quantity")} if gpu else {}
    stated = {
        "cpu": role.get("coreRequest", role.get("cores")),
        "memory": f"{memory[1]}{memory[2].upper()}i" if memory else None,
    }
    requests = {name: amount for name, amount in stated.items() if amount is not None}
    return {"limits": limits, "requests": requests}


_JAVA_MEMORY = re.compile(r"(\d+)([kmgtKMGT])[bB]?", re.ASCII)


def slurm_daemon(daemon: str) -> Read:
    """Make a reader of the pod of a Slurm daemon, which has the name of its container's field."""

    @_of_fields
    def read(fields: Fields) -> Document:
        container = {"name": daemon, **members(fields.get(daemon))}
        return _with_containers(_template(fields), container)

    return read


def workspace_options(pod_template: Json) -> Iterator[tuple[str, Document]]:
    """Yield a pod for each option that a WorkspaceKind of Kubeflow Notebooks has for pods.

    Images are options of their own, which go with any of these.
    """
    common = members(pod_template)
    container = {"name": "main", "securityContext": common.get("containerSecurityContext")}
    security, volumes = common.get("securityContext"), common.get("extraVolumes")
    of_all = {"securityContext": security, "volumes": volumes}
    for pointer, option in at(pod_template, "/options/podConfig/values/*/spec"):
        fields = members(option)
        resources = {"resources": fields.get("resources")}
        yield pointer, pod_part({**of_all, **fields}, {**container, **resources})


_PLACES = ("/templates/*", "/templates/*/dag/tasks/*/inline", "/templates/*/steps/*/*/inline")
_PARAMETER = "{{"
"""Starts a value that is known only when the workflow runs."""


def argo_templates(workflow: Json) -> Iterator[tuple[str, Document]]:
    """Yield the pods of a workflow's spec, each with the JSON Pointer to its template.

    Values that come from a parameter are left out. Templates without containers create no pod.
    """
    for place in _PLACES:
        for pointer, found in at(workflow, place):
            template = members(found)
            if containers := list(_containers(template)):
                pod = pod_part(_of_both(members(workflow), template), *containers)
                yield pointer, _without_parameters(pod)


def _containers(template: Mapping[str, Json]) -> Iterator[Json]:
    for name in ("container", "script"):
        if type(template.get(name)) is dict:
            yield {"name": "main", **template[name]}
    yield from elements(members(template.get("containerSet")).get("containers"))
    yield from elements(template.get("sidecars"))


def _of_both(workflow: Mapping[str, Json], template: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return the workflow's fields, which apply to all templates, overridden by the template's."""
    volumes = [*elements(workflow.get("volumes")), *elements(template.get("volumes"))]
    return {**workflow, **template, "volumes": volumes}


def _without_parameters(value: Json) -> Json:
    if type(value) is dict:
        kept = {name: each for name, each in value.items() if not _is_parameter(each)}
        if any(map(_is_parameter, elements(value.get("values")))):
            kept.pop("operator", None)  # an expression of which nothing is known requires nothing
        return {name: _without_parameters(each) for name, each in kept.items()}
    if type(value) is list:
        return [_without_parameters(each) for each in value if not _is_parameter(each)]
    return value


def _is_parameter(value: Json) -> bool:
    return type(value) is str and _PARAMETER in value


READERS: Mapping[str, Read] = {
    "argo_templates": argo_templates,
    "dynamo_profiler": dynamo_profiler,
    "dynamo_service": dynamo_service,
    "kserve_component": kserve_component,
    "kserve_router": kserve_router,
    "kv_cache_component": kv_cache_component,
    "nim_service": nim_service,
    "pod_spec": pod_spec,
    "slurm_login": slurm_daemon("login"),
    "slurm_node": slurm_daemon("slurmd"),
    "spark_application": spark_application,
    "spark_connect": spark_connect,
    "template": template,
    "trainer": trainer,
    "vllm_runtime": vllm_runtime,
    "workspace_options": workspace_options,
}
