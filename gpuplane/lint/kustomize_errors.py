"""What kustomize says where it builds nothing, in a sentence and at the line that it is about."""

import os
import re
from collections.abc import Iterator, Sequence

from gpuplane.lint.kustomization import Kustomization, KustomizationError, shortened
from policies.document import Json, members, name_of
from policies.workloads.place import children

_ABSENT = re.compile(r"lstat (.+?): no such file or directory")
_UNMATCHED = re.compile(r"no matches for Id (\w+)\.[^/\s]+/(\S+)\.")
_UNKNOWN = re.compile(r'unknown field "(.+?)"')
_PLUGIN = re.compile(r"trouble configuring builtin \w+ with config: `[^`]*`: ")
"""Names the plugin that kustomize makes of a field, with what it reads there."""


def explained(error: KustomizationError, chain: Sequence[Kustomization]) -> KustomizationError:
    """Return an error of kustomize at what it is about; the kustomization that is built is last."""
    said = str(error)
    words = shortened(" ".join(_PLUGIN.sub("", said).split()))
    for one in chain:
        if (found := next(_about(said, one), None)) is not None:
            pointer, why = found
            return one.error(chain[-1], pointer, why or words)
    return KustomizationError(words)


def _about(said: str, one: Kustomization) -> Iterator[tuple[str, str]]:
    """Yield JSON Pointers to what is wrong in a kustomization, with a sentence or nothing."""
    if absent := _ABSENT.search(said):
        for pointer, name in _texts(one.one.document, ""):
            # The file of a generator may follow its key.
            if os.path.realpath(one.path(name.rpartition("=")[2])) == os.path.realpath(absent[1]):
                yield pointer, f"{pointer.split('/')[1]} names {name}, which is not there"
    if unmatched := _UNMATCHED.search(said):
        for layer in one.layers:
            stated = members(layer.document).get("kind"), name_of(layer.document)
            if layer.is_patch and stated == unmatched.groups():
                yield layer.entry, f"the patch of {' '.join(unmatched.groups())} is for no resource"
    if (unknown := _UNKNOWN.search(said)) and unknown[1] in members(one.one.document):
        yield f"/{unknown[1]}", ""


def _texts(value: Json, above: str) -> Iterator[tuple[str, str]]:
    if type(value) is str and "\n" not in value:
        yield above, value
    for name, below in children(value):
        yield from _texts(below, f"{above}/{name}")
