"""Manifests whose models move to the versions that their aliases name now."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from gpuplane.edits.edited_text import UNREAD, DocumentEdit, edit_text
from gpuplane.model_registry.model_template import ModelTemplate, UnmovedError, model_templates
from gpuplane.workloads.model_version import ModelReference, ModelVersion
from gpuplane.written_files import write_files
from gpus.platform_names import MODEL

VersionOf: TypeAlias = Callable[[ModelReference], ModelVersion | None]
"""Returns the version that an alias names; None for one that is left as it is."""
_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class ModelMove:
    """A pod template of a file that gets another version."""

    file: Path
    reference: ModelReference
    old: str
    new: ModelVersion

    def __str__(self) -> str:
        old = self.old or "none"
        return f"{self.file}: {self.reference}: {old} -> {self.new.number}, {self.new.source}"


@dataclass(frozen=True, slots=True)
class MovedModels:
    moves: list[ModelMove] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """What is not moved, and why."""
    before: dict[Path, bytes] = field(default_factory=dict)
    after: dict[Path, bytes] = field(default_factory=dict)
    """The files that change, as they are named from the root."""

    def write(self, root: Path) -> None:
        before, after = (
            {root / file: content for file, content in each.items()}
            for each in (self.before, self.after)
        )
        write_files(root, after, before)

    def diff(self) -> Iterator[str]:
        for file, content in self.after.items():
            old, new = (each.decode().splitlines() for each in (self.before[file], content))
            yield from unified_diff(old, new, f"a/{file}", f"b/{file}", lineterm="")


def model_manifests(root: Path, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files below paths that name a model, as from a root.

    Raises FileNotFoundError for a path that is not there.
    """
    for path in paths:
        place = root / path
        if not place.exists():
            raise FileNotFoundError(f"{path}: no such file or folder; allowed: manifests")
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in _SUFFIXES and file.is_file() and MODEL.encode() in file.read_bytes():
                yield file.relative_to(root) if root != Path() else file


def followed_in(root: Path, files: Iterable[Path]) -> tuple[ModelReference, ...]:
    """Return the aliases that manifests follow, each once."""
    contents = ((root / file).read_bytes() for file in files)
    templates = (each for content in contents for each in model_templates(_documents(content)))
    found = (each.follows for each in templates)
    return tuple(dict.fromkeys(each for each in found if each is not None and each.alias))


def move_models(root: Path, files: Iterable[Path], version_of: VersionOf) -> MovedModels:
    """Return the files with each model at the version that its alias names.

    What names a number stays there. Raises what `version_of` does.
    """
    found = MovedModels()
    for file in files:
        _move(found, file, (root / file).read_bytes(), version_of)
    return found


def _documents(content: bytes) -> list[Any]:
    try:
        return [*yaml.load_all(content.decode(), ManifestLoader)]  # a safe one
    except UNREAD:
        return []


def _move(found: MovedModels, file: Path, content: bytes, version_of: VersionOf) -> None:
    documents = _documents(content)
    if not documents:
        found.left.append(f"{file}: cannot be read as YAML")
        return
    edits: list[tuple[ModelMove, DocumentEdit]] = []
    for template in model_templates(documents):
        try:
            edits += _edits(file, template, version_of)
        except UnmovedError as error:
            found.left.append(f"{file}: {template.annotations[MODEL]}: {error}")
    if edits:
        _write(found, file, content, edits)


def _edits(
    file: Path, template: ModelTemplate, version_of: VersionOf
) -> Iterator[tuple[ModelMove, DocumentEdit]]:
    reference = template.follows
    if reference is None:
        raise UnmovedError("names no model; allowed: models:/NAME@ALIAS or models:/NAME/VERSION")
    if not reference.alias:
        return
    new = version_of(reference)
    if new is not None and (operations := template.operations(new)):
        move = ModelMove(file, reference, template.number, new)
        yield move, DocumentEdit(template.document, operations)


def _write(
    found: MovedModels, file: Path, content: bytes, edits: list[tuple[ModelMove, DocumentEdit]]
) -> None:
    edited = edit_text(content.decode(), [edit for _, edit in edits], ManifestLoader)
    why = {id(each.edit): each.why for each in edited.left}
    for move, edit in edits:
        if id(edit) in why:
            found.left.append(f"{file}: {move.reference}: {why[id(edit)]}")
        else:
            found.moves.append(move)
    if len(why) < len(edits):
        found.before[file], found.after[file] = content, edited.text.encode()
