"""The images that a pod mounts as volumes.

https://kubernetes.io/docs/tasks/configure-pod-container/image-volumes/
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from policies.document import members, shown, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policies.pod import Pod


class ImageVolume(NamedTuple):
    """A volume whose files are those of an image."""

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


def image_volumes(pod: Pod) -> Sequence[ImageVolume]:
    """Return the volumes that name an image; an empty name is of none."""
    for volume in pod.volumes:
        if type(volume) is dict and "image" in volume:
            return _read(pod)
    return ()


def _read(pod: Pod) -> list[ImageVolume]:
    found: list[ImageVolume] = []
    for index, raw in enumerate(pod.volumes):
        volume = members(raw)
        image = text(members(volume.get("image")).get("reference"))
        if image:
            found.append(ImageVolume(index, text(volume.get("name")), image))
    return found
