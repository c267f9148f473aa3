"""Each example of a plan is what the plan of its change says today."""

from pathlib import Path

import pytest

from charts_py.objects.bundled_node import use_bundled_node
from charts_py.plan.markdown_format import MAX_CHARACTERS
from examples.plans.example import PLAN, example_folders, planned

FOLDERS = example_folders()


def test_there_are_examples() -> None:
    assert [folder.name for folder in FOLDERS] == ["chart-bump", "mig-layout", "quota-move"]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_plan_is_what_its_change_gives(folder: Path, tmp_path: Path) -> None:
    """`python -m examples.plans` writes them again."""
    use_bundled_node()
    told = planned(folder, tmp_path)
    assert told == (folder / PLAN).read_text(encoding="utf-8")
    assert len(told) < MAX_CHARACTERS
