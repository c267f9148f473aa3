"""The parts of a container image's name.

Source: `ParseNormalizedNamed` in https://github.com/distribution/reference/blob/main/normalize.go
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from policies.document import members, shown, text
from policies.pod import Pod


class ImageVolume(NamedTuple):
    """A volume whose files are those of an image.

    https://kubernetes.io/docs/tasks/configure-pod-container/image-volumes/
    """

    place: int
    """Its index among the volumes of the pod."""
    name: str
    """Empty where it has none."""
    image: str
    """The name of the image."""

    @property
    def pointer(self) -> str:
        """JSON Pointer to what names the image."""
        return f"/spec/volumes/{self.place}/image/reference"

    @property
    def culprit(self) -> str:
        """How findings name it."""
        return f"volume {shown(self.name) or f'spec.volumes[{self.place}]'}"


DEFAULT_REGISTRY = "docker.io"
OFFICIAL = "library"
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


def image_volumes(pod: Pod) -> Sequence[ImageVolume]:
    """Return the volumes that name an image; an empty name is of none."""
    for volume in pod.volumes:
        if type(volume) is dict and "image" in volume:
            return _volume(pod)
    return ()


def _volume(pod: Pod) -> list[ImageVolume]:
    found: list[ImageVolume] = []
    for index, raw in enumerate(pod.volumes):
        volume = members(raw)
        image = text(members(volume.get("image")).get("reference"))
        if image:
            found.append(ImageVolume(index, text(volume.get("name")), image))
    return found
