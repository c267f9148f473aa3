"""Overlays of Kustomize: judged as they are built, at the files that brought the fields."""

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from charts_py.cluster_file.fault import Mark
from gpuplane.admission.manifest_file import ManifestObject, read_manifests
from gpuplane.lint.finding import FileFindings, LintFinding, LintSeverity
from gpuplane.lint.ignoring import without_ignored
from gpuplane.lint.kustomization import (
    SECONDS,
    Kustomization,
    KustomizationError,
    Layer,
    build,
    built_from,
    is_within,
    kustomization_in,
    read_documents,
)
from gpuplane.lint.kustomize_errors import explained
from gpuplane.lint.layer_index import LayerIndex
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.registry import RuleNames
from gpuplane.lint.unmatched_patches import unmatched_patches
from policies.document import (
    Document,
    Json,
    elements,
    field_path,
    members,
    name_of,
    namespace_of,
    pointer,
    steps_of,
    text,
    value_at,
)

_MERGE_KEYS = ("name", "containerPort", "mountPath", "devicePath", "key", "ip", "topologyKey")
"""The fields by which elements of lists are merged, as
https://github.com/kubernetes/api/blob/master/core/v1/types.go has them."""

_SETTERS = {"namespace": "namespace", "replicas": "replicas", "image": "images"}
"""Fields of a kustomization, by the name of the field that each sets."""
_SET = ("count", "newName", "newTag", "digest")
"""The fields of their entries that hold what they set."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is built of a kustomization."""

    file: Path
    source: LintSource
    """What is built, by the name of that file."""
    chain: tuple[Kustomization, ...]
    """The kustomizations that it is built of, in the order in which they are applied."""
    layers: tuple[Layer, ...]
    """Their resources and patches, likewise."""

    @property
    def patched(self) -> Iterator[Layer]:
        """The resources that a patch changes."""
        patches = LayerIndex(layer for layer in self.layers if layer.is_patch)
        return (layer for layer in self.layers if patches.of(layer.document))


def split_overlays(
    sources: Sequence[LintSource], roots: Sequence[Path]
) -> tuple[list[LintSource], list[Overlay]]:
    """Return the sources that are judged one by one, and the overlays.

    `roots` are the folders that are named, below which overlays may name others; for those in the
    working directory, it is that. What an overlay is built of is judged in it; where it cannot be
    built, one by one.
    """
    end, read = time.monotonic() + SECONDS, cache(read_documents)
    folders = dict.fromkeys(Path(each.shown_as).parent for each in sources)
    known = [one for folder in folders if (one := kustomization_in(folder, read)) is not None]
    named = {Path(each.shown_as) for each in sources}
    used = {os.path.realpath(path) for one in known for path in one.used}
    tops = [
        one for one in known if one.file in named and os.path.realpath(one.file.parent) not in used
    ]
    overlays, unbuilt = list[Overlay](), dict[Path, KustomizationError]()
    for top in tops:
        try:
            overlays += () if top.is_component else (_built(top, roots, end),)
        except KustomizationError as error:
            unbuilt[top.file] = error
    layers = [layer for one in known for layer in one.layers]
    patches = {_file(layer) for layer in layers if layer.is_patch and not layer.inline}
    within = {_file(layer) for overlay in overlays for layer in overlay.layers}
    left = [each for each in sources if os.path.realpath(each.shown_as) not in within]
    built = {overlay.file for overlay in overlays}
    plain = [
        replace(each, is_patch=os.path.realpath(each.shown_as) in patches)
        for each in left
        if Path(each.shown_as) not in built
    ]
    for index, each in enumerate(plain):
        if (why := unbuilt.get(Path(each.shown_as))) is not None:
            late, line = why.is_late, why.line
            plain[index] = replace(each, unbuilt=str(why), is_late=late, unread_line=line)
    return plain, overlays


def _place(layer: Layer) -> tuple[str, int]:
    return _file(layer), layer.one.index


def _file(layer: Layer) -> str:
    return os.path.realpath(layer.one.mark.file)


