"""Every workload is valid and admitted as it is, and a construct emits the same."""

import datetime as dt
import json
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from constructs import Construct
from jsonschema import Draft4Validator

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import new_workload
from policies.admission import Review
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from policies.rule_name import RuleName
from tests.gpuplane.workloads.conftest import ask, asked_of, platform_named
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas, core_folder

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


TODAY = dt.date(2026, 11, 21)
NOT_OF_THE_MANIFEST = {RuleName.TIME_SLICED_INFERENCE, "data-class"}
"""The first warns of the pool, which somebody named; the second is a custom rule without a fix."""


def test_admission_neither_changes_nor_denies_a_workload(platform: Platform) -> None:
    engine = Engine(policy_settings(platform))
    found = [
        (kind.name, str(outcome))
        for kind in KINDS
        for asked in asked_of(kind.name, platform)
        for document in new_workload(asked, platform).documents
        for pod in admit_manifest(
            engine, copied(document), Review(str(asked.namespace), TODAY)
        ).pods
        for outcome in pod.admission.outcomes
        if outcome.finding.rule not in NOT_OF_THE_MANIFEST
    ]
    assert found == []


@pytest.mark.parametrize("profile", ["1g.10gb", "2g.20gb", "3g.40gb"])
def test_no_share_of_a_mixed_layout_strands_another(profile: str) -> None:
    platform = platform_named("training")
    engine = Engine(policy_settings(platform))
    resource = f"nvidia.com/mig-{profile}"
    asked = ask(team="recommendations", pool="a100-mixed", resource=resource)
    (job,) = (each for each in new_workload(asked, platform).documents if each["kind"] == "Job")
    admitted = admit_manifest(engine, copied(job), Review("recommendations", TODAY))
    assert [
        str(outcome)
        for pod in admitted.pods
        for outcome in pod.admission.outcomes
        if outcome.finding.rule == RuleName.GPU_SHARE
    ] == []


@lru_cache
def _validator(api_version: str, kind: str, minor: str) -> Draft4Validator:
    path = schema_path(api_version, kind)
    folders = (core_folder(minor), CRDS)
    files = (committed_schemas() / folder / path for folder in folders)
    file = next(file for file in files if file.is_file())
    return Draft4Validator(json.loads(file.read_text(encoding="utf-8")))


def _faults(document: Document, minor: str) -> list[str]:
    validator = _validator(document["apiVersion"], document["kind"], minor)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def test_every_workload_is_valid_by_the_pinned_schemas(platform: Platform) -> None:
    minor = platform.cluster.kubernetes.value
    found = [
        (kind.name, fault)
        for kind in KINDS
        for asked in {asked.team: asked for asked in asked_of(kind.name, platform)}.values()
        for document in new_workload(asked, platform).documents
        for fault in _faults(document, minor)
    ]
    assert found == []
