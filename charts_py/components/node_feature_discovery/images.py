"""The image of Node Feature Discovery, in whichever chart it is."""

from collections.abc import Mapping

from charts_py.components.chart_image import ChartImage


def discovery_image(
    section: str, tag: str, runs_where: Mapping[str, bool] | None = None
) -> ChartImage:
    """Return the image that all of its pods run, where a chart has its values."""
    return ChartImage(
        section=section,
        repository="registry.k8s.io/nfd/node-feature-discovery",
        tag=tag,
        runs_where=runs_where or {},
    )
