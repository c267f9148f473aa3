"""Reading what was exported from a cluster by `kubectl get ... -o yaml`, or as JSON."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.cluster_file.fault import Fault, SpecError
from gpuplane.admission.manifest_file import ManifestObject, read_manifest_file
from gpuplane.admission.manifest_sources import MAX_EXPORT_BYTES, ManifestSource, read_sources
from gpuplane.adoption.found_object import AdoptionError, FoundObject, Inventory


def read_exports(paths: Iterable[Path]) -> Inventory:
    """Read every object of files, and of the files below folders; Lists are taken apart.

    Raises FileNotFoundError for a path that is not there and a folder without manifests,
    AdoptionError where there is no object, SpecError with every fault of every file, OSError for
    what cannot be read, and for what is too large.
    """
    named = tuple(map(str, paths))
    shown = ", ".join(named)
    sources = read_sources(named, max_bytes=MAX_EXPORT_BYTES)
    objects = tuple(_read(sources.read))
    if not objects:
        what = "no Kubernetes object; export some with kubectl get KIND -A -o yaml"
        raise AdoptionError(f"{shown}: {what}")
    return Inventory(objects, shown, sources.notes)


def _read(sources: Iterable[ManifestSource]) -> Iterator[FoundObject]:
    faults: list[Fault] = []
    for source in sources:
        try:
            for one in read_manifest_file(source.content, source.shown_as):
                yield from _apart(one)
        except SpecError as error:
            faults += error.faults
    if faults:
        raise SpecError(faults)


def _apart(one: ManifestObject) -> Iterator[FoundObject]:
    items = one.document.get("items")
    if not str(one.document["kind"]).endswith("List") or not isinstance(items, list):
        yield FoundObject(one.document, str(one.mark))
        return
    # A typed list, as of a raw request, states once what its items are.
    kind = str(one.document["kind"]).removesuffix("List") or "Unknown"
    for item in items:
        if isinstance(item, dict):
            stated = {"apiVersion": one.document["apiVersion"], "kind": kind, **item}
            yield FoundObject(stated, str(one.mark))
