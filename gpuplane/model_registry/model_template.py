"""A pod template that names a version of a model, and what moves it to another.

Its annotations say what it follows, the number of the version, and where its files are. With these
moves whatever else in the template names that place.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.cluster_file.fault import FieldPath
from gpuplane.workloads.model_version import ModelReference, ModelVersion, read_reference
from gpuplane.workloads.serving.weights import Source, read_weights
from gpus.platform_names import MODEL, MODEL_SOURCE, MODEL_VERSION
from policies.document import pointer
from policies.operation import Operation

_BEFORE, _BEHIND = r"(?<![\w.-])", r"(?![\w.=@:-])"
"""Next to a name, these characters would be a part of a longer one."""


class UnmovedError(Exception):
    """A template cannot be moved; the message says why."""


@dataclass(frozen=True, slots=True)
class ModelTemplate:
    """A pod template, or an object, with a model among its annotations."""

    document: int
    """Index of its document in the file."""
    path: FieldPath
    content: Mapping[str, Any]

    @property
    def annotations(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.content["metadata"]["annotations"]
        return found

    @property
    def follows(self) -> ModelReference | None:
        return read_reference(str(self.annotations[MODEL]))

    @property
    def number(self) -> str:
        return str(self.annotations.get(MODEL_VERSION, ""))

    def operations(self, new: ModelVersion) -> tuple[Operation, ...]:
        """Return what moves it, nothing where it is there; raise UnmovedError."""
        old = str(self.annotations.get(MODEL_SOURCE, ""))
        if (self.number, old) == (new.number, new.source):
            return ()
        changed = tuple(_renamed(self.content, self.path, _names(old, new.source)))
        if old != new.source and not changed:
            raise UnmovedError(f"nothing but its annotations names {old}")
        return (*self._noted(new), *changed)

    def _noted(self, new: ModelVersion) -> Iterator[Operation]:
        stated = {MODEL_VERSION: new.number, MODEL_SOURCE: new.source}
        for key, value in stated.items():
            place = pointer(*self.path, "metadata", "annotations", key)
            yield Operation("replace" if key in self.annotations else "add", place, value)


def model_templates(documents: list[Any]) -> Iterator[ModelTemplate]:
    for index, document in enumerate(documents):
        yield from (ModelTemplate(index, *each) for each in _annotated(document, ()))


def _annotated(value: Any, path: FieldPath) -> Iterator[tuple[FieldPath, Mapping[str, Any]]]:
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _annotated(each, (*path, index))
    elif isinstance(value, dict):
        match value:
            case {"metadata": {"annotations": {**annotations}}} if MODEL in annotations:
                yield path, value
        for name, each in value.items():
            yield from _annotated(each, (*path, name))


def _names(old: str, new: str) -> Mapping[str, str]:
    """Return what stands for the old place, with what does for the new one; raise UnmovedError.

    An engine is told of a container of Azure without its account, and of an image by the path of
    its mount, while a node pulls it from its registry, or from a mirror of that.
    """
    before, after = read_weights(old), read_weights(new)
    if before and after and before.source is after.source:
        if before.source is Source.BUCKET and before.account == after.account:
            return {old: new, before.path: after.path}
        host, _, image = before.image.partition("/")
        other, _, other_image = after.image.partition("/")
        if image and (host, before.path) == (other, after.path):
            return {image: other_image}
    raise UnmovedError(f"{old or 'what it names'} cannot become {new}: write the manifest anew")


def _renamed(value: Any, path: FieldPath, names: Mapping[str, str]) -> Iterator[Operation]:
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _renamed(each, (*path, index), names)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if name != MODEL_SOURCE:
                yield from _renamed(each, (*path, name), names)
    elif isinstance(value, str) and (after := _with_names(value, names)) != value:
        yield Operation("replace", pointer(*path), after)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    for old, new in names.items():
        # A name with a backslash would else be read as one of a group.
        text = new.join(re.split(f"{_BEFORE}{re.escape(old)}{_BEHIND}", text))
    return text
