"""Tables as GitHub-flavoured Markdown, for a comment on a pull request."""

from collections.abc import Iterable, Iterator

from charts_py.tables.table import Row, Table


def to_markdown(
    title: str, tables: Iterable[Table], notes: Iterable[str], first: Iterable[str] = ()
) -> str:
    """Return tables as a section, with notes below them: a paragraph, and then a list.

    What is to be read `first` stands above the tables, each in bold.
    """
    told = (line for note in first for line in (f"**{note}**", ""))
    shown = (line for table in tables for line in (*markdown_table(table), ""))
    paragraph, *others = notes
    below = (paragraph, "", *(f"- {note}" for note in others))
    return "\n".join((f"### {title}", "", *told, *shown, *below)).rstrip() + "\n"


def markdown_table(table: Table) -> Iterator[str]:
    """Yield the lines of a table."""
    numbers = len(table.headers) - table.words
    yield _row(table.headers)
    yield f"|{'---|' * table.words}{'---:|' * numbers}"
    yield from map(_row, table.rows)


def _row(cells: Row) -> str:
    return f"| {' | '.join(cells)} |"
