"""The names of images in mirrors, and of the originals."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from policies.image import read_image


@dataclass(frozen=True, slots=True)
class RegistryMirrors:
    """The place of the images of each registry in a mirror, by the registry's name."""

    places: Mapping[str, str]

    def of(self, image: str) -> str:
        """Return the name of an image, or of a folder of images, in its mirror.

        One of a registry without a mirror is returned as it is written.
        """
        if not self.places:
            return image
        read = read_image(image)
        registry, _, path = read.repository.partition("/")
        if registry not in self.places:
            return image
        tag = f":{read.tag}" if read.tag else ""
        digest = f"@{read.digest}" if read.digest else ""
        return f"{self.places[registry]}/{path}{tag}{digest}"

    def original(self, image: str) -> str | None:
        """Return the image that one in a mirror is a copy of; None for any other."""
        for registry, place in self.places.items():
            if image.startswith(f"{place}/"):
                return f"{registry}/{image.removeprefix(f'{place}/')}"
        return None

    def allowed(self, prefixes: Iterable[str]) -> tuple[str, ...]:
        """Return prefixes of images, each ending in `/`, with those in mirrors for their originals.

        Nodes that have mirrors do not reach the originals: a pod that names one would be admitted
        and never start.
        """
        split = (prefix.partition("/") for prefix in prefixes)
        allowed = (f"{self.places.get(registry, registry)}/{path}" for registry, _, path in split)
        return tuple(dict.fromkeys(allowed))
