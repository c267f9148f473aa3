"""Kustomizations: what their files name, and what kustomize builds of them.

https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/
"""

import json
import os
import re
import resource
import shutil
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from subprocess import TimeoutExpired
from typing import NamedTuple, TypeAlias

from charts_py.cluster_file.fault import Mark
from charts_py.cluster_file.yaml_fault import UNREADABLE
from charts_py.cluster_file.yaml_stop import too_deep
from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import EndlessError, ManifestValues, ValueBound
from charts_py.helm.program import run_alone
from gpuplane.admission.manifest_file import ManifestObject
from gpuplane.file_content import MAX_FILE_BYTES, file_content
from gpuplane.lint.lint_source import KUSTOMIZATIONS
from policies.document import Json, elements, members, text
from policies.workloads.place import children
from upstream.lock import UpstreamError

_BUILT_UPON = ("resources", "bases", "components")
_PATCHES = ("patchesStrategicMerge", "patchesJson6902", "patches")
_TEXTS = ("commonAnnotations", "commonLabels", "labels", "metadata")
"""Fields that name no files, in which an address is a text like any other."""
_PLUGINS = ("generators", "transformers", "validators")
"""Fields whose objects name files and addresses that kustomize reads."""
_EXACT = {name.casefold(): name for name in (*_BUILT_UPON, *_PATCHES, *_PLUGINS)}
"""kustomize takes these names in capitals, too."""
_REMOTE = re.compile(r"://|^\s*(git::|gh:|github\.com[:/]|[\w.+-]+@[\w.-]+[:/])", re.IGNORECASE)
"""What kustomize downloads or clones, even where a local folder has that name:
https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/git/repospec.go"""
SECONDS = 120
"""Time for all builds of a run together."""
_SECONDS_EACH = 60
_LIMITS = {
    resource.RLIMIT_FSIZE: MAX_FILE_BYTES + 1,
    resource.RLIMIT_AS: 3 * 2**30,
    resource.RLIMIT_CPU: _SECONDS_EACH * (os.cpu_count() or 1),
}
"""Bytes of each output, one more than fits; of address space, of which Go reserves over half a GiB;
and seconds of all processors, which also end what outlives gpuplane."""
_MAX_DEPTH = 50
_MAX_SHOWN = 500
_BESIDE = re.compile(r"^# .*\n|\n\n(?:runtime stack|goroutine )[\s\S]*", re.MULTILINE)
"""Warnings before an error, such as one on fields with new names, and the stack after one."""
_PROXIES = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
"""Sends whatever asks for another machine to where nobody answers; Go heeds none for localhost."""
_ENVIRONMENT = {**_PROXIES, "GOMEMLIMIT": "1GiB"}


class KustomizationError(Exception):
    """Why a kustomization is not built, the line of its file, and whether time ran out."""

    def __init__(self, why: str, line: int = 1, *, is_late: bool = False) -> None:
        super().__init__(why)
        self.line, self.is_late = line, is_late


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
    entry: str = ""
    """JSON Pointer to what names a patch, in the file of the kustomization."""
    inline: str = ""
    """JSON Pointer to a patch in the file of the kustomization."""


class Documents(NamedTuple):
    """The documents of a file or a text, which need be no objects."""

    read: tuple[ManifestObject, ...]
    problem: str = ""
    """Why the rest is not read; empty where all is."""
    is_bounded: bool = True
    """Whether kustomize may read it instead: it takes YAML that this reader does not know."""


ReadFile: TypeAlias = Callable[[Path], Documents]


