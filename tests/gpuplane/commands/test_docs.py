"""`gpuplane docs`: what it writes is what is committed."""

from pathlib import Path

import pytest

from gpuplane.application import create_application
from gpuplane.generated_files import generated_files
from gpuplane.platform_repository import PlatformRepository

ROOT = Path(__file__).parents[3]
FOLDERS = ("actions/pull-request", "docs/reference", "schemas")
BESIDE_WRITTEN_PAGES = "docs/prerequisites.md"


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    repository = PlatformRepository(ROOT)
    return generated_files(create_application(), repository, Path("docs/reference"))


def test_every_generated_file_is_current(generated: dict[str, str]) -> None:
    stale = [
        path
        for path, text in generated.items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text("utf-8") != text
    ]
    assert stale == [], "run `make docs`"


def test_nothing_else_is_beside_generated_files(generated: dict[str, str]) -> None:
    there = {
        file.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for file in (ROOT / folder).iterdir()
    }
    assert there | {BESIDE_WRITTEN_PAGES} == set(generated)
