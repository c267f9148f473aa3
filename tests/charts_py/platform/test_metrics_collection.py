"""Who collects the metrics of a cluster."""

import pytest

from charts_py.cluster_file.addons import Monitoring, Prometheus
from charts_py.platform.metrics_collection import MetricsCollection, metrics_collection
from charts_py.providers.registry import PROVIDERS
from gpus.provider import Provider

GOOGLE = ("gke-gmp-system", "gmp-system")


@pytest.mark.parametrize(
    ("provider", "prometheus", "namespaces"),
    [
        (Provider.EKS, Prometheus.OPERATOR, ("monitoring",)),
        (Provider.GKE, Prometheus.GOOGLE_MANAGED, GOOGLE),
        (Provider.AKS, Prometheus.OPERATOR, ("monitoring",)),
        (Provider.ONPREM, Prometheus.OPERATOR, ("monitoring",)),
    ],
)
def test_a_provider_has_its_own_by_default(
    provider: Provider, prometheus: Prometheus, namespaces: tuple[str, ...]
) -> None:
    collection = MetricsCollection(prometheus, namespaces, "15s")
    assert metrics_collection(Monitoring(), PROVIDERS[provider]) == collection


@pytest.mark.parametrize(
    ("prometheus", "namespace", "namespaces"),
    [
        (Prometheus.OPERATOR, None, ("monitoring",)),
        (Prometheus.OPERATOR, "metrics", ("metrics",)),
        (Prometheus.GOOGLE_MANAGED, "metrics", (*GOOGLE, "metrics")),
    ],
)
def test_metrics_are_open_to_who_collects_and_to_the_namespace_that_is_named(
    prometheus: Prometheus, namespace: str | None, namespaces: tuple[str, ...]
) -> None:
    monitoring = Monitoring(prometheus=prometheus, namespace=namespace)
    collection = MetricsCollection(prometheus, namespaces, "15s")
    assert metrics_collection(monitoring, PROVIDERS[Provider.GKE]) == collection


@pytest.mark.parametrize(
    ("prometheus", "has_operator"),
    [(Prometheus.OPERATOR, True), (Prometheus.GOOGLE_MANAGED, False), (None, False)],
)
def test_only_the_operator_has_its_kinds(
    *, prometheus: Prometheus | None, has_operator: bool
) -> None:
    assert MetricsCollection(prometheus, (), "15s").has_operator is has_operator


def test_a_cluster_can_leave_what_is_scraped_to_others() -> None:
    collection = metrics_collection(
        Monitoring.model_validate({"serviceMonitors": False}), PROVIDERS[Provider.GKE]
    )
    assert collection == MetricsCollection(None, GOOGLE, "15s")
