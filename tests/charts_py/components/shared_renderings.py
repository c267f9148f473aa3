"""What platforms are rendered into, by whichever process of a run asks first."""

import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path

from charts_py.constructs.render import render
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import Rendering
from tests.written_once import written_once


class SharedRenderings(Mapping[str, Rendering]):
    """Renderings by the names of their platforms, kept in a folder that processes share."""

    def __init__(self, platforms: Mapping[str, Platform], folder: Path, own: Path) -> None:
        """`platforms`: each process best has an order of its own, so that none waits for another.

        `own`: a folder that no other process writes to.
        """
        folder.mkdir(exist_ok=True)
        self._platforms, self._folder, self._own = platforms, folder, own
        self._known: dict[str, Rendering] = {}

    def __getitem__(self, name: str) -> Rendering:
        if name not in self._known:
            self._known[name] = self._read_or_render(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._platforms)

    def __len__(self) -> int:
        return len(self._platforms)

    def _read_or_render(self, name: str) -> Rendering:
        file = self._folder / f"{name}.pickle"
        read = written_once(file, self._own, lambda: pickle.dumps(render(self._platforms[name])))
        found: Rendering = pickle.loads(read)  # noqa: S301 # this run's own
        return found
