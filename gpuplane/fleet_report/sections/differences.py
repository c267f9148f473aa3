"""What a change does, as it is planned."""

from collections.abc import Iterator
from dataclasses import replace

from gpuplane.fleet_report.report_page import (
    Cell,
    Named,
    Part,
    ReportRow,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    linked_rows,
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
    """Return what the change does to each cluster, and why."""
    compared = plan.base or "what is live"
    command = f"gpuplane plan --base {plan.base}" if plan.base else "gpuplane plan"
    return ReportSection(
        name="differences",
        title="Differences",
        summary=f"What happens to clusters from {compared} to what the repository holds now.",
        parts=tuple(_parts(plan)),
        first=(headline(plan),),
        notes=(f"Unchanged: {', '.join(plan.unchanged)}.",) if plan.unchanged else (),
        command=command,
    )


def _parts(plan: Plan) -> Iterator[Part]:
    if not plan.clusters:
        return
    yield _table("plans", "By cluster", _BY_CLUSTER, _clusters(plan))
    yield from _outages(plan)
    yield replace(_table("changes", "By object", _BY_OBJECT, _objects(plan)), folded=True)


def _table(name: str, caption: str, headers: Row, rows: tuple[ReportRow, ...]) -> ReportTable:
    """Return a table of words."""
    return ReportTable(name, caption, headers, rows, words=len(headers))


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
        Named(
            (each.cluster, each.subject.value, *row[:2]), (each.cluster,), cells(each.cluster, *row)
        )
        for each, table in tables
        for row in table.rows
    )
    _, first = tables[0]
    headers, words = ("Cluster", *first.headers), first.words + 1
    yield ReportTable("outages", "GPUs out", headers, linked_rows("outages", rows), words)


def _clusters(plan: Plan) -> tuple[ReportRow, ...]:
    return linked_rows(
        "plans",
        (
            Named(
                (each.cluster, each.subject.value),
                (each.cluster,),
                (
                    *cells(each.cluster, versions(each)),
                    _verdict(each.verdict),
                    *cells(sentence([each])),
                ),
            )
            for each in plan.clusters
        ),
    )


def _objects(plan: Plan) -> tuple[ReportRow, ...]:
    return linked_rows(
        "changes",
        (
            Named(
                (each.cluster, each.subject.value, objects.change.value, str(objects)),
                (each.cluster,),
                (
                    *cells(each.cluster, objects.change.value, str(objects)),
                    _verdict(objects.verdict),
                    *cells(" ".join(map(str, objects.effects))),
                ),
            )
            for each in plan.clusters
            for objects in _reported(each)
        ),
    )


def _reported(plan: ClusterPlan) -> Iterator[ReportedObjects]:
    return reported_objects(each for each in plan.objects if not each.is_noise)


def _verdict(verdict: Verdict) -> Cell:
    return Cell(verdict.word, _TONES.get(verdict, Tone.BAD))
