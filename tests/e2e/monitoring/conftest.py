"""The programs that scrape, evaluate and notify."""

import pytest

from tests.binaries.prometheus import PrometheusBinaries, find_prometheus
from tests.e2e.monitoring.promtool import Promtool


@pytest.fixture(scope="session")
def prometheus_binaries() -> PrometheusBinaries:
    """The programs of Prometheus; the first run downloads them."""
    return find_prometheus()


@pytest.fixture(scope="session")
def promtool(prometheus_binaries: PrometheusBinaries) -> Promtool:
    """Checks rules and plays scenarios."""
    return Promtool(prometheus_binaries.promtool)
