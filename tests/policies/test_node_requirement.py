from typing import Any

import pytest

from policies.fix import add_term, add_to_term
from policies.operation import apply
from policies.pod import Pod
from tests.policies.conftest import affinity

WANTED = {"key": "gpuplane.io/pool", "operator": "In", "values": ["h100"]}
ZONE = {"key": "zone", "operator": "Exists"}


def _pod(*terms: Any) -> Pod:
    return Pod({"spec": {"affinity": affinity(*terms)}}, lambda _: False)


@pytest.mark.parametrize("spec", [{}, {"affinity": {}}, {"affinity": {"nodeAffinity": None}}])
def test_a_pod_without_terms_gets_one(spec: dict[str, Any]) -> None:
    pod = Pod({"spec": spec}, lambda _: False)
    apply(pod.document, add_term(pod, [WANTED]))
    assert pod.document == _pod({"matchExpressions": [WANTED]}).document


@pytest.mark.parametrize(
    ("term", "after"),
    [
        ({"matchExpressions": [ZONE]}, {"matchExpressions": [ZONE, WANTED]}),
        ({"matchFields": []}, {"matchFields": [], "matchExpressions": [WANTED]}),
    ],
)
def test_a_term_keeps_what_it_requires_beside_what_is_added(term: Any, after: Any) -> None:
    pod = _pod({"matchExpressions": [ZONE]}, term)
    apply(pod.document, add_to_term(pod, 1, [WANTED]))
    assert pod.document == _pod({"matchExpressions": [ZONE]}, after).document


def test_a_malformed_affinity_is_left_to_the_api_server() -> None:
    pod = Pod({"spec": {"affinity": "malformed"}}, lambda _: False)
    assert add_term(pod, [WANTED]) == ()
