"""A release of a pinned chart, and the objects that it consists of."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from charts_py.helm.api_versions import api_versions
from charts_py.helm.objects import printed_objects
from charts_py.helm.program import HelmError
from charts_py.helm.stopped_files import VALUES, called_function, stop_at_changing_functions
from charts_py.objects.document import key_of
from charts_py.objects.fields import changed_fields
from charts_py.objects.manifest_yaml import to_yaml
from upstream.charts import write_chart
from upstream.lock import locked_chart

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from charts_py.helm.program import Helm
    from charts_py.objects.document import Document, EmittedKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """What Helm is given of a release."""

    name: str
    namespace: str
    chart: str
    """Its name in `upstream/lock.yaml`."""
    is_released: bool
    """Whether the chart has the version with which its project publishes it, or that in git."""
    values: Mapping[str, Any]
    kinds: tuple[EmittedKind, ...]
    """Every kind that it renders."""
    skips_definitions: bool
    """Whether the chart's CustomResourceDefinitions are left out."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders charts as a cluster of a Kubernetes version would have them."""

    helm: Helm
    mirror: Path
    """Folder of the pinned files."""
    kubernetes: str
    """The minor version, as `1.36`."""

    def objects(self, release: Release) -> tuple[Document, ...]:
        """Return the objects of a release, its hooks among them, but no tests.

        The chart is rendered twice: what `dist/` holds must not depend on the time, on chance or
        on a cluster. Raises HelmError where it does, or where Helm does not render the chart or no
        object of it, and UpstreamError where the pinned chart is missing.
        """
        with tempfile.TemporaryDirectory(prefix="gpuplane-chart-") as folder:
            place = Path(folder) / "release"
            write_chart(release.chart, self.mirror, place, is_released=release.is_released)
            (place / VALUES).write_text(to_yaml(dict(release.values)), encoding="utf-8")
            found = self._rendered(release, place)
            if not found:
                raise HelmError("helm prints no object")
            # What nothing evaluates is rewritten for the second one too, and may be shown by it.
            if _difference(found, self._rendered_stopping(release, place)) and (
                difference := _difference(found, self._rendered(release, place))
            ):
                raise HelmError(difference)
        return found

    def _rendered_stopping(self, release: Release, place: Path) -> tuple[Document, ...]:
        """Return the objects as well; raise HelmError where a changing function is called."""
        again = Path(shutil.copytree(place, place.parent / "again"))
        stop_at_changing_functions(again)
        try:
            return self._rendered(release, again)
        except HelmError as error:
            if (call := called_function(str(error), _chart(release, again))) is not None:
                raise HelmError(call) from error
            raise

    def _rendered(self, release: Release, place: Path) -> tuple[Document, ...]:
        text = self.helm.template(
            [
                *(release.name, _chart(release, place), "--namespace", release.namespace),
                *("--values", place / VALUES, "--kube-version", f"{self.kubernetes}.0"),
                "--skip-tests",
                "--skip-crds" if release.skips_definitions else "--include-crds",
                *_repeated("--api-versions", api_versions(self.kubernetes)),
            ]
        )
        return tuple(printed_objects(text, release.namespace, release.kinds))


def _chart(release: Release, place: Path) -> Path:
    return place / locked_chart(release.chart).folder


def _repeated(option: str, values: Sequence[str]) -> Iterator[str]:
    for value in values:
        yield from (option, value)


def _difference(first: Sequence[Document], second: Sequence[Document]) -> str | None:
    """Return what differs between two renderings, in any order; None where nothing does."""
    one, other = (Counter(map(key_of, objects)) for objects in (first, second))
    for key in sorted((one - other) + (other - one)):
        return f"{key} is in only one of two renderings"
    pairs = zip(sorted(first, key=key_of), sorted(second, key=key_of), strict=True)
    for document, again in pairs:
        for field in changed_fields(document, again):
            return f"{key_of(document)}: {field.path} differs between two renderings"
    return None
