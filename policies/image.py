"""The parts of a container image's name.

Source: `ParseNormalizedNamed` in https://github.com/distribution/reference/blob/main/normalize.go
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from policies.document import members, shown, text
from policies.pod import Pod


class UsedImage(NamedTuple):
    """An image that a container runs, or that a volume has its files from.

    https://kubernetes.io/docs/tasks/configure-pod-container/image-volumes/
    """

    pointer: str
    culprit: str
    use: str
    """What the culprit does with it: `runs` or `mounts`."""
    name: str


DEFAULT_REGISTRY = "docker.io"
OFFICIAL = "library"
LATEST = "latest"
_MAX_CACHED_LENGTH = 512
"""Characters; longer names are not images, and are not cached so that they fill no memory."""


@dataclass(frozen=True, slots=True)
class Image:
    """The parts of a container image's name."""

    repository: str
    """Registry and path, in full: `docker.io/library/nginx` for `nginx`."""
    tag: str
    digest: str


def read_image(name: str) -> Image:
    return _read(name) if len(name) <= _MAX_CACHED_LENGTH else _split(name)


def is_fixed(image: Image) -> bool:
    """Return whether a name keeps meaning the same image."""
    return bool(image.digest) or image.tag not in ("", LATEST)


def registry_of(name: str) -> str:
    """Return the registry of an image, such as `docker.io` for `busybox`."""
    return read_image(name).repository.partition("/")[0]


def _split(name: str) -> Image:
    rest, _, digest = name.partition("@")
    path, colon, tag = rest.rpartition(":")
    # A colon before the last slash belongs to the registry's port.
    if not colon or "/" in tag:
        path, tag = rest, ""
    return Image(_with_registry(path), tag, digest)


def _with_registry(path: str) -> str:
    first, slash, _ = path.partition("/")
    if slash and ("." in first or ":" in first or first == "localhost"):
        return path
    return f"{DEFAULT_REGISTRY}/{path}" if slash else f"{DEFAULT_REGISTRY}/{OFFICIAL}/{path}"


_read = lru_cache(maxsize=1024)(_split)


def wrong_images(pod: Pod, is_right: Callable[[Image], bool]) -> list[UsedImage]:
    """Return the images of a pod that are not right; an empty name is of none."""
    found = [
        UsedImage(f"{container.pointer}/image", container.culprit, "runs", image)
        for container in pod.containers
        if (image := container.image) and not is_right(read_image(image))
    ]
    for index, volume in enumerate(pod.volumes):
        if type(volume) is dict and "image" in volume:
            image = text(members(volume["image"]).get("reference"))
            if image and not is_right(read_image(image)):
                place = f"/spec/volumes/{index}/image/reference"
                named = shown(text(volume.get("name"))) or f"spec.volumes[{index}]"
                found.append(UsedImage(place, f"volume {named}", "mounts", image))
    return found
