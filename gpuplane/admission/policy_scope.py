"""Which objects a policy of the API server is about.

https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from charts_py.objects.document import Document
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpus.platform_names import TEAM
from policies.document import Json, elements, members, text


class BoundPolicy(NamedTuple):
    """A policy, with a binding that gives it effect."""

    name: str
    spec: Mapping[str, Json]
    binding: Mapping[str, Json]


def concerns(
    bound: BoundPolicy, one: Document, request: Mapping[str, Any], labels: Mapping[str, str]
) -> bool:
    own = members(members(one.get("metadata")).get("labels"))
    matches = bound.spec.get("matchConstraints"), bound.binding.get("matchResources")
    constraints, narrowed = map(members, matches)
    return (
        "paramKind" not in bound.spec
        and _has_rule(constraints.get("resourceRules"), request)
        and all(
            selects(members(each.get("namespaceSelector")), labels, {TEAM, NAMESPACE_NAME_LABEL})
            and selects(members(each.get("objectSelector")), own)
            and not _has_rule(each.get("excludeResourceRules"), request)
            and ("resourceRules" not in each or _has_rule(each["resourceRules"], request))
            for each in (constraints, narrowed)
        )
    )


def _has_rule(rules: Json, request: Mapping[str, Any]) -> bool:
    asked = request["resource"]
    wanted = {
        "apiGroups": asked["group"],
        "apiVersions": asked["version"],
        "operations": request["operation"],
        "resources": asked["resource"],
    }
    return any(
        all({"*", value} & {*map(text, elements(rule.get(name)))} for name, value in wanted.items())
        for rule in map(members, elements(rules))
    )


def selects(
    selector: Mapping[str, Json], labels: Mapping[str, Json], known_keys: set[str] | None = None
) -> bool:
    """Whether a selector selects labels; no one does that reads keys which are not known here."""
    labelled = members(selector.get("matchLabels")).items()
    expressions = map(members, elements(selector.get("matchExpressions")))
    stated = [
        *((key, "In", [value]) for key, value in labelled),
        *(
            (text(e.get("key")), text(e.get("operator")), elements(e.get("values")))
            for e in expressions
        ),
    ]
    return all(
        (known_keys is None or key in known_keys)
        and {
            "In": labels.get(key) in values,
            "NotIn": labels.get(key) not in values,
            "Exists": key in labels,
            "DoesNotExist": key not in labels,
        }.get(operator, False)
        for key, operator, values in stated
    )
