"""The kinds of Argo Workflows and Argo Rollouts 1.9.

https://argo-workflows.readthedocs.io/en/latest/fields/#template
"""

from collections.abc import Iterator, Mapping

from policies.document import Document, Json, elements, members
from policies.workloads.place import at, pod_part
from policies.workloads.workload_kind import Author, Status, WorkloadKind

_PLACES = (
    "/templates/*",
    "/templates/*/dag/tasks/*/inline",
    "/templates/*/steps/*/*/inline",
)
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
        return {name: _without_parameters(each) for name, each in kept.items()}
    if type(value) is list:
        return [_without_parameters(each) for each in value if not _is_parameter(each)]
    return value


def _is_parameter(value: Json) -> bool:
    return type(value) is str and _PARAMETER in value


_ARGO = "argoproj.io"
_ANALYSIS = ("/spec/metrics/*/provider/job/spec/template",)
_WORKFLOW = (("/spec", argo_templates),)
ARGO_KINDS = (
    # The controller requests the addresses of metrics, and shows the answers
    # (https://github.com/argoproj/argo-rollouts/issues/4707).
    WorkloadKind(_ARGO, "AnalysisRun", _ANALYSIS, author=Author.PLATFORM, status=Status.NONE),
    WorkloadKind(_ARGO, "AnalysisTemplate", _ANALYSIS, author=Author.PLATFORM, status=Status.NONE),
    WorkloadKind(
        _ARGO,
        "ClusterAnalysisTemplate",
        _ANALYSIS,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    WorkloadKind(
        _ARGO,
        "ClusterWorkflowTemplate",
        parts=_WORKFLOW,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    WorkloadKind(
        _ARGO,
        "CronWorkflow",
        parts=(("/spec/workflowSpec", argo_templates),),
        status=Status.NONE,
    ),
    WorkloadKind(_ARGO, "Experiment", ("/spec/templates/*/template",), status=Status.NONE),
    # `kubectl argo rollouts promote` and `abort` write its status
    # (https://github.com/argoproj/argo-rollouts, pkg/kubectl-argo-rollouts/cmd/promote).
    WorkloadKind(_ARGO, "Rollout", ("/spec/template",), status=Status.WRITTEN, has_scale=True),
    WorkloadKind(_ARGO, "Workflow", parts=_WORKFLOW, status=Status.NONE),
    WorkloadKind(_ARGO, "WorkflowTemplate", parts=_WORKFLOW, status=Status.NONE),
)
