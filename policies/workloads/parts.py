"""Readers of the parts of workloads that describe pods in other ways than by whole templates.

`kinds.toml` says which reader is for which part.
"""

from collections.abc import Iterator, Mapping

from gpus.catalog import load_vendors
from gpus.model import NVIDIA
from policies.document import Document, Json, elements, members, text
from policies.workloads.place import Read, at, one, pod_part, pod_spec, template

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
    fields = members(service)
    image = members(fields.get("image"))
    name = ":".join([str(image[each]) for each in ("repository", "tag") if image.get(each)])
    if "draResources" in fields:
        fields = {**fields, "resourceClaims": fields["draResources"]}
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


@one
def trainer(stated: Json) -> Document:
    """Return the pod of the nodes of a TrainJob."""
    fields = members(stated)
    container = {"name": "node", **_of_container(fields, "image", "command", "args")}
    return pod_part({}, {**container, "resources": fields.get("resourcesPerNode")})


def spark_application(spec: Json) -> Iterator[tuple[str, Document]]:
    return _spark_roles(spec, "driver", "executor")


def spark_connect(spec: Json) -> Iterator[tuple[str, Document]]:
    return _spark_roles(spec, "server", "executor")


def _spark_roles(spec: Json, *roles: str) -> Iterator[tuple[str, Document]]:
    application = members(spec)
    for role in roles:
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


def slurm_daemon(daemon: str) -> Read:
    """Make a reader of the pod of a Slurm daemon, which has the name of its container's field."""

    @one
    def read(spec: Json) -> Document:
        fields = members(spec)
        pod = members(members(fields.get("template")).get("spec"))
        container = {"name": daemon, **members(fields.get(daemon))}
        return pod_part(pod, container, *elements(pod.get("containers")))

    return read


def workspace_options(pod_template: Json) -> Iterator[tuple[str, Document]]:
    """Yield a pod for each option that a WorkspaceKind of Kubeflow Notebooks has for pods.

    Images are options of their own, which go with any of these.
    """
    common = members(pod_template)
    container = {"name": "main", "securityContext": common.get("containerSecurityContext")}
    of_all = {
        "securityContext": common.get("securityContext"),
        "volumes": common.get("extraVolumes"),
    }
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
