import warnings
from pathlib import Path

import pytest
from cdk8s import App, Chart

from charts_py.cluster_file.pool import Purpose
from charts_py.constructs.gpu_platform import GpuPlatform
from charts_py.constructs.platform_warning import PlatformWarning, warnings_of
from charts_py.constructs.props import (
    Addons,
    GitOps,
    Monitoring,
    NodeMatch,
    NodeRange,
    Pool,
    PoolAlerts,
)
from charts_py.constructs.render import render
from gpus.provider import Provider
from policies.admission import today
from tests.charts_py.constructs.placeholder import PLACEHOLDER
from tests.charts_py.fixture_types import Load
from tests.conftest import SAMPLES

ALERTS = (
    "pools.l4.alerts: without effect: addons.monitoring.service_monitors: false leaves out alerts; "
    "leave it out"
)


@pytest.fixture
def app(tmp_path: Path) -> App:
    return App(outdir=str(tmp_path / "dist"))


def _lab(app: App, directory: Path) -> GpuPlatform:
    return GpuPlatform(
        Chart(app, "lab"),
        "lab",
        directory=directory,
        provider=Provider.ONPREM,
        region="cellar",
        kubernetes="1.35",
        version="1.0.0",
        gitops=GitOps(repository="https://github.com/example/gpu-platform.git"),
        addons=Addons(monitoring=Monitoring(service_monitors=False)),
        pools={
            "l4": Pool(
                gpu="L4",
                gpus=1,
                cpu=8,
                memory="32Gi",
                purpose=Purpose.NOTEBOOKS,
                nodes=NodeRange(max=6),
                match=NodeMatch(hostnames=("lab-.*",)),
                alerts=PoolAlerts(idle_minutes=30),
            )
        },
    )


def test_an_app_warns_once_as_it_is_synthesized(app: App, tmp_path: Path) -> None:
    # Not of the folder that Argo CD would look in for dist/, which gpuplane synth alone writes.
    (tmp_path / ".git").mkdir()
    platform = _lab(app, tmp_path / "deep" / "clusters")
    platform.build()
    with pytest.warns(PlatformWarning) as given:
        app.synth()
    assert [str(each.message) for each in given] == [f"lab: {ALERTS}", f"lab: {PLACEHOLDER}"]
    app.synth()


def test_a_warning_that_a_filter_raises_is_a_fault_of_the_app(app: App, tmp_path: Path) -> None:
    _lab(app, tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error", PlatformWarning)
        with pytest.raises(RuntimeError) as caught:
            app.synth()
    assert [line.strip() for line in str(caught.value).splitlines()[1:]] == [f"[lab/lab] {ALERTS}"]
    assert not [*(tmp_path / "dist").glob("*")]


def test_what_a_file_states_is_warned_of_at_its_line(app: App, platform_of: Load) -> None:
    facts = platform_of((SAMPLES / "eks.yaml").read_text(encoding="utf-8"))
    GpuPlatform(Chart(app, "a"), "a", facts=facts)
    with pytest.warns(PlatformWarning) as given:
        app.synth()
    told = [str(each.fault) for each in warnings_of(facts) if each.holds(today())]
    assert [str(each.message) for each in given] == told


def test_rendering_leaves_the_warnings_to_its_caller(app: App, tmp_path: Path) -> None:
    facts = _lab(app, tmp_path).facts
    assert warnings_of(facts)
    with warnings.catch_warnings(record=True) as given:
        render(facts)
    assert given == []
