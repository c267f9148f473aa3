"""Commands that copy images."""

import pytest

from gpuplane.commands.images import Tool
from gpuplane.images.copy_tool import COPY_TOOLS, copy_command

TAG = "nvcr.io/nvidia/driver:595.91.07-ubuntu24.04"
COPY = "registry.example.com/nvcr/nvidia/driver:595.91.07-ubuntu24.04"
DIGEST = f"sha256:{'a' * 64}"


@pytest.mark.parametrize(
    ("tool", "command"),
    [
        ("skopeo", f"skopeo copy --all --preserve-digests docker://{TAG} docker://{COPY}"),
        ("oras", f"oras cp {TAG} {COPY}"),
        ("crane", f"crane copy {TAG} {COPY}"),
    ],
)
def test_each_tool_copies_an_image_with_all_its_platforms(tool: str, command: str) -> None:
    assert copy_command(tool, TAG, COPY) == command


def test_what_has_a_digest_is_read_by_it_and_written_by_its_tag() -> None:
    assert copy_command("crane", f"quay.io/a/b:1@{DIGEST}", f"r.example.com/a/b:1@{DIGEST}") == (
        f"crane copy quay.io/a/b@{DIGEST} r.example.com/a/b:1"
    )


def test_what_has_a_digest_alone_is_written_by_it() -> None:
    assert copy_command("oras", f"quay.io/a/b@{DIGEST}", f"r.example.com/a/b@{DIGEST}") == (
        f"oras cp quay.io/a/b@{DIGEST} r.example.com/a/b@{DIGEST}"
    )


def test_the_command_line_offers_every_tool() -> None:
    assert [tool.value for tool in Tool] == list(COPY_TOOLS)
