"""The page for programs."""

from typing import Any, TypeAlias

from gpuplane.fleet_report.report_page import LeadingNumber, ReportPage, ReportSection, ReportTable

Fields: TypeAlias = dict[str, Any]


def page_fields(page: ReportPage) -> Fields:
    """Return what the page says: every table and every note, without pictures."""
    return {
        "clusters": page.clusters,
        "asOf": page.as_of,
        "toolVersion": page.tool_version,
        "lead": _lead(page.lead),
        "sections": [_section(section) for section in page.sections],
    }


def _lead(lead: LeadingNumber) -> Fields:
    return {
        "part": lead.part,
        "whole": lead.whole,
        "statement": lead.statement,
        "formula": lead.formula,
        "explanation": lead.explanation,
    }


def _section(section: ReportSection) -> Fields:
    return {
        "name": section.name,
        "title": section.title,
        "summary": section.summary,
        "first": section.first,
        "tables": [_table(part) for part in section.parts if isinstance(part, ReportTable)],
        "notes": section.notes,
        "command": section.command,
    }


def _table(table: ReportTable) -> Fields:
    return {
        "name": table.name,
        "caption": table.caption,
        "columns": table.headers,
        "rows": [
            {
                "name": row.anchor,
                "clusters": row.clusters,
                "cells": [cell.text for cell in row.cells],
            }
            for row in table.rows
        ],
    }
