"""What a chart is told that the cluster serves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.helm.api_versions import api_versions
from upstream.charts import files_of_charts
from upstream.kubernetes_version import KubernetesVersion

if TYPE_CHECKING:
    from pathlib import Path

ASKED = re.compile(r'\.APIVersions\.Has\s+"([^"]+)"')
OPENSHIFT = {"route.openshift.io", "security.openshift.io"}
"""What no platform here has."""
OF_MONITORING = {"monitoring.coreos.com"}
"""Of JobSet's ServiceMonitor, which its chart has only with `prometheus.enable`."""
OF_GATEWAYS = {"gateway.networking.k8s.io"}
"""What topograph's chart says in a comment that it does not ask for."""


@pytest.mark.parametrize("kubernetes", list(KubernetesVersion))
def test_it_is_told_what_the_kubernetes_version_serves(kubernetes: KubernetesVersion) -> None:
    told = api_versions(kubernetes.value)
    assert {"v1", "v1/Pod", "apps/v1/Deployment"} <= set(told)
    is_there = "resource.k8s.io/v1/ResourceClaim" in told
    assert is_there is has(kubernetes, Feature.RESOURCE_CLAIMS)


def test_it_is_told_of_nothing_that_may_be_switched_off() -> None:
    assert [each for each in api_versions("1.37") if "alpha" in each or "beta" in each] == []


def test_no_pinned_chart_asks_for_kinds_that_kubernetes_has_not(mirror: Path) -> None:
    templates = [mirror / each.file for each in files_of_charts() if "/templates/" in each.file]
    asked = {
        name
        for template in templates
        # A mirror may lack a chart.
        if template.is_file()
        for name in ASKED.findall(template.read_text("utf-8"))
    }
    groups = {name.partition("/")[0] for name in asked} - OPENSHIFT - OF_MONITORING - OF_GATEWAYS
    assert groups == {
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "networking.k8s.io",
        "policy",
        "resource.k8s.io",
    }
