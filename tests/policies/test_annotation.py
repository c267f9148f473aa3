from __future__ import annotations

from typing import Any

import pytest

from policies.annotation import MAX_ANNOTATIONS_SIZE, name_in_annotation
from policies.document import Document
from policies.operation import Operation
from policies.pod import Pod

PATH = "/metadata/annotations/gpuplane.io~1fixed"


def _pod(**annotations: Any) -> Pod:
    named = {name.replace("fixed", "gpuplane.io/fixed"): each for name, each in annotations.items()}
    document: Document = {"metadata": {"annotations": named}}
    return Pod(document, lambda _: False)


@pytest.mark.parametrize(("before", "after"), [("", "a,b"), ("b,c", "b,c,a"), (1, "a,b")])
def test_the_rules_are_named_once_after_those_before(before: Any, after: str) -> None:
    assert name_in_annotation(_pod(fixed=before), ["a", "b"]) == (Operation("add", PATH, after),)


_TAKEN = len("n") + len("gpuplane.io/fixed") + len("a")


@pytest.mark.parametrize("letter", ["x", "ä", "\U0001f600", "\ud800"])
def test_they_are_named_only_where_the_api_server_takes_as_many_annotations(letter: str) -> None:
    size = len(letter.encode(errors="surrogatepass"))
    room = (MAX_ANNOTATIONS_SIZE - 4 * _TAKEN) // size
    assert len(name_in_annotation(_pod(n=letter * room), ["a"])) == 1
    assert name_in_annotation(_pod(n=letter * (room + 4 * _TAKEN)), ["a"]) == ()
