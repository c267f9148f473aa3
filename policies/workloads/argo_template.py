"""The pods that the templates of an Argo Workflow create.

https://argo-workflows.readthedocs.io/en/latest/fields/#template
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members
from policies.workloads.place import at
from policies.workloads.pod_part import pod_part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from policies.document import Document, Json

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
