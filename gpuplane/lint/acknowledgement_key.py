"""How rows of acknowledgements name findings: by a path and a digest of content."""

import hashlib
import json
import os
from pathlib import Path

from policies.document import Json, members, pointer as pointer_to, steps_of, text
from policies.image import read_image

DIGITS = 16
"""Hexadecimal digits of a digest: enough for no two to be alike by chance."""
FOLDER, FILE = ".gpuplane", "acknowledged.yaml"
_SIGNS = (FOLDER, ".git")
"""The paths in rows begin in the folder that has one of these."""
_to_json = json.JSONEncoder(sort_keys=True, default=str).encode


def acknowledgement_file(start: Path) -> Path:
    """Return the path of the acknowledgements for a folder; the file may be missing.

    It is in the nearest folder above with a `.gpuplane` or a `.git`, or else in that folder.
    """
    above = (start, *start.parents)
    root = next((f for f in above if any((f / sign).exists() for sign in _SIGNS)), start)
    return Path(os.path.relpath(root / FOLDER / FILE, start))


def path_in_rows(shown_as: str, file: Path) -> str:
    """Return the path of a file of manifests as rows write it; stdin stays as it is."""
    if not Path(shown_as).exists():
        return shown_as
    root = os.path.realpath(file.parents[1])
    return Path(os.path.relpath(os.path.realpath(shown_as), root)).as_posix()


class ContentDigests:
    """Digests of fields of a document; each field is read once."""

    def __init__(self, document: Json) -> None:
        self._document = document
        self._contents: dict[int, str] = {}

    def of(self, pointer: str) -> str:
        """Return a digest of the field at a JSON Pointer, or of the one that should hold it.

        It follows from no line and no format, nor from the order of keys. Items of a list that have
        a name go by it. Of images that the field holds, tag and digest do not count: each build has
        new ones.
        """
        place, field = _nearest(self._document, pointer)
        content = self._contents.get(id(field))
        if content is None:
            content = self._contents[id(field)] = _digest(_to_json(_without_versions(field)))
        return _digest(f"{pointer_to(*place)} {content}")[:DIGITS]


def _nearest(document: Json, pointer: str) -> tuple[list[str], Json]:
    """Return the field at a pointer, or the one that should hold it, with the steps to it."""
    here, place = document, []
    for step in steps_of(pointer):
        if type(here) is dict and step in here:
            here = here[step]
            place.append(step)
        elif type(here) is list and step.isdecimal() and int(step) < len(here):
            here = here[int(step)]
            place.append(_name(here) or step)
        else:
            place.append(step)
            break
    return place, here


def _name(item: Json) -> str:
    """Return the name of an item of a list, such as a container, or an object of a List."""
    fields = members(item)
    object_name = text(members(fields.get("metadata")).get("name"))
    return f"{text(fields.get('kind'))} {object_name}" if object_name else text(fields.get("name"))


def _without_versions(value: Json) -> Json:
    if type(value) is list:
        return [_without_versions(each) for each in value]
    if type(value) is not dict:
        return value
    return {
        name: read_image(each).repository
        if name == "image" and type(each) is str
        else _without_versions(each)
        for name, each in value.items()
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
