"""The strings in pods that rules read, as `gpuplane/admission/pod_shape.yaml` has them."""

from collections.abc import Iterator
from typing import Any

from charts_py.objects.document import Document
from gpuplane.admission.unread_parts import stated_shapes
from policies.document import Json, escaped
from policies.workloads.place import EVERY
from policies.workloads.pod_template import pod_templates

_OF_PROGRAMS = ("annotations", "env")


def pod_strings(document: Document) -> Iterator[tuple[str, str]]:
    """Yield each string, by JSON Pointer, also in the place of another type.

    What programs read is left out.
    """
    shape = stated_shapes()["template"]
    for template in pod_templates(document):
        if not template.partial:
            yield from _strings(template.document, shape, template.pointer)


def _strings(value: Json, shape: Any, at: str) -> Iterator[tuple[str, str]]:
    if type(value) is str:
        yield at, value
    elif type(value) is list and type(shape) is list:
        for index, each in enumerate(value):
            yield from _strings(each, shape[0], f"{at}/{index}")
    elif type(value) is dict and type(shape) is dict:
        for name, each in value.items():
            inner = shape.get(name, shape.get(EVERY))
            if inner is not None and name not in _OF_PROGRAMS:
                yield from _strings(each, inner, f"{at}/{escaped(name)}")
