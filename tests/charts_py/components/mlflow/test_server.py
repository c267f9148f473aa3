"""Where MLflow keeps files, as MLflow writes it."""

import pytest

from charts_py.cluster_file.model_registry import Artifacts
from charts_py.components.mlflow.server import destination


@pytest.mark.parametrize(
    ("bucket", "written"),
    [
        ("s3://models/mlflow", "s3://models/mlflow"),
        ("gs://models/mlflow/", "gs://models/mlflow"),
        (
            "https://models.blob.core.windows.net/mlflow/runs",
            "wasbs://mlflow@models.blob.core.windows.net/runs",
        ),
        (None, "/artifacts"),
    ],
)
def test_a_container_of_azure_has_a_scheme_of_its_own(bucket: str | None, written: str) -> None:
    assert destination(Artifacts(bucket=bucket)) == written
