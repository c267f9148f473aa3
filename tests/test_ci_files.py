"""What CI systems read is as they want it: here, and in what `gpuplane init` writes."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema

from tests.example_repository import write_example_repository

ROOT = Path(__file__).parents[1]
SCHEMAS: Mapping[str, str] = {
    ".github/workflows": "github-workflows",
    ".github/actions": "github-actions",
    ".github/dependabot.yml": "dependabot",
    ".gitlab": "gitlab-ci",
    ".gitlab-ci.yml": "gitlab-ci",
    "actions": "github-actions",
    "ci": "gitlab-ci",
    "renovate": "renovate",
}
"""The schema of the files in a folder, or of a file."""


@pytest.fixture(scope="module", params=["gpuplane's own", "new"])
def repository(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param != "new":
        return ROOT
    folder = tmp_path_factory.mktemp("repository")
    write_example_repository(folder)
    return folder


def test_their_schemas_hold(repository: Path) -> None:
    faults = {
        str(file.relative_to(repository)): _faults(file, get_builtin_schema(f"vendor.{name}"))
        for place, name in SCHEMAS.items()
        for file in _files(repository / place)
    }
    assert len(faults) >= 4
    assert {file: found for file, found in faults.items() if found} == {}


def test_zizmor_finds_nothing(repository: Path) -> None:
    places = [place for place in (".github", "actions") if (repository / place).exists()]
    zizmor = Path(sys.executable).with_name("zizmor")
    done = subprocess.run(
        [zizmor, "--offline", "--no-progress", "--color", "never", *places],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.partition("!")[0]) == (
        0,
        "No findings to report. Good job",
    )


def _files(place: Path) -> list[Path]:
    inner = sorted(file for file in place.rglob("*") if file.suffix in (".yaml", ".yml", ".json"))
    return [place] if place.is_file() else inner


def _faults(file: Path, schema: dict[str, Any]) -> list[str]:
    # `on` is a boolean in YAML 1.1; of GitLab's components, the last document is the pipeline.
    *_, content = yaml.load_all(file.read_bytes(), Loader=yaml.CSafeLoader)
    if True in content:
        content["on"] = content.pop(True)
    validator = jsonschema.validators.validator_for(schema)(schema)
    return [error.message for error in validator.iter_errors(content)]
