from pathlib import Path

import pytest

from gpuplane.reference.schema import schema_files
from tests.gpuplane.conftest import Run


@pytest.mark.parametrize(
    ("arguments", "file"), [((), "cluster.schema.json"), (("--fleet",), "fleet.schema.json")]
)
def test_a_schema_is_printed(run: Run, arguments: tuple[str, ...], file: str) -> None:
    assert run("schema", *arguments).stdout == schema_files()[file]


def test_both_schemas_are_written_into_a_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    result = run("schema", "--to", folder)
    assert result.stdout == f"{folder}/cluster.schema.json\n{folder}/fleet.schema.json\n"
    assert {file.name: file.read_text("utf-8") for file in folder.iterdir()} == schema_files()