@dataclass(frozen=True, slots=True)
class Kustomization:
    file: Path
    documents: Documents
    read: ReadFile

    @property
    def one(self) -> ManifestObject:
        return self.documents.read[0]

    @property
    def is_component(self) -> bool:
        return members(self.one.document).get("kind") == "Component"

    @property
    def built_upon(self) -> Iterator[Path]:
        """The files and folders whose objects it takes."""
        return (self.path(text(entry)) for _, entry in self._entries(_BUILT_UPON))

    @property
    def used(self) -> Iterator[Path]:
        """The same, and the files and folders of its plugins."""
        entries = self._entries((*_BUILT_UPON, *_PLUGINS))
        return (self.path(text(entry)) for _, entry in entries)

    @property
    def layers(self) -> Iterator[Layer]:
        """Its own resources and patches, in the order in which they are applied."""
        return (layer for _, layers in self._parts for layer in layers)

    @property
    def _parts(self) -> Iterator[tuple[Documents, Iterator[Layer]]]:
        for path in self.built_upon:
            if os.path.isfile(path):  # noqa: PTH113 # raises nothing for any name
                found = self.read(path)
                yield found, (Layer(one, one.document) for one in found.read)
        for pointer, entry in self._entries(_PATCHES):
            stated = {"path": entry, "patch": entry} if type(entry) is str else members(entry)
            target = members(stated["target"]) if "target" in stated else None
            if (file := self._file(text(stated.get("path")))) is not None:
                found = self.read(file)
                yield found, (Layer(one, one.document, True, target, pointer) for one in found.read)
            else:
                inline = f"{pointer}/patch" if type(entry) is dict else pointer
                found = documents(text(stated.get("patch")).encode(), f"{self.file}: {inline}")
                yield (
                    found,
                    (
                        Layer(self.one, one.document, True, target, pointer, inline)
                        for one in found.read
                    ),
                )

    def error(self, top: "Kustomization", pointer: str, why: str) -> KustomizationError:
        """Return why it is not built, as an error of one that is built upon it, or of itself."""
        line = self.one.mark_of(pointer).line
        at = f"{self.file}:{line}: "
        return KustomizationError(why, line) if self is top else KustomizationError(f"{at}{why}")

    def problem(self, roots: Sequence[Path]) -> tuple[str, str] | None:
        """Return what keeps it from being built on this machine alone, after a JSON Pointer."""
        found = chain([("", self.documents.problem)], self._misnamed(roots), self._unread())
        return next((each for each in found if each[1]), None)

    def _misnamed(self, roots: Sequence[Path]) -> Iterator[tuple[str, str]]:
        if any(one.document is not None for one in self.documents.read[1:]):
            yield "", "it is more than one document"
        for field, value in members(self.one.document).items():
            if _EXACT.get(field.casefold(), field) != field:
                yield f"/{field}", f"{field} is no field; allowed: {_EXACT[field.casefold()]}"
            if field not in (*_BUILT_UPON, *_TEXTS) and (address := _address(value)):
                yield (
                    f"/{field}",
                    f"{field} names {shortened(address)}, which is on another machine",
                )
        for pointer, entry in self._entries(_BUILT_UPON):
            path = os.path.realpath(self.path(text(entry)))
            is_below = os.path.exists(path) and is_within(Path(path), roots)  # noqa: PTH110 # raises nothing for any name
            if not is_below or _REMOTE.search(text(entry)):
                what, allowed = _named(pointer, entry), " or ".join(map(str, roots))
                yield pointer, f"{what}, which is no file or folder below {allowed}"

    def _unread(self) -> Iterator[tuple[str, str]]:
        """Yield why its files are not read, and what its plugins read of other machines."""
        yield from (("", found.problem) for found, _ in self._parts if not found.is_bounded)
        for pointer, entry in self._entries(_PLUGINS):
            found = documents(text(entry).encode(), f"{self.file}: {pointer}")
            if not found.read or type(found.read[0].document) is not dict:
                file = self._file(text(entry))
                if file is None or _REMOTE.search(text(entry)):
                    yield pointer, f"{_named(pointer, entry)}, which is no file and no object"
                    continue
                found = self.read(file)
            yield pointer, found.problem
            # What a file holds is not shown: it may be outside of the roots.
            if "://" in json.dumps([one.document for one in found.read]):
                what = f"{_named(pointer, entry)}, which holds the address of another machine"
                yield pointer, what

    def _entries(self, fields: tuple[str, ...]) -> Iterator[tuple[str, Json]]:
        for field in fields:
            for index, entry in enumerate(elements(members(self.one.document).get(field))):
                yield f"/{field}/{index}", entry

    def _file(self, name: str) -> Path | None:
        path = self.path(name)
        is_file = name and "\n" not in name and os.path.isfile(path)  # noqa: PTH113 # as above
        return path if is_file else None

    def path(self, name: str) -> Path:
        """Return what is named, by the path of the folder where kustomize finds the same."""
        name = name.replace("\0", "\N{REPLACEMENT CHARACTER}")
        path, real = (
            os.path.normpath(folder / name)
            for folder in (self.file.parent, Path(os.path.realpath(self.file.parent)))
        )
        return Path(path if os.path.realpath(path) == os.path.realpath(real) else real)


def _address(value: Json) -> str:
    """Return the first text on one line that is the address of another machine.

    The literals of a generator are what it generates, which may be an address as well.
    """
    if type(value) is str:
        return value if "://" in value and "\n" not in value.strip() else ""
    below = (each for name, each in children(value) if name != "literals")
    return next((found for each in below if (found := _address(each))), "")


