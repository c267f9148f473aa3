"""What a change does, object by object."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import counted
from gpuplane.fleet_report.plan_words import plan_command, verdict_words
from gpuplane.fleet_report.report_page import (
    Cell,
    Cells,
    ReportSection,
    ReportTable,
    Tone,
    cells,
    report_section,
    report_table,
)
from gpuplane.plan.effect import Verdict
from gpuplane.plan.outage_part import outage_part
from gpuplane.plan.part import ReportedObjects, reported_objects
from gpuplane.plan.plan import ClusterPlan, Plan

_BY_OBJECT = ("Cluster", "Change", "Objects", "Verdict", "What it does")
_TONES = {Verdict.SAFE: Tone.GOOD, Verdict.ROLLING: Tone.WARNING}


def differences_section(plan: Plan) -> Iterator[ReportSection]:
    """Yield the objects that differ; nothing where none does."""
    if not plan.clusters:
        return
    rows = (
        _object_row(each, objects)
        for each in plan.clusters
        for objects in reported_objects(one for one in each.objects if not one.is_noise)
    )
    objects = sum(len(each.objects) for each in plan.clusters)
    clusters = len({each.cluster for each in plan.clusters})
    yield report_section(
        "differences",
        f"{counted(objects, 'object')} on {counted(clusters, 'cluster')}",
        *_outages(plan),
        report_table("By object", _BY_OBJECT, rows),
        command=plan_command(plan.base),
    )


def _outages(plan: Plan) -> Iterator[ReportTable]:
    """Yield what reaches nodes as one table of all clusters; none where nothing does."""
    tables = [
        (each.cluster, table)
        for each in plan.clusters
        for part in outage_part(each.outages, each.unsized)
        for table in part.tables
    ]
    if not tables:
        return
    _, first = tables[0]
    rows = (cells(cluster, *row) for cluster, table in tables for row in table.rows)
    yield report_table("GPUs out", ("Cluster", *first.headers), rows, words=first.words + 1)


def _object_row(each: ClusterPlan, objects: ReportedObjects) -> Cells:
    verdict = Cell(verdict_words(objects.verdict), _TONES.get(objects.verdict, Tone.BAD))
    last = Cell(" ".join(map(str, objects.effects)))
    return (*cells(each.cluster, objects.change.value, str(objects)), verdict, last)
