"""JSON Patches of a cluster file, applied to what is rendered."""

from collections.abc import Iterable
from typing import Any

import jsonpatch
from jsonpointer import JsonPointerException

from charts_py.objects.document import Document, ObjectKey, key_of
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError
from charts_py.spec.extensions import Patch, PatchOperation
from gpus.nearest import nearest, nearest_hint


class Patcher:
    """Applies a cluster's patches and remembers which of them matched something."""

    def __init__(self, platform: Platform) -> None:
        self._cluster = platform.name
        self._patches = platform.cluster.extensions.patches
        self._matched: set[int] = set()
        self._seen: set[tuple[str, str]] = set()

    def apply(self, documents: Iterable[Document]) -> tuple[Document, ...]:
        """Return the documents, each with the patches that name it applied."""
        return tuple(self._patched(document) for document in documents)

    def check_all_matched(self) -> None:
        """Raise RenderError for every patch that named no object."""
        missed = [
            self._missed(index, patch)
            for index, patch in enumerate(self._patches)
            if index not in self._matched
        ]
        if missed:
            raise RenderError("\n".join(missed))

    def _patched(self, document: Document) -> Document:
        key = key_of(document)
        self._seen.add((key.kind, key.name))
        for index, patch in enumerate(self._patches):
            named = (patch.kind, patch.name, patch.namespace or key.namespace)
            if named == (key.kind, key.name, key.namespace):
                self._matched.add(index)
                document = self._applied(index, patch, document)
        if not _is_named(document, key):
            raise RenderError(f"{self._cluster}: a patch of {key} changes what identifies it")
        return document

    def _applied(self, index: int, patch: Patch, document: Document) -> Document:
        try:
            patched: Document = jsonpatch.apply_patch(
                document, [_as_json(operation) for operation in patch.operations]
            )
        except (jsonpatch.JsonPatchException, JsonPointerException) as error:
            where = f"{self._cluster}: extensions.patches[{index}]"
            raise RenderError(f"{where}: does not apply to {key_of(document)}: {error}") from error
        return patched

    def _missed(self, index: int, patch: Patch) -> str:
        kinds = {kind for kind, _ in self._seen}
        names = {name for kind, name in self._seen if kind == patch.kind}
        wrong, allowed = (patch.name, names) if patch.kind in kinds else (patch.kind, kinds)
        hint = nearest_hint(nearest(wrong, sorted(allowed)))
        namespace = f"{patch.namespace}/" if patch.namespace else ""
        return (
            f"{self._cluster}: extensions.patches[{index}]: matches nothing: no {patch.kind} "
            f"{namespace}{patch.name} is emitted; allowed: {', '.join(sorted(allowed))}{hint}"
        )


def _is_named(document: Any, key: ObjectKey) -> bool:
    try:
        return key_of(document) == key
    except (KeyError, TypeError, AttributeError):
        return False


def _as_json(operation: PatchOperation) -> dict[str, object]:
    return operation.model_dump(by_alias=True, exclude_unset=True)
