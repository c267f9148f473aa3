"""`gpuplane schema`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from gpuplane.reference.schema import schema_files


@pytest.mark.parametrize(
    ("arguments", "file"), [((), "cluster.schema.json"), (("--fleet",), "fleet.schema.json")]
)
def test_a_schema_is_printed(
    run: Callable[..., Result], arguments: tuple[str, ...], file: str
) -> None:
    assert run("schema", *arguments).stdout == schema_files()[file]


def test_both_schemas_are_written_into_a_folder(run: Callable[..., Result], tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    result = run("schema", "--write", folder)
    assert result.stdout == f"{folder}/cluster.schema.json\n{folder}/fleet.schema.json\n"
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == schema_files()
