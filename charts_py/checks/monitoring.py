"""Who scrapes and alerts, and the labels by which Prometheus selects what it reads."""

from collections.abc import Iterator

from charts_py.cluster_file.addons import Dashboards, Monitoring
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.objects.metadata import MANAGED_BY
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import NameRule, check_name

_LABEL = NameRule(
    "a label",
    r"([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?",
    253 + len("/") + 63,
)
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""

_NO_FOLDERS = {"", ".", ".."}
"""Of a path's steps: the sidecar writes to what it names, of which a `/` at its beginning and `..`
lead out of the folder that Grafana reads (`_get_destination_folder` in
https://github.com/kiwigrid/k8s-sidecar/blob/master/src/resources.py)."""


def check_monitoring(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for collection that the provider lacks, and for names no label can have."""
    path, monitoring = ("addons", "monitoring"), draft.cluster.addons.monitoring
    prometheus, allowed = monitoring.prometheus, draft.provider.prometheus
    if prometheus is not None and prometheus not in allowed:
        what = f'"{prometheus}" collects no metrics on {draft.cluster.provider}'
        yield Problem((*path, "prometheus"), what, ", ".join(allowed))
    for name in monitoring.labels:
        yield from check_name(_LABEL, (*path, "labels", name), name)
    if monitoring.dashboards is not None:
        yield from _check_dashboards((*path, "dashboards"), monitoring, monitoring.dashboards)


def _check_dashboards(
    path: FieldPath, monitoring: Monitoring, asked: Dashboards
) -> Iterator[Problem]:
    for name in asked.labels:
        yield from check_name(_LABEL, (*path, "labels", name), name)
        if name in MANAGED_BY:
            yield Problem((*path, "labels", name), "every object has this label", "another label")
    if asked.folder is not None and _NO_FOLDERS & {*asked.folder.split("/")}:
        what = f'"{asked.folder}" is no folder below those of Grafana'
        yield Problem((*path, "folder"), what, 'names, with "/" between them')
    if not monitoring.service_monitors:
        what = "without effect: what they show is recorded by rules, which serviceMonitors: false"
        yield Problem(path, f"{what} leaves out; remove one of the two")
