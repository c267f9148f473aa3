"""The images that an object names, be it in pods or in an operator's custom resource."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.image_name import DIGEST, PART, REGISTRY, TAG
from charts_py.components.amd_gpu_operator.device_config import INIT_IMAGE
from charts_py.objects.document import Document

_IMAGE = re.compile(rf"({REGISTRY}/)?{PART}(/{PART})*(:{TAG})?(@{DIGEST})?")
_SWITCHES = ("enabled", "enable")
_DEFINITION = "CustomResourceDefinition"
_DEVICE_CONFIG = "DeviceConfig"


def images_of(document: Document) -> Iterator[str]:
    """Yield the images that an object names, some maybe twice.

    These are those of containers and image volumes, of variables that tell an operator what to run,
    of fields such as `devicePluginImage`, and of sections with repository, image and version, as in
    NVIDIA's ClusterPolicy and NicClusterPolicy, or repository, name and tag, as in KAI's Config.
    Sections that are switched off run nothing.
    """
    if document["kind"] == _DEFINITION:
        return
    yield from _named(document)
    if document["kind"] == _DEVICE_CONFIG:
        # Without a mirror it is left to the operator.
        common = document["spec"].get("commonConfig", {})
        yield from () if "initContainerImage" in common else (INIT_IMAGE,)


def _named(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _named(item)
    elif isinstance(value, dict) and not any(value.get(key) is False for key in _SWITCHES):
        yield from (name for name in _own(value) if _IMAGE.fullmatch(name))
        for inner in value.values():
            yield from _named(inner)


def _own(section: Mapping[str, Any]) -> Iterator[str]:
    """Yield the images that a mapping names by its own fields."""
    if repository := section.get("repository"):
        version = str(section.get("version", ""))
        separator = "@" if version.startswith("sha256:") else ":"
        if "image" in section and version:
            yield f"{repository}/{section['image']}{separator}{version}"
        if "name" in section and "tag" in section:
            yield f"{repository}/{section['name']}:{section['tag']}"
        return
    for key, value in section.items():
        if isinstance(value, str) and (key == "image" or key.endswith("Image")):
            yield value
    if isinstance(section.get("image"), dict):
        yield str(section["image"].get("reference", ""))
    if str(section.get("name", "")).endswith("_IMAGE"):
        yield str(section.get("value", ""))
