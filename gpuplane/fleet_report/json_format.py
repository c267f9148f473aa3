"""The page for programs: its figures are numbers."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from gpuplane.fleet_report.pool_use import Costs
from gpuplane.fleet_report.report_page import ReportPage, ReportTable
from gpuplane.json_output import camel_case
from gpuplane.plan.effect import Verdict
from gpuplane.reports.cost.cost_report import UNKNOWN

_DECIMALS = 4
"""Decimals of GPUs, which shares of one make fractional."""


def page_fields(page: ReportPage) -> Mapping[str, Any]:
    """Return what the page says; what is not known is null."""
    found: Mapping[str, Any] = _value(page)
    return found


def _value(value: object) -> Any:
    match value:
        case Fraction():
            return round(float(value), _DECIMALS)
        case Verdict():
            return value.word
        case Costs():
            amounts = {currency: round(amount, 2) for currency, amount in value.amounts}
            return {"amounts": amounts, "gpusWithoutPrice": _value(value.without)}
        case ReportTable():
            return _table(value)
        case tuple():
            return [_value(each) for each in value]
    if is_dataclass(value):
        return camel_case({each.name: _value(getattr(value, each.name)) for each in fields(value)})
    return value


def _table(table: ReportTable) -> Mapping[str, Any]:
    rows = [
        [
            _number(cell.text) if column >= table.words else cell.text
            for column, cell in enumerate(row)
        ]
        for row in table.rows
    ]
    return {"caption": table.caption, "columns": table.headers, "rows": rows}


def _number(text: str) -> float | str | None:
    """Return what a cell of a column of numbers holds: a few are words, such as `0 to 25`."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None if text == UNKNOWN else text
