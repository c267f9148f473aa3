"""The page as Markdown, and for programs."""

import json
from dataclasses import replace

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.markdown_format import page_markdown
from gpuplane.fleet_report.report_page import page_fields
from tests.gpuplane.fleet_report.conftest import UNPLANNED


def test_the_number_comes_first_and_then_every_section(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    text = page_markdown(page)
    lines = text.splitlines()
    assert lines[0] == "# GPU fleet: sample"
    assert lines[2].startswith("**62.5%** of the fleet's GPUs are in the quotas of teams: sum of")
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert headings == [section.title for section in page.sections]
    assert "- sample/h100, H100-SXM: 4 nodes x 8 GPUs = 32 allocations" in lines
    assert text.count("<details>") == text.count("</details>") == 10


def test_a_pipe_or_a_tag_stays_in_its_cell(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    first, *others = page.sections
    hostile = replace(first, notes=("a | b\n<img>",))
    text = page_markdown(replace(page, sections=(hostile, *others)))
    assert "- a \\| b &lt;img>\n" in text


def test_programs_get_every_table(fleet: Fleet) -> None:
    fields = json.loads(json.dumps(page_fields(fleet_page(fleet, UNPLANNED)), default=str))
    assert fields["asOf"] == "2027-03-01"
    pools = next(section for section in fields["sections"] if section["name"] == "allocations")
    (table,) = pools["tables"]
    assert table["rows"][1]["name"] == "pools.sample.h100"
    cells = dict(zip(table["columns"], table["rows"][1]["cells"], strict=True))
    assert cells["GPUs at most"] == "32"
