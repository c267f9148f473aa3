from typing import Any

import pytest

from policies.document import Document
from policies.operation import Operation, apply
from policies.rules.node_affinity import RULE
from tests.policies.conftest import affinity, found, gpu_pod, message, messages

TERMS = (
    "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms"
)


def _annotated(pod: Document, **annotations: str) -> Document:
    named = {f"gpuplane.io/{key.replace('_', '-')}": value for key, value in annotations.items()}
    pod["metadata"]["annotations"] = named
    return pod


def _in(key: str, *values: str) -> Document:
    return {"key": f"gpuplane.io/{key}", "operator": "In", "values": list(values)}


def test_an_annotation_becomes_a_required_label_with_the_values_that_pools_have() -> None:
    pod = _annotated(gpu_pod(), gpu_model="h100, h200,t4,h100", nvlink="true")
    (finding,) = found(RULE, pod)
    apply(pod, finding.fix)
    assert pod["spec"]["affinity"] == affinity(
        {"matchExpressions": [_in("gpu-model", "h100", "t4"), _in("nvlink", "true")]}
    )
    assert finding.message == (
        "The pod is annotated with gpuplane.io/gpu-model h100 or t4 and gpuplane.io/nvlink true, "
        "but may run on any node."
    )


def _term(*expressions: Document) -> Document:
    return {"matchExpressions": list(expressions)}


def test_it_is_required_in_each_term_that_admits_other_nodes() -> None:
    wider: list[Document] = [
        {"key": "zone", "operator": "Exists"},
        {"key": "gpuplane.io/gpu-model", "operator": "NotIn", "values": ["t4"]},
        {"key": "gpuplane.io/gpu-model", "operator": "Exists"},
        _in("gpu-model", "h100", "a100"),
        _in("gpu-model"),
    ]
    narrow = [_in("gpu-model", "h100"), _in("gpu-model", "h100", "t4")]
    dead: list[Any] = [{}, {"matchExpressions": []}, {"matchFields": []}, "malformed"]
    terms = [*map(_term, wider), *map(_term, narrow), *dead]
    pod = _annotated(gpu_pod(affinity=affinity(*terms)), gpu_model="h100,t4")
    (finding,) = found(RULE, pod)
    expected = _in("gpu-model", "h100", "t4")
    assert finding.fix == tuple(
        Operation("add", f"{TERMS}/{index}/matchExpressions/-", expected)
        for index in range(len(wider))
    )
    apply(pod, finding.fix)
    assert found(RULE, pod) == []


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        (
            {"gpu_model": "h10"},
            (
                "/metadata/annotations/gpuplane.io~1gpu-model The pod is annotated with "
                "gpuplane.io/gpu-model h10, but no such pool offers what it asks for. "
                "Allowed: a100, h100; nearest: h100."
            ),
        ),
        (
            {"gpu_model": ",".join(f"h10{number}" for number in range(9, 99))},
            (
                "/metadata/annotations/gpuplane.io~1gpu-model The pod is annotated with "
                "gpuplane.io/gpu-model h109 or h1010 or h1011 or h1012 or h1013 or h1014 and 84 "
                "more, but no such pool offers what it asks for. Allowed: "
                "a100, h100; nearest: h100."
            ),
        ),
        (
            {"gpu_model": "h100,h100\x1b[31m, b c"},
            (
                "/metadata/annotations/gpuplane.io~1gpu-model The pod is annotated with "
                "gpuplane.io/gpu-model h100\\x1b[31m, which no node label can be. Use at most 63 "
                "letters, digits and .-_ that begin and end with a letter or digit; separate "
                "several values by commas."
            ),
        ),
        (
            {"gpu_model": "a100", "interconnect": "efa"},
            (
                "/metadata/annotations/gpuplane.io~1interconnect The pod is annotated with "
                "gpuplane.io/interconnect efa, but no such pool offers what it asks for. "
                "Allowed: none."
            ),
        ),
    ],
)
def test_what_no_pool_has_is_refused(annotations: Any, said: str) -> None:
    assert messages(found(RULE, _annotated(gpu_pod(), **annotations))) == [said]


def test_a_node_selector_that_rules_the_annotation_out_is_refused() -> None:
    pod = gpu_pod(nodeSelector={"gpuplane.io/gpu-model": "t4"})
    assert message(found(RULE, _annotated(pod, gpu_model="h100,a100"))) == (
        "/metadata/annotations/gpuplane.io~1gpu-model The pod is annotated with "
        "gpuplane.io/gpu-model h100 or a100, but its node selector requires t4. Keep one of "
        "them."
    )


@pytest.mark.parametrize("own", ["a100", "t4"], ids=["that could be met", "that could not"])
def test_terms_that_all_rule_the_annotation_out_are_refused(own: str) -> None:
    pod = gpu_pod(affinity=affinity(_term(_in("gpu-model", own))))
    assert message(found(RULE, _annotated(pod, gpu_model="h100"))) == (
        "/metadata/annotations/gpuplane.io~1gpu-model The pod is annotated with "
        f"gpuplane.io/gpu-model h100, but its node affinity requires {own}. Keep one of them."
    )
    terms = [_term(_in("gpu-model", model)) for model in (own, "h100")]
    pod = gpu_pod(affinity=affinity(*terms))
    (finding,) = found(RULE, _annotated(pod, gpu_model="h100"))
    narrowed = Operation("add", f"{TERMS}/0/matchExpressions/-", _in("gpu-model", "h100"))
    assert finding.fix == (narrowed,)


def test_a_node_selector_for_the_label_is_enough() -> None:
    pod = gpu_pod(nodeSelector={"gpuplane.io/gpu-model": "h100"})
    assert found(RULE, _annotated(pod, gpu_model="h100")) == []
    assert found(RULE, _annotated(gpu_pod(), gpu_model=" ")) == []
