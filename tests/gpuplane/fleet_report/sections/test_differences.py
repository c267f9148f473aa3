"""What the page tells of a change, object by object."""

from charts_py.objects.document import ObjectKey
from gpuplane.fleet_report.report_page import ReportTable, Tone
from gpuplane.fleet_report.sections.differences import differences_section
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.rollout import Mechanism, Rollout, Span
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.gpuplane.fleet_report.conftest import UNPLANNED
from tests.gpuplane.versions.bases import base_at

REMOVED = PlannedObject(
    PlacedObject("team-a", ObjectKey("", "Namespace", "", "a")),
    Change.REMOVED,
    (Effect(Verdict.DANGEROUS, "", "All objects in it go.", ""),),
)
NOISE = PlannedObject(
    PlacedObject("team-a", ObjectKey("", "ConfigMap", "a", "b")),
    Change.CHANGED,
    (Effect(Verdict.SAFE, "metadata.labels", "People read it.", "", is_noise=True),),
)
LAB = ClusterPlan(
    "lab",
    Subject.LIVE,
    "1.0.0",
    "2.0.0",
    (REMOVED, NOISE),
    (Outage(Rollout(Mechanism.MIG_LABEL, "h200"), (PoolNodes("lab", "h200", Span(3, 3), 8),)),),
)


def test_a_reference_in_the_command_is_one_argument_to_a_shell() -> None:
    (section,) = differences_section(Plan(base_at("a;id"), (LAB,), ()))
    assert section.command == "gpuplane plan --base 'a;id'"


def _rows(table: ReportTable) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row) for row in table.rows]


def test_a_change_is_told_by_pool_and_by_object() -> None:
    (section,) = differences_section(Plan(base_at("origin/main"), (LAB,), ("other",)))
    outages, changes = section.tables
    assert section.finding == "2 objects on 1 cluster"
    assert [row[:5] for row in _rows(outages)] == [("lab", "h200", "MIG label", "3", "24")]
    assert _rows(changes) == [
        ("lab", "removed", "team-a: Namespace a", "dangerous", "All objects in it go.")
    ]
    assert changes.rows[0][3].tone is Tone.BAD


def test_where_nothing_changes_there_is_no_such_section() -> None:
    assert [*differences_section(UNPLANNED)] == []
