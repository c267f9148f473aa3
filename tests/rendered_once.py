"""What platforms are rendered into, by whichever process of a run asks first."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Iterator
from pathlib import Path

from charts_py.cluster_file.gitops import ChartForm
from charts_py.constructs.render import render
from charts_py.platform.platform import Platform
from charts_py.rendering.rendering import ALONE, OtherVersions, Rendering
from tests.written_once import written_once


class RenderedOnce:
    """Renders as `render` does; what is rendered again in a run is read in a tenth of the time."""

    def __init__(self, folder: Path, own: Path) -> None:
        """`folder` is where processes keep renderings; no other process writes to `own`."""
        folder.mkdir(exist_ok=True)
        self._folder, self._own = folder, own

    def __call__(
        self, platform: Platform, others: OtherVersions = ALONE, mirror: Path | None = None
    ) -> Rendering:
        if platform.cluster.gitops.charts is ChartForm.RENDERED:
            return render(platform, others, mirror=mirror)
        stated = "\n".join(_stated(platform, others))
        file = self._folder / f"{hashlib.sha256(stated.encode()).hexdigest()}.pickle"
        read = written_once(file, self._own, lambda: pickle.dumps(render(platform, others)))
        found: Rendering = pickle.loads(read)  # noqa: S301 # this run's own
        return found


def _stated(platform: Platform, others: OtherVersions) -> Iterator[str]:
    """Yield all that is rendered, as it is stated or follows from what is."""
    prices = [platform.price_or_reason(pool) for pool in platform.pools]
    yield repr((platform.name, platform.cluster, platform.pools, platform.driver_owner, prices))
    known = others.permissions
    for needed in (known.repositories, known.destinations, known.cluster_kinds):
        yield repr((sorted(map(repr, needed)), others.have_own_project))
    for worker in platform.workers:
        yield from _stated(worker, ALONE)
    extensions = platform.cluster.extensions
    if extensions.manifests or extensions.constructs:
        files = sorted(file for file in platform.directory.rglob("*") if file.is_file())
        yield from (
            f"{file.relative_to(platform.directory)} {file.read_bytes()!r}" for file in files
        )
