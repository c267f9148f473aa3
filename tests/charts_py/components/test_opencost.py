"""OpenCost, where a cluster asks for it."""

import json
from collections.abc import Mapping

import pytest

from charts_py.components.opencost import OPENCOST, PRICES_CONFIG_MAP, prices_csv
from charts_py.metrics.series import known_series
from charts_py.objects.document import Document
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

NAMESPACE = "opencost"


@pytest.fixture
def costed(platform_after: PlatformWith) -> PlatformWith:
    """Return the function that loads the sample with OpenCost, with pieces of it replaced."""
    return lambda *replacements: platform_after("cost", *replacements)


@pytest.fixture
def charted(costed: PlatformWith, rendered: DocumentsOf) -> Mapping[tuple[str, str], Document]:
    """Return the objects of its chart, by kind and name."""
    _, release = OPENCOST.plan(costed())
    return {(each["kind"], each["metadata"]["name"]): each for each in rendered(release)}


def test_the_server_reads_the_prices_and_asks_the_prometheus_of_the_cluster_file(
    charted: Mapping[tuple[str, str], Document],
) -> None:
    pod = charted["Deployment", "opencost"]["spec"]["template"]["spec"]
    (server,) = pod["containers"]
    variables = {each["name"]: each.get("value") for each in server["env"]}
    assert {
        "CLUSTER_ID": "sample",
        "CONFIG_PATH": "/tmp/custom-config",  # noqa: S108 # an emptyDir of the chart
        "CSV_PATH": "/etc/pool-prices/prices.csv",
        "EMIT_KSM_V1_METRICS": "false",
        "EMIT_KSM_V1_METRICS_ONLY": "true",
        "MCP_SERVER_ENABLED": "false",
        "PROMETHEUS_SERVER_ENDPOINT": "http://prometheus-operated.monitoring.svc:9090",
        "USE_CSV_PROVIDER": "true",
    }.items() <= variables.items()
    mounted = {each["name"]: each["mountPath"] for each in server["volumeMounts"]}
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert mounted.keys() == volumes.keys()
    assert mounted["pool-prices"] == "/etc/pool-prices"
    assert volumes["pool-prices"]["configMap"] == {"name": PRICES_CONFIG_MAP}


def test_a_gpu_bears_nearly_all_of_the_price_of_its_node(
    charted: Mapping[tuple[str, str], Document],
) -> None:
    # OpenCost divides them by 730, and keeps six digits.
    split = charted["ConfigMap", "custom-pricing-model"]["data"]
    hours = {name: f"{float(split[name]) / 730:f}" for name in ("CPU", "RAM", "GPU", "storage")}
    assert hours == {"CPU": "0.000070", "RAM": "0.000010", "GPU": "1.000000", "storage": "0.000000"}
    gpus, rest = 8 * float(hours["GPU"]), 192 * float(hours["CPU"]) + 2048 * float(hours["RAM"])
    assert gpus / (gpus + rest) > 0.995


def test_it_emits_no_series_that_rules_read_of_kube_state_metrics(
    charted: Mapping[tuple[str, str], Document],
) -> None:
    told = charted["ConfigMap", "custom-metrics"]["data"]["metrics.json"]
    disabled = json.loads(told)["disabledMetrics"]
    assert {each.name for each in known_series().kube_state} <= set(disabled)


def test_a_service_monitor_scrapes_it_and_keeps_the_labels_of_its_metrics(
    costed: PlatformWith, charted: Mapping[tuple[str, str], Document]
) -> None:
    (target,) = OPENCOST.scraped(costed())
    service = charted["Service", "opencost"]
    assert (target.namespace, target.honors_labels) == (NAMESPACE, True)
    assert dict(target.selector).items() <= service["metadata"]["labels"].items()
    assert [(port["name"], port["port"]) for port in service["spec"]["ports"]] == [
        (target.port, 9003)
    ]


def test_no_pod_monitoring_of_google_keeps_the_labels(platform_after: PlatformWith) -> None:
    url = "http://frontend.monitoring.svc:9090"
    asked = f"addons: {{openCost: true, monitoring: {{prometheusUrl: '{url}'}}}}\npools:\n"
    platform = platform_after("gke", ("pools:\n", asked))
    assert (len(list(OPENCOST.plan(platform))), OPENCOST.scraped(platform)) == (2, ())


def test_a_pool_without_a_price_is_warned_of(costed: PlatformWith) -> None:
    platform = costed(("    price: 4.5\n", ""))
    (warning,) = OPENCOST.warnings(platform)
    assert str(warning).rpartition("/")[2] == (
        "sample.yaml:24: pools.l40s: OpenCost counts its nodes as free: machines of your own have"
        " no listed price; allowed: price, or owned"
    )


ROWS = """\
,h200,,node,metadata.labels.gpuplane.io/pool,gpuplane.io/pool=h200,11.344041,
,l40s,,node,metadata.labels.gpuplane.io/pool,gpuplane.io/pool=l40s,4.500000,
"""


def test_nodes_are_priced_by_the_label_of_their_pool(platform_after: PlatformWith) -> None:
    platform = platform_after("cost")
    assert prices_csv(platform) == ROWS
    hours = [platform.price_of(pool) for pool in platform.pools]
    assert [f"{price.node_hour:.6f}" for price in hours if price] == ["11.344041", "4.500000"]


def test_a_pool_without_a_price_is_left_out(platform_after: PlatformWith) -> None:
    platform = platform_after("cost", ("    price: 4.5\n", ""))
    assert prices_csv(platform) == ROWS.splitlines(keepends=True)[0]
