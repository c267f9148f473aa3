"""Kustomizations: what their files name, and what kustomize builds of them.

https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/
"""

import os
import re
import shutil
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import Mark
from charts_py.cluster_file.yaml_fault import UNREADABLE
from charts_py.cluster_file.yaml_stop import too_deep
from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import EndlessError, ManifestValues
from charts_py.helm.program import run_alone
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.admission.manifest_sources import file_content
from gpuplane.lint.lint_source import KUSTOMIZATIONS
from policies.document import Json, elements, members, text
from policies.workloads.place import children
from upstream.lock import UpstreamError

_BUILT_UPON = ("resources", "bases", "components")
_PATCHES = ("patchesStrategicMerge", "patchesJson6902", "patches")
_TEXTS = ("commonAnnotations", "commonLabels", "labels", "metadata")
"""Fields that name no files, in which an address is a text like any other."""
_MAX_BYTES = 50_000_000
"""Bytes of what is built."""
_MAX_DEPTH = 50
_WARNINGS = re.compile(r"^# .*\n", re.MULTILINE)
"""Stand before an error, such as one on fields with new names."""
_OFFLINE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
"""Sends whatever asks for another machine to where nobody answers."""


class KustomizationError(Exception):
    """Why a kustomization is not built."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A resource of a kustomization, or a patch."""

    one: ManifestObject
    """As it stands in its file; the kustomization itself where that states a patch."""
    document: Json
    """An object, or the operations of a JSON Patch."""
    is_patch: bool = False
    target: Mapping[str, Json] | None = None
    """The objects that a patch says it is for; None where it names its object."""
    inline: str = ""
    """JSON Pointer to a patch in the file of the kustomization."""


@dataclass(frozen=True, slots=True)
class Kustomization:
    """The file of a kustomization."""

    file: Path
    one: ManifestObject

    @property
    def is_component(self) -> bool:
        return members(self.one.document).get("kind") == "Component"

    @property
    def built_upon(self) -> Iterator[Path]:
        """The files and folders whose objects it takes."""
        return (self._path(text(entry)) for _, entry in self._entries(_BUILT_UPON))

    @property
    def layers(self) -> Iterator[Layer]:
        """Its own resources and patches, in the order in which they are applied."""
        for path in self.built_upon:
            if path.is_file():
                yield from (Layer(one, one.document) for one in _documents_of(path))
        for pointer, entry in self._entries(_PATCHES):
            stated = {"path": entry, "patch": entry} if type(entry) is str else members(entry)
            target = members(stated["target"]) if "target" in stated else None
            if (file := self._file(text(stated.get("path")))) is not None:
                for one in _documents_of(file):
                    yield Layer(one, one.document, is_patch=True, target=target)
            else:
                inline = f"{pointer}/patch" if type(entry) is dict else pointer
                for one in documents(text(stated.get("patch")).encode(), str(self.file)):
                    yield Layer(self.one, one.document, True, target, inline)

    def problem(self, root: Path) -> str:
        """Return what it names that is not below a folder of this machine; empty for nothing."""
        for pointer, entry in self._entries(_BUILT_UPON):
            path = self._path(text(entry))
            if not path.exists() or not path.resolve().is_relative_to(root):
                field = pointer.split("/")[1]
                return f"{field} names {text(entry)}, which is no file or folder below {root}"
        for field, value in members(self.one.document).items():
            if field not in (*_BUILT_UPON, *_TEXTS) and (address := _address(value)):
                return f"{field} names {address}, which is on another machine"
        return ""

    def _entries(self, fields: tuple[str, ...]) -> Iterator[tuple[str, Json]]:
        for field in fields:
            for index, entry in enumerate(elements(members(self.one.document).get(field))):
                yield f"/{field}/{index}", entry

    def _file(self, name: str) -> Path | None:
        path = self._path(name)
        return path if name and "\n" not in name and path.is_file() else None

    def _path(self, name: str) -> Path:
        return Path(os.path.normpath(self.file.parent / name))


def _address(value: Json) -> str:
    """Return the first text on one line that is the address of another machine.

    The literals of a generator are what it generates, which may be an address as well.
    """
    if type(value) is str:
        return value if "://" in value and "\n" not in value else ""
    below = (each for name, each in children(value) if name != "literals")
    return next((found for each in below if (found := _address(each))), "")


def kustomization_in(folder: Path) -> Kustomization | None:
    for name in KUSTOMIZATIONS:
        if (file := folder / name).is_file():
            return next((Kustomization(file, one) for one in _documents_of(file)), None)
    return None


def built_from(top: Kustomization, root: Path) -> list[Kustomization]:
    """Return a kustomization after all those that it is built upon.

    Raises KustomizationError for what is on another machine, or outside of the root.
    """
    found: dict[Path, Kustomization] = {}

    def visit(one: Kustomization, above: tuple[Path, ...]) -> None:
        problem = one.problem(root) if len(above) < _MAX_DEPTH else "it is nested too deeply"
        if problem:
            raise KustomizationError(problem if one is top else f"{one.file}: {problem}")
        for folder in one.built_upon:
            path = folder.resolve()
            below = kustomization_in(folder) if path not in (*above, *found) else None
            if below is not None:
                visit(below, (*above, path))
        found[one.file.parent.resolve()] = one

    visit(top, (top.file.parent.resolve(),))
    return [*found.values()]


def build(folder: Path) -> bytes:
    """Return what kustomize builds of a folder, without plugins and without the network.

    Raises KustomizationError with what it says instead.
    """
    beside = Path(sysconfig.get_path("scripts"), "kubectl")
    program = str(beside) if beside.is_file() else shutil.which("kubectl")
    if program is None:
        raise KustomizationError("kubectl is not on PATH")
    arguments = ["kustomize", str(folder.absolute()), "--load-restrictor=LoadRestrictionsRootOnly"]
    try:
        done = run_alone(Path(program), arguments, _OFFLINE)
    except UpstreamError as error:
        raise KustomizationError(str(error)) from error
    if done.returncode:
        said = _WARNINGS.sub("", done.stderr.decode(errors="replace"))
        said = said.strip().removeprefix("error: ")
        raise KustomizationError(said or f"kustomize ends with exit code {done.returncode}")
    if len(done.stdout) > _MAX_BYTES:
        raise KustomizationError(f"kustomize makes more than {_MAX_BYTES} bytes of it")
    return done.stdout


def _documents_of(file: Path) -> Iterator[ManifestObject]:
    try:
        content = file_content(file)
    except OSError:  # kustomize says so
        return
    yield from documents(content, str(file))


def documents(content: bytes, shown_as: str) -> Iterator[ManifestObject]:
    """Yield the documents of YAML, which need be no objects, as far as it can be read."""
    if too_deep(content) is not None:
        return
    loader = ManifestLoader(content)
    index = 0
    try:
        for node in loader.nodes():
            mark = Mark(shown_as, node.start_mark.line + 1)
            yield ManifestObject(mark, ManifestValues(loader, node).content, node, index)
            index += 1
    except (*UNREADABLE, EndlessError):
        return
    finally:
        loader.dispose()
