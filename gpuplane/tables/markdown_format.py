"""Tables as GitHub-flavoured Markdown, for a comment on a pull request."""

from collections.abc import Iterator

from gpuplane.tables.markdown_text import escaped, fenced
from gpuplane.tables.section import Section
from gpuplane.tables.table import Row, Table


def to_markdown(section: Section) -> str:
    """Return a section; what is to be read first stands in bold, and blocks as YAML."""
    first = (line for note in section.first for line in (f"**{escaped(note)}**", ""))
    shown = (line for table in section.tables for line in (*table_lines(table), ""))
    blocks = (line for each in section.blocks for line in (fenced(each.rstrip(), "yaml"), ""))
    paragraph, *others = map(escaped, section.notes)
    below = (paragraph, "", *(f"- {note}" for note in others))
    lines = (f"### {escaped(section.title)}", "", *first, *shown, *blocks, *below)
    return "\n".join(lines).rstrip() + "\n"


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    numbers = len(table.headers) - table.words
    yield _row(table.headers)
    yield f"|{'---|' * table.words}{'---:|' * numbers}"
    yield from map(_row, table.rows)


def _row(cells: Row) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"
