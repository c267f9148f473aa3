"""What the page tells of a change."""

from charts_py.objects.document import ObjectKey
from gpuplane.fleet_report.report_page import ReportTable, Tone
from gpuplane.fleet_report.sections.differences import differences_section
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.outage import Outage, PoolNodes
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.plan.rollout import Mechanism, Rollout, Span
from gpuplane.versions.comparison import PlacedObject, Subject
from tests.gpuplane.fleet_report.conftest import UNPLANNED

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
    section = differences_section(Plan("a;id", (), ("lab",)))
    assert section.command == "gpuplane plan --base 'a;id'"


def _rows(table: ReportTable) -> list[tuple[str, ...]]:
    return [tuple(cell.text for cell in row.cells) for row in table.rows]


def test_a_change_is_told_in_a_sentence_by_cluster_by_pool_and_by_object() -> None:
    section = differences_section(Plan("origin/main", (LAB,), ("other",)))
    sentence = (
        "Dangerous: data or many objects at once can be lost (Namespace a); 24 GPUs are out at "
        "once, for 0 to 25 minutes; what it costs is not known."
    )
    clusters, outages, changes = section.parts
    assert isinstance(clusters, ReportTable)
    assert isinstance(outages, ReportTable)
    assert isinstance(changes, ReportTable)
    assert section.first == (sentence,)
    assert section.notes == ("Unchanged: other.",)
    assert section.command == "gpuplane plan --base origin/main"
    assert _rows(clusters) == [
        ("lab", "lab, what Argo CD syncs: 1.0.0 -> 2.0.0", "dangerous", sentence)
    ]
    assert [row[:5] for row in _rows(outages)] == [("lab", "h200", "MIG label", "3", "24")]
    assert _rows(changes) == [
        ("lab", "removed", "team-a: Namespace a", "dangerous", "All objects in it go.")
    ]
    assert changes.rows[0].cells[3].tone is Tone.BAD


def test_where_nothing_changes_a_sentence_says_so() -> None:
    section = differences_section(UNPLANNED)
    assert (section.parts, section.first) == ((), ("Nothing changes on any cluster.",))
    assert section.command == "gpuplane plan"
