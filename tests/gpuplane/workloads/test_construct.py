"""A workload as a construct."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from constructs import Construct

from charts_py.objects.document import Document
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.workload import new_workload
from tests.gpuplane.workloads.conftest import platform_named

PAGE = Path(__file__).parents[3] / "docs" / "workloads.md"


def test_the_construct_on_the_page_emits_what_the_command_prints(
    documents_of: Callable[[Callable[[Construct], object]], tuple[Document, ...]],
) -> None:
    platform = platform_named("training")
    (block,) = PAGE.read_text(encoding="utf-8").split("```python\n")[1:]
    names: dict[str, Any] = {}
    exec(block.split("```")[0], names)  # noqa: S102 # it is our own page
    emitted = documents_of(lambda scope: names["nightly_evaluation"](scope, platform))
    asked = Asked(
        kind="job",
        name="nightly-evaluation",
        team="research",
        gpus=8,
        image="registry.example.com/evaluate:2.1",
        program=("evaluate.py", "--all"),
    )
    assert emitted == new_workload(asked, platform).documents
