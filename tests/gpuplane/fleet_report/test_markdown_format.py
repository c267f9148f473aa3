"""The page as Markdown, and for programs."""

import json
from dataclasses import replace

from gpuplane.fleet_report.fleet_facts import Fleet
from gpuplane.fleet_report.fleet_page import fleet_page
from gpuplane.fleet_report.json_format import page_fields
from gpuplane.fleet_report.markdown_format import page_markdown
from tests.gpuplane.fleet_report.conftest import UNPLANNED


def test_the_answer_comes_first_and_what_readers_open_last(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    text = page_markdown(page)
    lines = text.splitlines()
    assert lines[0] == "# sample: not rendered yet."
    headings = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert headings == ["To decide", "By cluster", "Who has the GPUs", "Teams"]
    assert text.count("<details>") == text.count("</details>") == len(page.sections)


def test_a_pipe_or_a_tag_stays_in_its_cell(fleet: Fleet) -> None:
    page = fleet_page(fleet, UNPLANNED)
    first, *others = page.sections
    hostile = replace(first, notes=("a | b\n<img>",))
    text = page_markdown(replace(page, sections=(hostile, *others)))
    assert "- a \\| b &lt;img>\n" in text


def test_programs_get_numbers_as_numbers(fleet: Fleet) -> None:
    fields = json.loads(json.dumps(page_fields(fleet_page(fleet, UNPLANNED)), default=str))
    assert fields["asOf"] == "2027-03-01"
    assert fields["clusters"][0]["gpusInQuotas"] == {"now": 40.0, "was": 0.0}
    assert fields["pools"][1]["parts"] == [
        {"holder": "team", "team": "research", "gpus": 16.0},
        {"holder": "team", "team": "serving", "gpus": 8.0},
        {"holder": "nobody", "team": "", "gpus": 8.0},
    ]
    tables = {each["name"]: each["tables"] for each in fields["sections"]}
    assert tables["borrowing"][0]["rows"][0][-4:] == [8.0, 0.0, 0.0, 8.0]
    assert tables["prices"][0]["rows"][2][-2:] == [None, None]
