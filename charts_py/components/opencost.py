"""OpenCost, which counts what nodes, namespaces and pods cost, by the prices of the pools.

Its CSV provider prices each node by the label of its pool, at what gpuplane knows of the pool; a
GPU bears the price of its node, as in `gpuplane cost`. It counts whole NVIDIA GPUs alone: a pod
with a MIG instance, or with a part of a GPU that is shared, has none to it (docs/cost.md). It is
synced last, so that where it reaches no Prometheus it holds up nothing else. Its web interface and
its MCP server are left out: neither asks who they answer.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.components.chart import known_chart
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.network_rules import from_namespaces, network_policy_of
from charts_py.components.scraping import scraped_by_operator
from charts_py.metrics.series import known_series
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform
from charts_py.platform.pool_price import HOURS_OF_A_MONTH, NoPrice
from charts_py.platform.wave import Wave
from gpus.platform_names import POOL
from policies.settings import PodSecurity

PRICES_FILE = "prices.csv"
_NODE = "node"
_LABEL_FIELD = f"metadata.labels.{POOL}"
"""The field of a node that names its row."""
OPENCOST_NAME = "opencost"
"""Name of its chart, its namespace and its Application."""
PRICES_CONFIG_MAP = "pool-prices"
PORT = 9003
"""The port of its API and metrics."""
_SPLIT_HOURS: Mapping[str, float] = {"CPU": 0.00007, "RAM": 0.00001, "GPU": 1, "storage": 0}
"""OpenCost splits the price of a node by these ratios: a GPU weighs as much as 100,000 GiB, so that
it bears nearly all. What has no price costs as good as nothing, by these alone, and not what a
cloud lists in US dollars, which OpenCost brings. No price of a node may be 0: OpenCost keeps six
digits, and does not record a node with such a price (`outlierFactor` in
https://github.com/opencost/opencost, pkg/costmodel/metrics.go at 02e06667)."""
OPENCOST_CHART = known_chart(OPENCOST_NAME)
_EXAMPLE = "http://prometheus-operated.monitoring.svc:9090"
_CONFIGURATION = f"{OPENCOST_NAME}-configuration"
_TARGET = ScrapeTarget(
    OPENCOST_NAME,
    OPENCOST_NAME,
    {"app.kubernetes.io/name": OPENCOST_NAME},
    port="http",
    honors_labels=True,
)


def prices_csv(platform: Platform) -> str:
    """Return what a node of each pool costs an hour, of those whose price is known.

    The columns are EndTimestamp, InstanceID, Region, AssetClass, InstanceIDField, InstanceType,
    MarketPriceHourly and Version. There is no header: a row whose class is not known is taken for a
    node's. Nodes that no row names are priced by their region and instance type, where a row has
    the same; no node can have the type of a row, since it is not a valid value of a label.

    https://github.com/opencost/opencost, pkg/cloud/provider/csvprovider.go at 3eb88989.
    """
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    for pool in platform.pools:
        price = platform.price_of(pool)
        if price is not None:
            no_type = f"{POOL}={pool.name}"
            hour = f"{price.node_hour:.6f}"
            rows.writerow(("", pool.name, "", _NODE, _LABEL_FIELD, no_type, hour, ""))
    return file.getvalue()


def opencost_values(platform: Platform) -> Mapping[str, Any]:
    return OPENCOST_CHART.stated_values(
        platform,
        cluster=platform.name,
        config_map=PRICES_CONFIG_MAP,
        cost_model=_cost_model(),
        disabled_metrics=_of_kube_state_metrics(),
        prices_file=PRICES_FILE,
        prometheus_url=platform.cluster.addons.monitoring.prometheus_url,
    )


def _cost_model() -> dict[str, str]:
    """Return the split as values of the chart: prices of a month, which OpenCost turns into hours.

    https://github.com/opencost/opencost, `UpdateFromMap` in pkg/cloud/provider/providerconfig.go
    at 5f653330.
    """
    months = {name: f"{hour * HOURS_OF_A_MONTH:g}" for name, hour in _SPLIT_HOURS.items()}
    return {**months, "spotCPU": months["CPU"], "spotRAM": months["RAM"]}


def _of_kube_state_metrics() -> list[str]:
    """Return series that OpenCost leaves to kube-state-metrics: rules would count them twice."""
    read = {each.name for each in known_series().kube_state}
    return sorted({"kube_namespace_labels", "kube_pod_labels", *read})


def check_prometheus_url(draft: Draft) -> Iterator[Problem]:
    addons = draft.cluster.addons
    if addons.open_cost and addons.monitoring.prometheus_url is None:
        yield Problem(
            ("addons", "openCost"),
            "OpenCost counts by what it asks Prometheus, whose address is not known",
            f"addons.monitoring.prometheusUrl besides, such as {_EXAMPLE}; or false",
        )


def unpriced_pools(platform: Platform) -> Iterator[Fault]:
    """Yield a warning for each pool whose nodes OpenCost counts as costing nothing."""
    for pool in platform.pools:
        price = platform.price_or_reason(pool)
        if isinstance(price, NoPrice):
            what = f"OpenCost counts its nodes as free: {price.reason}"
            yield platform.fault(("pools", pool.name), what, price.remedy)


def _parts(platform: Platform) -> Iterator[Component]:
    yield Component(
        name=_CONFIGURATION,
        wave=Wave.EXTENSIONS,
        namespace=OPENCOST_NAME,
        objects=partial(_configuration, platform),
    )
    yield Component(
        name=OPENCOST_NAME,
        wave=Wave.EXTENSIONS,
        namespace=OPENCOST_NAME,
        helm=OPENCOST_CHART.release(platform, opencost_values(platform)),
    )


def _configuration(platform: Platform) -> Iterator[Document]:
    """Yield the prices, and a NetworkPolicy that opens the API to Prometheus alone.

    The API asks nobody who they are. A forwarded port needs no rule: it is opened in the pod.
    """
    metadata = ObjectMeta(PRICES_CONFIG_MAP, OPENCOST_NAME)
    yield object_of("v1", "ConfigMap", metadata, {"data": {PRICES_FILE: prices_csv(platform)}})
    spec = {
        "podSelector": {},
        "policyTypes": ["Ingress"],
        "ingress": [from_namespaces(platform.monitoring.namespaces, PORT)],
    }
    metadata = ObjectMeta(OPENCOST_NAME, OPENCOST_NAME)
    yield network_policy_of(metadata, spec)


OPENCOST = Definition(
    name=OPENCOST_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.open_cost,
    fields=(
        "addons.openCost",
        "addons.monitoring.prometheusUrl",
        "addons.monitoring.prometheus",
        "addons.monitoring.namespace",
        "addons.monitoring.serviceMonitors",
        "pools",
        "cost",
    ),
    wave=Wave.EXTENSIONS,
    namespace=PlatformNamespace(OPENCOST_NAME, PodSecurity.RESTRICTED),
    charts=(OPENCOST_CHART,),
    parts=_parts,
    checks=(check_prometheus_url,),
    warnings=unpriced_pools,
    scraped=scraped_by_operator(_TARGET),
)
