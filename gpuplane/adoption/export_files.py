"""Reading what was exported from a cluster by `kubectl get ... -o yaml`, or as JSON."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.cluster_file.fault import Fault, SpecError
from gpuplane.admission.manifest_file import ManifestObject, read_manifest_file
from gpuplane.admission.manifest_sources import MAX_EXPORT_BYTES, ManifestSource, read_sources
from gpuplane.adoption.found_object import AdoptionError, FoundObject, Inventory, items_of


def read_exports(paths: Iterable[Path]) -> Inventory:
    """Read every object of files, and of the files below folders; Lists are taken apart.

    Raises FileNotFoundError for a path that is not there and a folder without manifests,
    AdoptionError where there is no object, SpecError with every fault of every file, OSError for
    what cannot be read, and for what is too large.
    """
    named = tuple(map(str, paths))
    shown = ", ".join(named)
    sources, notes = read_sources(named, max_bytes=MAX_EXPORT_BYTES)
    objects = tuple(_read(sources))
    if not objects:
        what = "no Kubernetes object; export some with kubectl get KIND -A -o yaml"
        raise AdoptionError(f"{shown}: {what}")
    return Inventory(objects, shown, tuple(notes))


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
    held, source = one.document, str(one.mark)
    if str(held["kind"]).endswith("List") and isinstance(held.get("items"), list):
        return items_of(held, source)
    return iter([FoundObject(held, source)])