def _built(top: Kustomization, roots: Sequence[Path], end: float) -> Overlay:
    here = Path.cwd().resolve()
    chain = built_from(top, [here] if top.file.resolve().is_relative_to(here) else roots)
    try:
        content = build(top.file.parent, end - time.monotonic())
    except KustomizationError as error:
        if error.is_late:
            raise
        raise explained(error, chain) from error
    layers = tuple(layer for one in chain for layer in one.layers)
    built = LintSource(str(top.file), content, is_placed_later=True)
    return Overlay(top.file, built, tuple(chain), layers)


def findings_by_file(
    overlays: Sequence[Overlay],
    found: Sequence[FileFindings],
    custom_rules: Sequence[str],
    roots: Sequence[Path],
) -> tuple[list[LintSource], list[FileFindings]]:
    """Return the files that overlays are built of, and what is found in them, each once.

    `custom_rules` names those of platform teams, for comments that ignore some. Files outside of
    the roots lead out of what is named.
    """
    files = {str(each.file): dict[LintFinding, LintFinding]() for each in overlays}
    patched = {_place(layer) for overlay in overlays for layer in overlay.patched}
    moved = defaultdict[str, set[str | None]](set)
    for overlay, of_built in zip(overlays, found, strict=True):
        for layer, finding, namespace in _placed(overlay, of_built.findings):
            moved[finding.start.file].add(namespace)
            is_fixed = layer is not None and not layer.is_patch and _place(layer) not in patched
            here = files.setdefault(finding.start.file, {})
            # What several overlays have is told once, with all their clusters.
            alike = finding._replace(clusters=(), fix=(), content="")
            clusters = {*finding.clusters, *(here[alike].clusters if alike in here else ())}
            fix = finding.fix if is_fixed else ()
            here[alike] = finding._replace(fix=fix, clusters=tuple(sorted(clusters)))
    for unmatched in (one for overlay in overlays for one in _unmatched(overlay)):
        files.setdefault(unmatched.start.file, {})[unmatched] = unmatched
    counts = {str(each.file): of_built for each, of_built in zip(overlays, found, strict=True)}
    sources, kept = list[LintSource](), list[FileFindings]()
    for file in sorted(files):
        # One file has no fix for several namespaces.
        namespace, *others = moved[file] or (None,)
        if others:
            files[file] = {one: files[file][one]._replace(fix=()) for one in files[file]}
        content, leads_out = Path(file).read_bytes(), not is_within(Path(file).resolve(), roots)
        source = LintSource(file, content, is_named=False, leads_out=leads_out, namespace=namespace)
        sources.append(source)
        read = read_manifests(source.content, source.shown_as, objects_only=True).objects
        whole = counts.get(source.shown_as, FileFindings(()))
        told = replace(whole, findings=tuple(files[source.shown_as].values()))
        kept.append(without_ignored(source, read, told, RuleNames(custom_rules)))
    return sources, kept


def _unmatched(overlay: Overlay) -> Iterator[LintFinding]:
    read = read_manifests(overlay.source.content, overlay.source.shown_as).objects
    stated = (layer.document for layer in overlay.layers if not layer.is_patch)
    return unmatched_patches(overlay.chain, [*stated, *(one.document for one in read)])


