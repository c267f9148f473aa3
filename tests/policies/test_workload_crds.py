"""The pod templates that the pinned CRDs hold are known, below the folder of GPUPLANE_MIRROR."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from policies.document import Document
from policies.workload import pod_templates

NO_GPU_WORKLOADS = {"monitoring.coreos.com"}
"""Groups whose pods are of the platform, and are stated in part."""


class _Loader(yaml.CSafeLoader):
    """Takes `=` for text, as in an enumeration of operators."""


_Loader.add_constructor("tag:yaml.org,2002:value", lambda _, node: node.value)


@pytest.fixture(scope="module")
def crds() -> list[Document]:
    if (mirror := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR names no folder with upstream files")
    files = sorted((Path(mirror) / "crds").rglob("*.yaml"))
    documents = [d for file in files for d in yaml.load_all(file.read_bytes(), _Loader)]
    return [d for d in documents if d and d["kind"] == "CustomResourceDefinition"]


def _example(schema: Any) -> Any:
    """Return a value that has every field of a schema, down to pods."""
    fields = schema.get("properties", {})
    if "containers" in fields:
        return {"containers": []}
    if "properties" in schema:
        return {name: _example(field) for name, field in fields.items()}
    if isinstance(values := schema.get("additionalProperties"), dict):
        return {"any": _example(values)}
    return [_example(schema["items"])] if "items" in schema else None


def _pods(value: Any, pointer: str) -> Iterator[str]:
    """Yield where pod specs stand."""
    if isinstance(value, dict):
        if "containers" in value:
            yield pointer
        for name, inner in value.items():
            yield from _pods(inner, f"{pointer}/{name}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _pods(inner, f"{pointer}/{index}")


def _unknown(crd: Document) -> Iterator[tuple[str, str, str]]:
    group, kind = crd["spec"]["group"], crd["spec"]["names"]["kind"]
    for version in crd["spec"]["versions"]:
        example = _example(version["schema"]["openAPIV3Schema"])
        example |= {"apiVersion": f"{group}/{version['name']}", "kind": kind}
        known = {template.pointer for template in pod_templates(example)}
        for pod in _pods(example, ""):
            if not known & {pod, pod.removesuffix("/spec")}:
                yield group, kind, pod


def test_every_pod_template_of_the_pinned_crds_is_found(crds: list[Document]) -> None:
    unknown = [place for crd in crds for place in _unknown(crd)]
    assert [place for place in unknown if place[0] not in NO_GPU_WORKLOADS] == []
