"""Which version an alias names, and where its files are, by what MLflow answers."""

import re

import pytest

from charts_py.cluster_file.fault import RenderError
from gpuplane.host_api import HostError
from gpuplane.model_registry.registry_api import registry_of
from gpuplane.workloads.model_version import read_reference
from tests.gpuplane.model_registry.recorded import Recorded

BUCKET = "s3://example-models/mlflow"
RUN = "0ac9016ed89449b284a0d1213af6bb14"
IMAGE = f"oci://registry.example.com/weights/chat@sha256:{'a' * 64}"


def _found(registry: Recorded, name: str, bucket: str | None = BUCKET) -> tuple[str, str]:
    reference = read_reference(name)
    assert reference is not None
    version = registry_of(registry.url, {}, bucket).version(reference)
    return version.number, version.source


@pytest.mark.parametrize(
    ("name", "number", "source"),
    [
        ("models:/chat@champion", "1", f"{BUCKET}/1/{RUN}/artifacts/model"),
        ("models:/chat@champion/merged", "1", f"{BUCKET}/1/{RUN}/artifacts/model/merged"),
        ("models:/chat/2", "2", IMAGE),
        ("models:/chat/3", "3", "s3://example-models/elsewhere"),
        (
            "models:/flavoured@champion",
            "1",
            f"{BUCKET}/1/models/m-6f8ce2527aa34b949a4921e7187b0398/artifacts",
        ),
    ],
)
def test_files_are_in_the_bucket_of_the_cluster_or_where_the_version_says(
    registry: Recorded, name: str, number: str, source: str
) -> None:
    assert _found(registry, name) == (number, source)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("models:/chat@nobody", "400 Registered model alias nobody not found."),
        ("models:/gone@champion", "404 Registered Model with name=gone not found"),
        ("models:/chat/77", "404 Model Version (name=chat, version=77) not found"),
    ],
)
def test_what_mlflow_refuses_is_said_in_its_words(registry: Recorded, name: str, said: str) -> None:
    with pytest.raises(HostError, match=re.escape(said)):
        _found(registry, name)


def test_files_on_a_volume_of_mlflow_are_none_that_servers_read(registry: Recorded) -> None:
    with pytest.raises(RenderError) as caught:
        _found(registry, "models:/chat@champion", bucket=None)
    assert str(caught.value) == (
        f"models:/chat@champion: version 1 is at mlflow-artifacts:/1/{RUN}/artifacts/model, from "
        "which no server reads weights; allowed: files in a bucket, which the file of --cluster "
        "names in addons.modelRegistry.server.artifacts, or a version with the tag "
        "gpuplane.io/source, such as s3://BUCKET/PATH or oci://IMAGE@sha256:DIGEST"
    )


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({}, None),
        ({"MLFLOW_TRACKING_TOKEN": "secret"}, "Bearer secret"),
        (
            {"MLFLOW_TRACKING_USERNAME": "ci", "MLFLOW_TRACKING_PASSWORD": "secret"},
            "Basic Y2k6c2VjcmV0",
        ),
    ],
)
def test_mlflow_is_shown_what_its_own_clients_show(
    registry: Recorded, environment: dict[str, str], shown: str | None
) -> None:
    reference = read_reference("models:/chat/3")
    assert reference is not None
    registry_of(registry.url, environment, None).version(reference)
    assert {*registry.tokens} == {shown}


def test_a_token_is_not_sent_unencrypted_over_a_network() -> None:
    with pytest.raises(HostError, match="is not an address that begins with https://"):
        registry_of("http://mlflow.example.com", {"MLFLOW_TRACKING_TOKEN": "secret"}, None)
    registry_of("http://mlflow.mlflow.svc:5000", {}, None)
