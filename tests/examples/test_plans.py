"""Each example is what its change gives today."""

from pathlib import Path

import pytest

from charts_py.objects.bundled_node import use_bundled_node
from examples.plans.example import PICTURE, PLAN, example_folders, readme_picture, written
from gpuplane.plan.markdown_format import MAX_CHARACTERS

FOLDERS = example_folders()


def test_there_are_examples() -> None:
    names = [folder.name for folder in FOLDERS]
    assert names == [
        "chart-bump",
        "kubernetes-minor",
        "machines-refused",
        "mig-gone",
        "mig-layout",
        "pool-gone",
        "promotion",
        "quota-move",
        "rule-enforced",
        "spot",
        "team-added",
        "team-reverted",
    ]


def test_the_picture_of_the_readme_shows_what_the_plan_says() -> None:
    assert PICTURE.read_text(encoding="utf-8") == readme_picture()


@pytest.mark.usefixtures("versions_rendered_once")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_comment_and_report_are_what_a_change_gives(folder: Path, tmp_path: Path) -> None:
    """`python -m examples.plans` writes them again."""
    use_bundled_node()
    found = written(folder, tmp_path)
    assert found == {name: (folder / name).read_text(encoding="utf-8") for name in found}
    assert len(found[PLAN]) < MAX_CHARACTERS
