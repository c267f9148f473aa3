"""The layers of an overlay that a built object may come of."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import product

from gpuplane.lint.kustomization import Layer
from policies.document import Json, members, name_of, text


class LayerIndex:
    """Layers by the kind and name of the objects that they are, or are for."""

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = tuple(layers)
        self._places = defaultdict[tuple[str, str], list[int]](list)
        for place, layer in enumerate(self._layers):
            self._places[_named(layer)].append(place)
        self._lengths = {len(name) for _, name in self._places}

    def of(self, built: Json) -> list[Layer]:
        """Return those of an object, in their order; kustomize may have added to its name."""
        kind, name = text(members(built).get("kind")), name_of(built)
        parts = {
            name[at : at + length]
            for length in self._lengths
            for at in range(len(name) - length + 1)
        }
        named = product({"", kind}, parts)
        return [
            self._layers[at]
            for at in sorted(at for key in named for at in self._places.get(key, ()))
        ]


def _named(layer: Layer) -> tuple[str, str]:
    if layer.target is not None:
        return text(layer.target.get("kind")), text(layer.target.get("name"))
    return text(members(layer.document).get("kind")), name_of(layer.document)
