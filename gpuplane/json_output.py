"""Reports: what a command found, as JSON for programs."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction
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
    WEIGHTS = "WeightList"


def print_report(kind: ReportKind, content: Mapping[str, Any]) -> None:
    """Print a report, and nothing else, on stdout: its `apiVersion`, its `kind`, its content."""
    report = {"apiVersion": API_VERSION, "kind": kind, **content}
    text = json.dumps(report, indent=2, ensure_ascii=False, default=str)
    print_document(f"{json_without_orders(text)}\n")


def attributes(source: object, *names: str) -> dict[str, Any]:
    """Return attributes of an object by their names in JSON: `per_node` is `perNode`."""
    return camel_case({name: json_value(getattr(source, name)) for name in names})


def json_value(value: object) -> Any:
    """Return a dataclass as its fields, and a degree, such as a verdict, as its word."""
    match value:
        case IntEnum():
            return value.name.lower()
        case Fraction():
            return float(value)
        case tuple():
            return [json_value(each) for each in value]
    if is_dataclass(value):
        return attributes(value, *(each.name for each in fields(value)))
    return value


def camel_case(named: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.split("_")[0] + "".join(word.title() for word in name.split("_")[1:]): value
        for name, value in named.items()
    }
