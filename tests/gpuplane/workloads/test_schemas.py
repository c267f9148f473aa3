"""Every workload has the form that the API of its kinds demands."""

import json
from functools import lru_cache

from jsonschema import Draft4Validator

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.registry import KINDS
from gpuplane.workloads.workload import new_workload
from tests.gpuplane.workloads.conftest import asked_of
from upstream.schema import schema_path
from upstream.schema_files import CRDS, committed_schemas, core_folder


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


def test_it_is_valid_by_the_pinned_schemas(platform: Platform) -> None:
    minor = platform.cluster.kubernetes.value
    found = [
        (kind.name, fault)
        for kind in KINDS
        for asked in {asked.team: asked for asked in asked_of(kind.name, platform)}.values()
        for document in new_workload(asked, platform).documents
        for fault in _faults(document, minor)
    ]
    assert found == []
