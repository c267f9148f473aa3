import json
from typing import Any

import pytest
import yaml

from gpuplane.lint.content_digest import ContentDigests

JOB = """\
apiVersion: batch/v1
kind: Job
metadata: {name: train, labels: {app: train}}
spec:
  parallelism: 2
  template:
    spec:
      containers:
        - {name: proxy, image: proxy:1}
        - {name: train, image: registry/train:1, args: [a]}
"""


def _digest(pointer: str, replaced: str = "", by: str = "") -> str:
    return ContentDigests(yaml.safe_load(JOB.replace(replaced, by) if replaced else JOB)).of(
        pointer
    )


MISSING = "/spec/backoffLimit"
TRAIN = "/spec/template/spec/containers/1"


def test_a_digest_follows_from_no_format() -> None:
    document: Any = yaml.safe_load(JOB)
    turned = dict(reversed(document.items()))
    assert ContentDigests(json.loads(json.dumps(turned))).of(MISSING) == _digest(MISSING)
    assert _digest(MISSING) == "b241c1ea0978a7d9"


@pytest.mark.parametrize(
    ("pointer", "replaced", "by"),
    [
        (MISSING, "app: train", "app: other"),
        (MISSING, "train:1", "train@sha256:1"),
        (TRAIN, "parallelism: 2", "parallelism: 3"),
        (TRAIN, "proxy:1", "other:1"),
        (f"{TRAIN}/args", "train:1", "train:2"),
    ],
)
def test_what_a_finding_is_not_about_changes_no_digest(
    pointer: str, replaced: str, by: str
) -> None:
    assert _digest(pointer, replaced, by) == _digest(pointer)


@pytest.mark.parametrize(
    ("pointer", "replaced", "by"),
    [
        (MISSING, "parallelism: 2", "parallelism: 3"),
        (MISSING, "registry/train:1", "elsewhere/train:1"),
        (TRAIN, "[a]", "[b]"),
        (f"{TRAIN}/image", "train:1", "train:2"),
    ],
)
def test_what_a_finding_is_about_changes_the_digest(pointer: str, replaced: str, by: str) -> None:
    assert _digest(pointer, replaced, by) != _digest(pointer)


def test_a_container_is_known_by_its_name() -> None:
    document: Any = yaml.safe_load(JOB)
    document["spec"]["template"]["spec"]["containers"].reverse()
    assert ContentDigests(document).of(TRAIN.replace("1", "0")) == _digest(TRAIN)


def test_an_object_of_a_list_is_known_by_its_name() -> None:
    document = {"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": n}} for n in "ab"]}
    turned = {"kind": "List", "items": document["items"][::-1]}
    digests, turned_digests = ContentDigests(document), ContentDigests(turned)
    assert digests.of("/items/1/spec") == turned_digests.of("/items/0/spec")
    assert digests.of("/items/0/spec") != digests.of("/items/1/spec")
