"""What the cluster before in a chain says of a move."""

import datetime as dt
from dataclasses import replace

import pytest

from charts_py.rendering.rendering import PinnedChart
from gpuplane.release.chain import Predecessor, Soak, chain_reason, soak_of
from gpuplane.release.live_history import LiveState
from gpuplane.release.move import Move
from gpuplane.release.part import Part, PartKind, Parts
from gpuplane.release.reason import Reason, Rule
from gpuplane.release.soak import Run
from gpuplane.versions.record import ReleaseRecord

NOW = dt.datetime(2026, 7, 2, 12, tzinfo=dt.UTC)
TOOL, POLICIES = Part(PartKind.TOOL), Part(PartKind.FLEET, "policies")
KUEUE = Part(PartKind.CHART, "kueue")
OLD = ReleaseRecord(
    cluster="training",
    version="1.0.0",
    kubernetes="1.36",
    tool_version="0.1.0",
    spec_digest="",
    charts=(PinnedChart("kueue", "0.18.0", "https://example.com"),),
    crds=(),
    permissions=None,
    files={},
    shared={"policies": "a"},
)
NEW = replace(OLD, version="1.1.0", tool_version="0.2.0", files={"a.yaml": "b"})
MOVE = Move("training", OLD, "1.0.0", NEW)


def _hours_ago(hours: float) -> dt.datetime:
    return NOW - dt.timedelta(hours=hours)


def _staging(rendered: Parts, *states: LiveState, live: Parts | None = None) -> Predecessor:
    """Staging, which runs what it renders unless something else is live."""
    settled = live is None
    return Predecessor("staging", rendered, rendered if settled else live or {}, settled, states)


def test_a_change_of_the_clusters_own_waits_for_none() -> None:
    move = replace(MOVE, new=replace(NEW, tool_version="0.1.0"))
    soak = soak_of(move, _staging({}), is_rendered=True)
    assert (soak, chain_reason(soak, "staging", 24, NOW)) == (Soak({}, {}), None)


def test_what_the_cluster_before_renders_as_well_it_has_to_have_run() -> None:
    before = _staging({TOOL: "0.2.0"})
    soak = soak_of(MOVE, before, is_rendered=True)
    assert soak == Soak({TOOL: "0.2.0"}, {})
    assert chain_reason(soak, "staging", 24, NOW) == Reason(
        Rule.CHAIN, "staging has not run gpuplane 0.2.0"
    )


def test_what_changes_nothing_of_the_cluster_before_is_not_asked_of_it() -> None:
    """Both render the same sources, so that its version would be another if it changed anything."""
    soak = soak_of(MOVE, _staging({TOOL: "0.1.0"}), is_rendered=True)
    assert soak == Soak({}, {TOOL: "0.2.0"})


def test_what_a_cluster_renders_and_does_not_run_leaves_nothing_untried() -> None:
    """Its file may differ just so that a change does not reach it."""
    before = _staging({TOOL: "0.1.0"}, live={TOOL: "0.1.0"})
    assert soak_of(MOVE, before, is_rendered=True) == Soak({TOOL: "0.2.0"}, {})


@pytest.mark.parametrize(
    ("rendered", "live"),
    [({KUEUE: "0.18.0"}, None), ({}, {KUEUE: "0.18.0"}), ({KUEUE: "0.17.0"}, {})],
    ids=["another version", "only live", "only rendered"],
)
def test_a_chart_that_the_cluster_before_has_in_any_version_it_has_to_have_run(
    rendered: Parts, live: Parts | None
) -> None:
    charts = (PinnedChart("kueue", "0.19.0", "https://example.com"),)
    move = replace(MOVE, new=replace(OLD, version="1.1.0", charts=charts))
    before = _staging(rendered, live=live)
    assert soak_of(move, before, is_rendered=True) == Soak({KUEUE: "0.19.0"}, {})


def test_of_a_version_that_is_rendered_no_more_only_charts_can_be_missing() -> None:
    charts = (PinnedChart("kueue", "0.19.0", "https://example.com"),)
    move = replace(MOVE, new=replace(NEW, charts=charts))
    soak = soak_of(move, _staging({TOOL: "0.3.0"}), is_rendered=False)
    assert soak == Soak({TOOL: "0.2.0"}, {KUEUE: "0.19.0"})


def test_a_field_that_the_fleet_has_no_more_is_a_change() -> None:
    move = replace(MOVE, new=replace(OLD, version="1.1.0", shared={}))
    state = LiveState(_hours_ago(30), "1.0.0", {TOOL: "0.1.0"})
    soak = soak_of(move, _staging({TOOL: "0.1.0"}, state), is_rendered=True)
    assert soak == Soak({POLICIES: ""}, {}, Run("1.0.0", _hours_ago(30)))


AFTER = LiveState(_hours_ago(2), "1.2.0", {})


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        (Run("1.1.0", _hours_ago(24)), None),
        (
            Run("1.1.0", _hours_ago(23.5)),
            Reason(
                Rule.CHAIN,
                "staging has run gpuplane 0.2.0 for 23.5 h of 24 h, since 2026-07-01T12:30Z",
                NOW + dt.timedelta(hours=0.5),
            ),
        ),
        (Run("1.1.0", _hours_ago(26), AFTER), None),
        (
            Run("1.1.0", _hours_ago(25), AFTER),
            Reason(
                Rule.CHAIN, "staging ran gpuplane 0.2.0 for 23 h of 24 h, until 2026-07-02T10:00Z"
            ),
        ),
        (
            Run("1.3.0", _hours_ago(90), AFTER),
            Reason(
                Rule.CHAIN,
                "staging was rolled back from 1.3.0 to 1.2.0 at 2026-07-02T10:00Z, "
                "and so from gpuplane 0.2.0",
            ),
        ),
    ],
)
def test_a_change_goes_on_once_it_has_run_for_the_hours(run: Run, reason: Reason | None) -> None:
    assert chain_reason(Soak({TOOL: "0.2.0"}, {}, run), "staging", 24, NOW) == reason
