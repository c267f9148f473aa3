"""Where in a workload the fields of a pod stand that is assembled from its parts.

The readers of parts are asked once more, about a copy of the workload in which each value ends with
the place where it stands, so that the pod they assemble tells where each of its values comes from.
"""

import re
from collections.abc import Iterator
from functools import reduce
from itertools import takewhile

from policies.document import Document, Json, field_path, pointer, steps_of, text
from policies.workloads.pod_template import PodTemplate, pod_templates

_SIGN = "\0"
"""Stands around the place behind a value; the API server takes no text that has it."""
_IDENTITY = ("apiVersion", "kind")
_FIELD = re.compile(r"\b(?:spec|metadata)(?:\.\w+|\[\d+\])+")
_NOTHING: Json = object()


def below(place: str, sentence: str) -> str:
    """Return a sentence on a pod with its fields named as those of a template at that place."""
    return _FIELD.sub(lambda match: f"{place}.{match[0]}", sentence)


class PartSource:
    """The places in a manifest of what the pod of a workload is assembled from."""

    def __init__(self, workload: Document, template: PodTemplate, at: str = "") -> None:
        """`at`: JSON Pointer from the manifest to the workload."""
        self._workload = workload
        self._part = template.pointer
        self._at = at
        self._marked: Json = None

    def pointer_of(self, path: str) -> str:
        """Return the JSON Pointer in the manifest of what a path in the pod leads to.

        Of what the pod lacks, and of what is no value of the workload, it leads to what should hold
        it.
        """
        here = self._pod()
        for step in steps_of(path):
            below = _member(here, step)
            if below is _NOTHING:
                break
            here = below
        return f"{self._at}{self._place_of(here)}"

    def said_of(self, sentence: str) -> str:
        """Return a sentence on the pod with its fields named as those of the workload."""
        return _FIELD.sub(self._named, sentence)

    def _named(self, match: "re.Match[str]") -> str:
        here = self._pod()
        for step in match[0].replace("[", ".").replace("]", "").split("."):
            here = _member(here, step)
        return match[0] if here is _NOTHING else field_path(self._place_of(here))

    def _pod(self) -> Json:
        if self._marked is None:
            made = pod_templates(_marked(self._workload, ""))
            self._marked = next((each.document for each in made if each.pointer == self._part), {})
        return self._marked

    def _place_of(self, value: Json) -> str:
        """Return the place of a value, or the one in the part that has all of what it is made."""
        places = list(_places(value, 0))
        place = pointer(*reduce(_shared, places)) if places else ""
        return self._part if self._part.startswith(place) else place


def _marked(value: Json, place: str) -> Json:
    if type(value) is dict:
        return {
            name: below if name in _IDENTITY else _marked(below, place + pointer(name))
            for name, below in value.items()
        }
    if type(value) is list:
        return [_marked(below, f"{place}/{index}") for index, below in enumerate(value)]
    return f"{text(value)}{_SIGN}{place}{_SIGN}"


def _member(holder: Json, step: str) -> Json:
    if type(holder) is dict:
        # A name can be a value, too, as that of a resource.
        return next((each for name, each in holder.items() if _plain(name) == step), _NOTHING)
    if type(holder) is list and step.isdecimal() and int(step) < len(holder):
        return holder[int(step)]
    return _NOTHING


def _plain(name: str) -> str:
    return name.partition(_SIGN)[0]


def _places(value: Json, depth: int) -> Iterator[list[str]]:
    """Yield where a value would stand by each of those below it, so many steps above."""
    if type(value) is dict or type(value) is list:
        for below in value.values() if type(value) is dict else value:
            yield from _places(below, depth + 1)
    elif type(value) is str and _SIGN in value:
        steps = steps_of(value.split(_SIGN)[1])
        yield steps[: max(len(steps) - depth, 0)]


def _shared(one: list[str], other: list[str]) -> list[str]:
    return [step for step, _ in takewhile(_are_alike, zip(one, other, strict=False))]


def _are_alike(steps: tuple[str, str]) -> bool:
    return steps[0] == steps[1]
