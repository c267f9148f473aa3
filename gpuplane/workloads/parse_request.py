"""From what is asked to a request in which everything is right."""

from charts_py.cluster_file.fault import Problem
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import default_priority, policy_settings
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.asked_error import AskedError
from gpuplane.workloads.compute_problems import compute_problems
from gpuplane.workloads.fits import number_problems, numbers
from gpuplane.workloads.framework import chosen_framework, framework_problems
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.place import Place, chosen_place
from gpuplane.workloads.request import Request
from gpuplane.workloads.stated_values import (
    checkpoint,
    hours,
    namespace_problems,
    value_problems,
)

_PROGRAM = ("train.py",)


def parse_request(asked: Asked, kind: Kind, platform: Platform) -> Request:
    """Return the request; raise AskedError with all that is wrong with what is asked."""
    problems = [*value_problems(asked, kind), *framework_problems(asked, kind, platform)]
    try:
        place = chosen_place(asked, kind, platform)
    except AskedError as error:
        raise AskedError([*error.problems, *problems]) from None
    request = _request(asked, kind, platform, place, problems)
    if found := [*compute_problems(request), *kind.problems(request)]:
        raise AskedError(found)
    return request


def _request(
    asked: Asked, kind: Kind, platform: Platform, place: Place, problems: list[Problem]
) -> Request:
    framework = chosen_framework(asked, kind, platform)
    number = numbers(asked, kind, place, platform, framework)
    found = [
        *number_problems(kind, place, platform, number, framework),
        *problems,
        *namespace_problems(asked, place.namespace),
    ]
    if found:
        raise AskedError(found)
    return Request(
        name=asked.name,
        platform=platform,
        settings=policy_settings(platform),
        namespace=place.namespace,
        pool=place.pool,
        resource=place.resource,
        gpus=number.gpus,
        nodes=number.nodes,
        image=asked.image or "",
        program=asked.program or _PROGRAM,
        priority=asked.priority or default_priority(platform, place.namespace),
        hours=hours(asked),
        checkpoint=checkpoint(asked),
        storage_class=asked.storage_class,
        is_collective=kind.is_collective,
        framework=framework,
        data=asked.data,
        model=asked.model,
        beside=kind.beside,
    )
