"""What a change does, as it is planned."""

import shlex
from collections.abc import Iterator

from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    Part,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.plan.effect import Verdict
from gpuplane.plan.headline import headline, sentence, versions
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.part import ReportedObjects, reported_objects
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.tables import Row

_BY_CLUSTER = ("Cluster", "What is compared", "Verdict", "In a sentence")
_BY_OBJECT = ("Cluster", "Change", "Objects", "Verdict", "What it does")
_TONES = {Verdict.SAFE: Tone.GOOD, Verdict.ROLLING: Tone.WARNING}


def differences_section(plan: Plan) -> ReportSection:
    compared = plan.base or "what is live"
    base = ("--base", plan.base) if plan.base else ()
    return report_section(
        "differences",
        *_parts(plan),
        summary=f"What happens to clusters from {compared} to what the repository holds now.",
        first=(headline(plan),),
        notes=(f"Unchanged: {', '.join(plan.unchanged)}.",) if plan.unchanged else (),
        command=shlex.join(("gpuplane", "plan", *base)),
    )


def _parts(plan: Plan) -> Iterator[Part]:
    if not plan.clusters:
        return
    yield report_table("plans", "By cluster", _BY_CLUSTER, map(_cluster_row, plan.clusters))
    yield from _outages(plan)
    rows = (
        _object_row(each, objects)
        for each in plan.clusters
        for objects in reported_objects(one for one in each.objects if not one.is_noise)
    )
    yield report_table("changes", "By object", _BY_OBJECT, rows, folded=True)


def _outages(plan: Plan) -> Iterator[ReportTable]:
    """Yield what reaches nodes as one table of all clusters; none where nothing does."""
    tables = [
        (each, table)
        for each in plan.clusters
        for part in outage_part(each)
        for table in part.tables
    ]
    if not tables:
        return
    rows = (
        _named(each, row[:2], cells(each.cluster, *row))
        for each, table in tables
        for row in table.rows
    )
    _, first = tables[0]
    headers = ("Cluster", *first.headers)
    yield report_table("outages", "GPUs out", headers, rows, words=first.words + 1)


def _cluster_row(each: ClusterPlan) -> Named:
    first, last = cells(each.cluster, versions(each)), Cell(sentence([each]))
    return _named(each, (), (*first, _verdict(each.verdict), last))


def _object_row(each: ClusterPlan, objects: ReportedObjects) -> Named:
    shown = (objects.change.value, str(objects))
    last = Cell(" ".join(map(str, objects.effects)))
    return _named(each, shown, (*cells(each.cluster, *shown), _verdict(objects.verdict), last))


def _named(plan: ClusterPlan, keys: Row, shown: tuple[Cell, ...]) -> Named:
    return Named((plan.cluster, plan.subject.value, *keys), (plan.cluster,), shown)


def _verdict(verdict: Verdict) -> Cell:
    return Cell(verdict.word, _TONES.get(verdict, Tone.BAD))
