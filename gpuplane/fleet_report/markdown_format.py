"""The page as GitHub-flavoured Markdown."""

from collections.abc import Iterator

from gpuplane.fleet_report.gpu_drawing import GpuDrawings
from gpuplane.fleet_report.report_page import Part, ReportPage, ReportSection, ReportTable
from gpuplane.tables import Table, escaped, table_lines


def page_markdown(page: ReportPage) -> str:
    """Return what the page says: every table and every note; what readers open is folded."""
    lead = page.lead
    lines = (
        f"# GPU fleet: {escaped(', '.join(page.clusters))}",
        "",
        f"**{lead.percent}** {escaped(lead.statement)}: {escaped(lead.formula)}",
        "",
        escaped(lead.explanation),
        "",
        f"As of {page.as_of}, by gpuplane {page.tool_version}.",
        "",
        *(line for section in page.sections for line in _section(section)),
    )
    return "\n".join(lines).rstrip() + "\n"


def _section(section: ReportSection) -> Iterator[str]:
    yield from (f"## {escaped(section.title)}", "")
    yield from (line for note in section.first for line in (f"**{escaped(note)}**", ""))
    yield from (escaped(section.summary), "")
    for part in section.parts:
        yield from _part(part)
    yield from (f"- {escaped(note)}" for note in section.notes)
    if section.notes:
        yield ""
    if section.command is not None:
        yield from (f"The same on a terminal: `{section.command}`", "")


def _part(part: Part) -> Iterator[str]:
    match part:
        case ReportTable():
            yield from _table(part)
        case GpuDrawings():
            yield from (
                f"- {escaped(f'{each.cluster}/{each.pool}, {each.model}: {each.arithmetic}')}"
                for each in part.drawings
            )
            yield ""
        case _:
            return  # a chart, whose numbers are in a table


def _table(table: ReportTable) -> Iterator[str]:
    heading = f"{escaped(table.caption)} ({len(table.rows)})"
    yield from (
        "<details><summary>" + heading + "</summary>" if table.folded else f"### {heading}",
        "",
    )
    rows = tuple(tuple(cell.text for cell in row.cells) for row in table.rows)
    yield from table_lines(Table(table.headers, rows, table.words))
    yield ""
    if table.folded:
        yield from ("</details>", "")
