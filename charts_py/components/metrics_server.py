"""metrics-server, from which autoscalers and `kubectl top` know what pods use.

The webhook's autoscaler needs it: without it the autoscaler is Degraded, and Argo CD starts no
later wave, so that the API server never calls the webhook. GKE and AKS bring their own; EKS has it
as a community add-on, which is not there by default
(https://docs.aws.amazon.com/eks/latest/userguide/metrics-server.html), except in clusters that
eksctl made (https://docs.aws.amazon.com/eks/latest/eksctl/addons.html). It is synced with the
teams, right before the webhook, so that where it fails it holds up nothing else.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import KUBE_SYSTEM_NAMESPACE
from charts_py.platform.wave import Wave


def check_metrics_server(draft: Draft) -> Iterator[Problem]:
    if draft.cluster.addons.metrics_server.install and draft.provider.brings_metrics_server:
        yield Problem(
            ("addons", "metricsServer", "install"),
            f"every cluster on {draft.provider.name} has a metrics-server, and the metrics API has"
            " room for one",
            "false, or leave it out",
        )


def _is_wanted(platform: Platform) -> bool:
    install = platform.cluster.addons.metrics_server.install
    return not platform.provider.brings_metrics_server if install is None else install


def _values(platform: Platform) -> Mapping[str, Any]:
    verifies = platform.cluster.addons.metrics_server.verify_kubelets
    arguments = None if verifies else ["--kubelet-insecure-tls"]
    return known_chart("metrics-server").stated_values(platform, arguments=arguments)


METRICS_SERVER = Definition(
    name="metrics-server",
    description=__doc__,
    appears="where the provider brings none and the cluster has none",
    is_wanted=_is_wanted,
    fields=("provider", "addons.metricsServer"),
    wave=Wave.TEAMS,
    # Where the chart puts the binding that lets it verify its callers.
    namespace=KUBE_SYSTEM_NAMESPACE,
    charts=(known_chart("metrics-server"),),
    values=_values,
    checks=(check_metrics_server,),
)
