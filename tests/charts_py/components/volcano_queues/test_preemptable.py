"""Which objects say that they give nothing back, by a real evaluator of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.volcano_queues.preemptable import PREEMPTABLE_POLICY

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")

KEY = "volcano.sh/preemptable"


def _object(where: str | None = None, value: str = "") -> dict[str, Any]:
    stated = {} if where is None else {where: {KEY: value}}
    return {"metadata": {"name": "trial", **stated}}


def _messages(now: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    environment = cel.NewEnv(
        variables=dict.fromkeys(("object", "oldObject"), cel.Type.DYN),
        extensions=[optional.ExtOptional()],
    )

    def result(expression: str) -> Any:
        data = {"object": now, "oldObject": before}
        return environment.compile(expression).eval(data=data).value()

    return [
        result(each["messageExpression"])
        for each in PREEMPTABLE_POLICY.spec()["validations"]
        if result(each["expression"]) is not True
    ]


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (_object(), None),
        (_object("annotations", "true"), None),
        (_object("labels", "true"), None),
        (_object(), _object("labels", "false")),
        # What was there before can still be deleted, which takes its finalizers off it.
        (_object("annotations", "false"), _object("annotations", "false")),
    ],
)
def test_what_gives_back_passes(now: dict[str, Any], before: dict[str, Any] | None) -> None:
    assert _messages(now, before) == []


@pytest.mark.parametrize(("where", "called"), [("annotations", "annotation"), ("labels", "label")])
@pytest.mark.parametrize("value", ["false", "0", "", "yes"])
@pytest.mark.parametrize("before", [None, _object()])
def test_what_volcano_would_not_evict_is_refused(
    where: str, called: str, value: str, before: dict[str, Any] | None
) -> None:
    (message,) = _messages(_object(where, value), before)
    assert message == (
        f'The {called} {KEY} is "{value}", but what runs on GPUs that others lent gives them back.'
        ' Set it to "true", or leave it out.'
    )


def test_it_is_about_all_that_volcano_reads_it_of() -> None:
    selector = {"matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]}
    assert PREEMPTABLE_POLICY.spec()["matchConstraints"] == {
        "namespaceSelector": selector,
        "resourceRules": [
            {
                "apiGroups": ["", "apps", "batch", "batch.volcano.sh", "scheduling.volcano.sh"],
                "apiVersions": ["*"],
                "operations": ["CREATE", "UPDATE"],
                "resources": [
                    "pods",
                    "podgroups",
                    "jobs",
                    "replicasets",
                    "statefulsets",
                    "daemonsets",
                    "deployments",
                ],
                "scope": "Namespaced",
            }
        ],
    }
