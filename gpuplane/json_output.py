"""Reports: what a command found, as JSON for programs."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from gpuplane.terminal import json_without_orders, print_document

API_VERSION = "gpuplane.io/v1alpha1"
"""Changes where a field of a report is renamed, removed or comes to mean something else."""


class ReportKind(StrEnum):
    """Kinds of reports; a list has its rows in `items`."""

    ADMISSION = "Admission"
    COST = "Cost"
    COST_CHANGES = "CostChangeList"
    DIFFERENCES = "DifferenceList"
    FLEET = "FleetReport"
    GPU_MODELS = "GpuModelList"
    IMAGES = "ImageList"
    INSTANCE_TYPES = "InstanceTypeList"
    LINT = "Lint"
    PLAN = "Plan"
    PRIORITIES = "PriorityLadderList"
    PROMOTION = "Promotion"
    NEXT_PROMOTIONS = "NextPromotions"
    PRUNING = "Pruning"
    QUEUES = "QueueList"
    RECOMMENDATION = "Recommendation"
    RELEASES = "ReleaseList"
    RULES = "RuleList"
    SYNTHESIS = "Synthesis"
    VALIDATION = "Validation"
    VERSION = "Version"


def print_report(kind: ReportKind, fields: Mapping[str, Any]) -> None:
    """Print a report, and nothing else, on stdout: its `apiVersion`, its `kind`, its fields."""
    report = {"apiVersion": API_VERSION, "kind": kind, **fields}
    text = json.dumps(report, indent=2, ensure_ascii=False, default=str)
    print_document(f"{json_without_orders(text)}\n")


def attributes(source: object, *names: str) -> dict[str, Any]:
    """Return attributes of an object by their names in JSON: `per_node` is `perNode`."""
    return camel_case({name: getattr(source, name) for name in names})


def camel_case(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.split("_")[0] + "".join(word.title() for word in name.split("_")[1:]): value
        for name, value in fields.items()
    }
