"""Reading what was exported from a cluster by `kubectl get ... -o yaml`, or as JSON."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.admission.file_content import file_content
from charts_py.admission.manifest_file import ManifestObject, read_manifest_file
from charts_py.adoption.adoption_error import AdoptionError
from charts_py.adoption.found_object import FoundObject, Inventory
from charts_py.spec.fault import Fault, SpecError

_SUFFIXES = (".yaml", ".yml", ".json")


def read_exports(paths: Iterable[Path]) -> Inventory:
    """Read every object of files, and of the files below folders; Lists are taken apart.

    Raises FileNotFoundError for a path that is not there, AdoptionError where there is no file or
    no object, SpecError with every fault of every file, OSError for what cannot be read.
    """
    named = tuple(paths)
    shown = ", ".join(map(str, named))
    files = [file for path in named for file in _files(path)]
    if not files:
        allowed = f"a file, or a folder with files of {', '.join(_SUFFIXES)}"
        raise AdoptionError(f"{shown}: no exported file; allowed: {allowed}")
    objects = tuple(_read(files))
    if not objects:
        what = "no Kubernetes object; export some with kubectl get KIND -A -o yaml"
        raise AdoptionError(f"{shown}: {what}")
    return Inventory(objects, shown)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        found = (file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
        return sorted(found)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file or folder")
    return [path]


def _read(files: Iterable[Path]) -> Iterator[FoundObject]:
    faults: list[Fault] = []
    for file in files:
        try:
            for one in read_manifest_file(file_content(file), str(file)):
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
    for item in items:
        if isinstance(item, dict):
            yield FoundObject(_of_list(one.document, item), str(one.mark))


def _of_list(holder: dict[str, object], item: dict[str, object]) -> dict[str, object]:
    """Return an item with the kind that a typed list, as of a raw request, states once."""
    kind = str(holder["kind"]).removesuffix("List")
    return {"apiVersion": holder["apiVersion"], "kind": kind or "Unknown", **item}
