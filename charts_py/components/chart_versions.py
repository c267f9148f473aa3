"""The version of a chart: the one that was tested, or another one that a cluster file names."""

from collections.abc import Collection, Iterator

from semver import Version

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Fault, Problem
from charts_py.cluster_file.gitops import ChartForm
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_known
from charts_py.platform.platform import Platform
from upstream.lock import locked_chart

FIELD = ("charts", "versions")


def chart_version(cluster: Cluster, chart: str) -> str:
    """Return what Argo CD installs; raise UpstreamError where the chart is not pinned."""
    return cluster.charts.versions.get(chart) or locked_chart(chart).chart_version


def check_chart_versions(draft: Draft, charts: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each version that no release takes."""
    for name, version in draft.cluster.charts.versions.items():
        path = (*FIELD, name)
        if name not in charts:
            yield from check_known("chart", name, charts, path)
            continue
        tested = locked_chart(name).chart_version
        if draft.cluster.gitops.charts is ChartForm.RENDERED and version != tested:
            what = f"{version} is not pinned here, and charts: rendered reads pinned files"
            yield Problem(path, what, f"{tested}, or gitops.charts: application")
        elif version.startswith("v") is not tested.startswith("v"):
            spelled = f"v{version}" if tested.startswith("v") else version.removeprefix("v")
            yield Problem(path, f"{name} writes its versions as {tested} is", spelled)


def older_charts(platform: Platform) -> Iterator[Fault]:
    """Yield a warning for each version that is older than the one which was tested since."""
    for name, version in platform.cluster.charts.versions.items():
        tested = locked_chart(name).chart_version
        if _parsed(version) < _parsed(tested):
            what = f"{version} is older than {tested}, with which gpuplane was tested"
            allowed = f"no version of {name}, or a later one"
            yield platform.fault((*FIELD, name), what, allowed)


def _parsed(version: str) -> Version:
    return Version.parse(version.removeprefix("v"))
