from __future__ import annotations

import pytest

from benchmarks.corpus import CLUSTERS
from gpuplane.admission.loaded_rules import cluster_engine
from policies.in_cel.match_conditions import gpu_pod_conditions, match_conditions
from policies.settings import Settings
from tests.policies.in_cel.shown_pods import Shown, shown_by


@pytest.fixture(scope="session")
def onprem() -> Settings:
    return cluster_engine(CLUSTERS, "onprem").settings


@pytest.fixture(scope="session")
def is_shown(onprem: Settings) -> Shown:
    return shown_by(match_conditions(onprem))


@pytest.fixture(scope="session")
def is_shown_to_be_fixed(onprem: Settings) -> Shown:
    return shown_by(gpu_pod_conditions(onprem))
