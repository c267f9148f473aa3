from gpuplane.tables.markdown_format import to_markdown
from gpuplane.tables.section import Section
from gpuplane.tables.table import Table


def test_numbers_are_to_the_right_and_notes_are_a_paragraph_and_a_list() -> None:
    table = Table(("Pool", "GPUs"), (("h100", "8"),), words=1)
    assert to_markdown(Section("Pools", [table], ["All of them.", "one", "two"])) == (
        """\
### Pools

| Pool | GPUs |
|---|---:|
| h100 | 8 |

All of them.

- one
- two
"""
    )


def test_a_text_stays_within_its_cell_and_is_no_element() -> None:
    table = Table(("Reason",), (("a | b \\ c\nd <img>",),), words=1)
    lines = to_markdown(Section("Exceptions", [table], [""])).splitlines()
    assert lines[4] == "| a \\| b \\\\ c d &lt;img> |"
