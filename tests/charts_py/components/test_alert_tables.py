from pathlib import Path

import msgspec
import pytest

from charts_py.components.alert_tables import read_alerts
from charts_py.metrics.table import TableError

ALERT = """\
alerts:
  Down:
    expression: absent({up}) < {few}
    lasting: 5m
    severity: critical
    recipient: on-call
    urgency: Nothing else starts it.
    summary: It is down.
    remedy: Start it.
    source: Fewer than {few} are too few.
"""
HALF_STARTED = """\
alerts:
  JobHalfStarted:
    like: half-started
    kinds: Job
    severity: info
"""


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a package with a table of alerts, a new one each time."""
    name = f"alerts_of_{abs(hash(request.node.name))}"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "alerts.yaml").write_text(request.param)
    monkeypatch.syspath_prepend(tmp_path)
    return name


@pytest.mark.parametrize("package", [f"values: {{few: 2}}\n{ALERT}"], indirect=True)
def test_a_threshold_stands_once_for_the_expression_and_its_reason(package: str) -> None:
    (alert,) = read_alerts(package, up="up == 1")
    assert (alert.name, alert.expression) == ("Down", "absent(up == 1) < 2")
    assert alert.source == "Fewer than 2 are too few."


@pytest.mark.parametrize("package", [HALF_STARTED], indirect=True)
def test_a_row_may_be_like_others(package: str) -> None:
    (alert,) = read_alerts(package)
    assert 'kube_pod_owner{owner_kind=~"Job", owner_is_controller="true"}' in alert.expression
    assert "wait while others run" in alert.summary
    assert (alert.severity, alert.lasting) == ("info", "30m")


@pytest.mark.parametrize(
    ("package", "fault"),
    [
        (ALERT, "alerts.yaml: nothing fills {few}, {up}"),
        (f"values: {{many: 3}}\n{HALF_STARTED}", "alerts.yaml: no row uses many"),
        (
            HALF_STARTED.replace("kinds", "knids"),
            "alerts.yaml: half-started has no place for knids",
        ),
    ],
    indirect=["package"],
)
def test_a_table_that_is_amiss_is_a_fault(package: str, fault: str) -> None:
    with pytest.raises(TableError, match=f"{fault}$"):
        read_alerts(package)


@pytest.mark.parametrize("package", [ALERT.replace("source", "sorce")], indirect=True)
def test_a_row_with_another_field_is_a_fault(package: str) -> None:
    with pytest.raises(msgspec.ValidationError, match="sorce"):
        read_alerts(package, up="up", few=2)