def _placed(
    overlay: Overlay, findings: Sequence[LintFinding]
) -> Iterator[tuple[Layer | None, LintFinding, str | None]]:
    """Yield each finding at the layer that brought its field; None for what kustomize generates.

    With it comes the namespace in which kustomize puts the object; None where it does not. Without
    a fix is what stands in an object that keeps an error.
    """
    read = read_manifests(overlay.source.content, overlay.source.shown_as).objects
    built, layers = {one.index: one.document for one in read}, LayerIndex(overlay.layers)
    layers_of = cache(lambda document: layers.of(built.get(document, {})))
    refused = {one.document for one in findings if one.keeps_fixes_out and not one.fix}
    for one in findings:
        each = one._replace(fix=()) if one.document in refused else one
        concerned = layers_of(each.document)
        origins = [_origin(one, built[each.document], each.pointer) for one in concerned]
        if not origins:
            mark = Mark(str(overlay.file), 1, 1)
            yield None, each._replace(start=mark, end=mark, pointer=""), None
            continue
        # What is refused, the last patch has stated; what is missing, the object itself lacks.
        turn = 1 if each.severity is LintSeverity.ERROR else -1
        best = max(range(len(origins)), key=lambda at: (*origins[at][:2], turn * at))
        layer, (_, is_same, place) = concerned[best], origins[best]
        setter = None if is_same else _setter(overlay, built[each.document], each.pointer)
        if setter is not None:
            kustomization, place = setter
            start, end = kustomization.marks_of(place)
            yield None, each._replace(start=start, end=end, document=0, pointer=place), None
            continue
        start, end = layer.one.marks_of(layer.inline or place)
        index = layer.one.index
        told = each if type(layer.document) is list else _named_at(each, place)
        here = told._replace(start=start, end=end, document=index, pointer=place)
        namespace = namespace_of(built[each.document])
        is_moved = namespace != namespace_of(members(layer.document))
        yield layer, here, namespace if is_moved else None


def _named_at(finding: LintFinding, place: str) -> LintFinding:
    """Return a finding that names an element of a list by its index in the layer."""
    pairs = [*zip(steps_of(finding.pointer), steps_of(place), strict=False)]
    end = max((at + 1 for at, (built, here) in enumerate(pairs) if built != here), default=0)
    if not end:
        return finding
    old, new = (field_path(pointer(*steps)) for steps in zip(*pairs[:end], strict=True))
    message, remedy = finding.message.replace(old, new), finding.remedy.replace(old, new)
    return finding._replace(message=message, remedy=remedy)


def _setter(overlay: Overlay, built: Document, path: str) -> tuple[ManifestObject, str] | None:
    """Return the kustomization whose field sets a value, and the JSON Pointer to it there."""
    steps = steps_of(path)
    value, field = value_at(built, steps), _SETTERS.get(steps[-1] if steps else "", "")
    for one in reversed(overlay.chain if field and value is not None else ()):
        stated = members(one.one.document).get(field)
        if stated == value:
            return one.one, f"/{field}"
        for index, entry in enumerate(elements(stated)):
            is_of_it = field == "images" or text(members(entry).get("name")) in name_of(built)
            for key in (key for key in _SET if is_of_it and key in members(entry)):
                if str(members(entry)[key]) in str(value):
                    return one.one, f"/{field}/{index}/{key}"
    return None


def _origin(layer: Layer, built: Document, path: str) -> tuple[int, bool, str]:
    """Return how many steps to a field a layer has, whether it has its value, and where it is."""
    if type(layer.document) is list:
        return _changed(layer.document, built, path)
    here, there, found = built, layer.document, ""
    steps = steps_of(path)
    for depth, step in enumerate(steps):
        at = _alike(here, there, step)
        if at is None:
            return depth, False, f"{found}{pointer(*steps[depth:])}"
        found += pointer(at)
        here, there = value_at(here, (step,)), value_at(there, (at,))
    return len(steps), here == there, found


def _changed(operations: Sequence[Json], built: Document, field: str) -> tuple[int, bool, str]:
    steps = steps_of(field)
    for index, operation in enumerate(operations):
        path = text(members(operation).get("path")).removesuffix("/-")
        if path and f"{field}/".startswith(f"{path}/"):
            below = steps[len(steps_of(path)) :]
            value = value_at(members(operation).get("value"), below)
            return len(steps), value == value_at(built, steps), f"/{index}"
    return 0, False, ""


def _alike(here: Json, there: Json, step: str) -> str | int | None:
    """Return the step in a layer that leads to what one in the built object does."""
    if type(here) is dict and type(there) is dict:
        return step if step in there else None
    element = value_at(here, (step,))
    for index, other in enumerate(elements(there)):
        keys = [key for key in _MERGE_KEYS if key in members(element)]
        if other == element or (keys and members(other).get(keys[0]) == element[keys[0]]):
            return index
    return None
