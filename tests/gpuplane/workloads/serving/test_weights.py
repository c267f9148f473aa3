"""Where weights are, by how they are asked for."""

import pytest

from gpuplane.workloads.serving.weights import Source, Weights, read_weights

DIGEST = f"sha256:{'0' * 64}"


@pytest.mark.parametrize(
    ("weights", "name"),
    [
        (Weights("gpt2", Source.HUB, "gpt2"), "gpt2"),
        (Weights("cache://qwen", Source.NODES, "/weights", kept="qwen"), "qwen"),
        (Weights("Qwen/Qwen3-32B", Source.HUB, "Qwen/Qwen3-32B"), "Qwen3-32B"),
        (Weights("/data/qwen3/", Source.FOLDER, "/data/qwen3/"), "qwen3"),
        (Weights("s3://models/a/b=1/", Source.BUCKET, "s3://models/a/b=1/"), "b=1"),
        (Weights("gs://models.example.com/a", Source.BUCKET, "gs://models.example.com/a"), "a"),
        (
            Weights(
                "https://account.blob.core.windows.net/models/a",
                Source.BUCKET,
                "az://models/a",
                account="account",
            ),
            "a",
        ),
        (
            Weights(
                "oci://registry.example.com:5000/a/b:1.0",
                Source.IMAGE,
                "/weights",
                image="registry.example.com:5000/a/b:1.0",
            ),
            "b",
        ),
        (
            Weights(
                f"oci://registry.example.com/a:1@{DIGEST}/models",
                Source.IMAGE,
                "/weights/models",
                image=f"registry.example.com/a:1@{DIGEST}",
            ),
            "a",
        ),
    ],
    ids=str,
)
def test_a_text_says_where_weights_are(weights: Weights, name: str) -> None:
    assert (read_weights(weights.text), weights.name) == (weights, name)


@pytest.mark.parametrize(
    "text",
    [
        *("", "a b", "a/b/c", "-", "s3://models", "s3://Models/a", "s3:/models/a", "az://a/b"),
        *("https://example.com/a/b", "oci://a:1", "oci://registry.example.com/a", "oci://a/b:"),
        *("oci://registry.example.com:5000/a", "oci://a/b@sha256:0", "oci://a/b:1/../c d", "é/b"),
    ],
)
def test_other_texts_are_no_weights(text: str) -> None:
    assert read_weights(text) is None
