"""OpenCost, which counts what nodes, namespaces and pods cost, by the prices of the pools.

Its CSV provider prices each node by the label of its pool, at what gpuplane knows of the pool; a
GPU bears the price of its node, as in `gpuplane cost`. It counts whole NVIDIA GPUs alone: a pod
with a MIG instance, or with a part of a GPU that is shared, has none to it (docs/cost.md). It is
synced last, so that where it reaches no Prometheus it holds up nothing else. Its web interface and
its MCP server are left out: neither asks who they answer.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from charts_py.cluster_file.team import PodSecurity
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.network_rules import from_namespaces
from charts_py.components.opencost.chart import (
    OPENCOST_CHART,
    OPENCOST_NAME,
    PORT,
    PRICES_CONFIG_MAP,
    opencost_values,
)
from charts_py.components.opencost.check import check_prometheus_url, unpriced_pools
from charts_py.components.opencost.prices import PRICES_FILE, prices_csv
from charts_py.components.scraping import scraped_by_operator
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Contribution, PlatformNamespace
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.wave import Wave

if TYPE_CHECKING:
    from collections.abc import Iterator

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

_CONFIGURATION = f"{OPENCOST_NAME}-configuration"

_TARGET = ScrapeTarget(
    OPENCOST_NAME,
    OPENCOST_NAME,
    {"app.kubernetes.io/name": OPENCOST_NAME},
    port="http",
    honors_labels=True,
)


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
    yield object_of("networking.k8s.io/v1", "NetworkPolicy", metadata, {"spec": spec})


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
        "imagePullSecrets",
        "registries",
        "charts",
    ),
    depends_on=("namespaces",),
    wave=Wave.EXTENSIONS,
    contribution=Contribution(
        namespaces=(PlatformNamespace(OPENCOST_NAME, PodSecurity.RESTRICTED),),
    ),
    charts=(OPENCOST_CHART,),
    parts=_parts,
    checks=(check_prometheus_url,),
    warnings=unpriced_pools,
    scraped=scraped_by_operator(_TARGET),
)
