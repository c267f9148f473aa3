import json
from typing import Any

import pytest
import yaml

from charts_py.lint.content_digest import content_digest

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
    return content_digest(yaml.safe_load(JOB.replace(replaced, by) if replaced else JOB), pointer)


MISSING = "/spec/backoffLimit"
TRAIN = "/spec/template/spec/containers/1"


def test_a_digest_follows_from_no_format() -> None:
    document: Any = yaml.safe_load(JOB)
    turned = dict(reversed(document.items()))
    assert content_digest(json.loads(json.dumps(turned)), MISSING) == _digest(MISSING)
    assert _digest(MISSING) == "f3991afc40ba16d4"


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
    assert content_digest(document, TRAIN.replace("1", "0")) == _digest(TRAIN)


def test_an_object_of_a_list_is_known_by_its_name() -> None:
    document = {"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": n}} for n in "ab"]}
    turned = {"kind": "List", "items": document["items"][::-1]}
    assert content_digest(document, "/items/1/spec") == content_digest(turned, "/items/0/spec")
    assert content_digest(document, "/items/0/spec") != content_digest(document, "/items/1/spec")