def is_within(path: Path, roots: Iterable[Path]) -> bool:
    """Whether a path without links is below one of some folders."""
    return any(map(path.is_relative_to, roots))


def _named(pointer: str, entry: Json) -> str:
    return f"{pointer.split('/')[1]} names {shortened(text(entry))}"


def shortened(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def kustomization_in(folder: Path, read: ReadFile) -> Kustomization | None:
    """Return the kustomization of a folder; None where there is none, or one that is not read."""
    for name in KUSTOMIZATIONS:
        if os.path.isfile(file := folder / name):  # noqa: PTH113 # as above
            found = read(file)
            return Kustomization(file, found, read) if found.read else None
    return None


def built_from(top: Kustomization, roots: Sequence[Path]) -> list[Kustomization]:
    """Return a kustomization after all those that it is built upon.

    Raises KustomizationError for what is on another machine, outside of the roots, or not read.
    """
    found: dict[Path, Kustomization] = {}

    def visit(one: Kustomization, above: tuple[Path, ...]) -> None:
        is_deep = len(above) >= _MAX_DEPTH
        problem = ("", "it is nested too deeply") if is_deep else one.problem(roots)
        if problem:
            raise one.error(top, *problem)
        for folder in one.built_upon:
            path = folder.resolve()
            if path in (*above, *found) or not path.is_dir():
                continue
            if (below := kustomization_in(folder, one.read)) is None:
                raise KustomizationError(f"{folder} has no kustomization that can be read")
            visit(below, (*above, path))
        found[one.file.parent.resolve()] = one

    visit(top, (top.file.parent.resolve(),))
    return [*found.values()]


def build(folder: Path, seconds: float = SECONDS) -> bytes:
    """Return what kustomize builds of a folder in some seconds, without plugins and network.

    Raises KustomizationError with what it says instead.
    """
    beside = Path(sysconfig.get_path("scripts"), "kubectl")
    program = str(beside) if beside.is_file() else shutil.which("kubectl")
    if program is None:
        raise KustomizationError("kubectl is not on PATH")
    if seconds <= 0:
        why = f"the {SECONDS} seconds for all overlays of a run are over"
        raise KustomizationError(why, is_late=True)
    seconds = min(seconds, _SECONDS_EACH)
    arguments = ["kustomize", str(folder.absolute()), "--load-restrictor=LoadRestrictionsRootOnly"]
    try:
        done = run_alone(Path(program), arguments, _ENVIRONMENT, seconds, _LIMITS)
    except UpstreamError as error:
        is_late = isinstance(error.__cause__, TimeoutExpired)
        late = f"kustomize takes more than {seconds:.3g} seconds"
        raise KustomizationError(late if is_late else str(error), is_late=is_late) from error
    if len(done.stdout) > MAX_FILE_BYTES:
        raise KustomizationError(f"kustomize makes more than {MAX_FILE_BYTES // 2**20} MiB of it")
    if done.returncode:
        said = _BESIDE.sub("", done.stderr.decode(errors="replace"))
        said = said.strip().removeprefix("error: ")
        raise KustomizationError(said or f"kustomize ends with exit code {done.returncode}")
    return done.stdout


def read_documents(file: Path) -> Documents:
    try:
        content = file_content(file)
    except OSError as error:
        return Documents((), f"{file} cannot be read: {error.strerror or error}", False)
    return documents(content, str(file))


def documents(content: bytes, shown_as: str) -> Documents:
    """Return the documents of YAML as far as it can be read.

    Of a key that is there twice, and of a value that JSON has not, such as one of `!!binary`,
    kustomize may read something else.
    """
    if (deep := too_deep(content)) is not None:
        return Documents((), f"{shown_as} is {deep}", False)
    loader, bound, read = ManifestLoader(content), ValueBound(), list[ManifestObject]()
    try:
        for node in loader.nodes():
            mark = Mark(shown_as, node.start_mark.line + 1)
            values = ManifestValues(loader, node, bound)
            read.append(ManifestObject(mark, values.content, node, len(read)))
            if values.repeated_keys or not values.is_json:
                return Documents(tuple(read), f"{shown_as} has a key twice, or values beside JSON")
    except UNREADABLE:
        return Documents(tuple(read), f"{shown_as} is not YAML")
    except EndlessError as error:
        return Documents(tuple(read), f"{shown_as} has {error}", False)
    finally:
        loader.dispose()
    return Documents(tuple(read))
