"""What platforms are rendered into, once somebody asks."""

from collections.abc import Callable, Iterator, Mapping

from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import Rendering


class SharedRenderings(Mapping[str, Rendering]):
    """Renderings by the names of their platforms."""

    def __init__(
        self, platforms: Mapping[str, Platform], render: Callable[[Platform], Rendering]
    ) -> None:
        self._platforms, self._render = platforms, render
        self._known: dict[str, Rendering] = {}

    def __getitem__(self, name: str) -> Rendering:
        if name not in self._known:
            self._known[name] = self._render(self._platforms[name])
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._platforms)

    def __len__(self) -> int:
        return len(self._platforms)
