"""What a policy refuses whom it does not trust, by a real evaluator of CEL."""

import re
from typing import Any

from charts_py.components.admission_policy import Policy
from gpus.platform_names import TEAM
from tests.charts_py.components.evaluated import evaluated

OF_TEAM = "research"
"""Whose namespace it is."""
_QUESTION = re.compile(r"authorizer\..*?\.allowed\(\)")
_RESOURCES = {"Pod": "pods", "Job": "jobs", "StatefulSet": "statefulsets"}


def refusals(
    policy: Policy,
    sent: dict[str, Any],
    before: dict[str, Any] | None = None,
    allowed: str = "nothing",
) -> list[str]:
    """Return why the policy refuses an object, or a change of it; empty where it passes.

    Of all that a policy asks of rights, who asks has one at most: `allowed`, in CEL.
    """
    data: dict[str, Any] = {
        "object": sent,
        "oldObject": before,
        "request": {
            "operation": "CREATE" if before is None else "UPDATE",
            "namespace": sent["metadata"]["namespace"],
            "resource": {"resource": _RESOURCES.get(sent["kind"], f"{sent['kind'].lower()}s")},
        },
        "namespaceObject": {"metadata": {"labels": {TEAM: OF_TEAM}}},
    }
    return _refused(policy, data, allowed)


def refusals_to_delete(
    policy: Policy,
    deleted: dict[str, Any],
    options: dict[str, Any] | None,
    allowed: str = "nothing",
) -> list[str]:
    """Return why the policy refuses to delete an object with `DeleteOptions`."""
    asked: dict[str, Any] = {
        "operation": "DELETE",
        "namespace": deleted["metadata"]["namespace"],
        "resource": {"resource": f"{deleted['kind'].lower()}s"},
    }
    stated = {} if options is None else {"options": options}
    data = {"object": None, "oldObject": deleted, "request": {**asked, **stated}}
    return _refused(policy, data, allowed)


def _refused(policy: Policy, data: dict[str, Any], allowed: str) -> list[str]:
    return [
        each.get("message") or evaluated(each["messageExpression"], data)
        for each in policy.spec()["validations"]
        if evaluated(_answered(each["expression"], allowed), data) is not True
    ]


def _answered(expression: str, allowed: str) -> str:
    """Return the expression with the answers in the place of its questions."""
    return _QUESTION.sub(lambda asked: str(asked[0] == allowed).lower(), expression)
