"""Which objects a policy of the API server is about.

https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from charts_py.objects.document import Document
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpuplane.label_selector import selects
from gpus.platform_names import TEAM
from policies.document import Json, elements, members, text


class BoundPolicy(NamedTuple):
    name: str
    spec: Mapping[str, Json]
    binding: Mapping[str, Json]


def concerns_request(
    bound: BoundPolicy, request: Mapping[str, Any], labels: Mapping[str, str]
) -> bool:
    """Whether a policy looks at a request in a namespace with some labels, for some objects."""
    constraints, narrowed = _matches(bound)
    return (
        "paramKind" not in bound.spec
        and _has_rule(constraints, "resourceRules", request)
        and all(
            selects(members(each.get("namespaceSelector")), labels, {TEAM, NAMESPACE_NAME_LABEL})
            and not _has_rule(each, "excludeResourceRules", request)
            and (not each.get("resourceRules") or _has_rule(each, "resourceRules", request))
            for each in (constraints, narrowed)
        )
    )


def concerns_object(bound: BoundPolicy, one: Document) -> bool:
    """Whether a policy looks at an object, where it looks at the request to create it."""
    labels = members(members(one.get("metadata")).get("labels"))
    return all(selects(members(each.get("objectSelector")), labels) for each in _matches(bound))


def names_objects(bound: BoundPolicy) -> bool:
    """Whether a policy tells objects apart by their names."""
    return "resourceNames" in repr(bound)


def _matches(bound: BoundPolicy) -> tuple[Mapping[str, Json], Mapping[str, Json]]:
    matches = bound.spec.get("matchConstraints"), bound.binding.get("matchResources")
    return members(matches[0]), members(matches[1])


def reads_version(bound: BoundPolicy, request: Mapping[str, Any]) -> bool:
    """Whether a policy reads an object in the version of a request, and not converted."""
    exact = {**members(bound.spec.get("matchConstraints")), "matchPolicy": "Exact"}
    return _has_rule(exact, "resourceRules", request)


def _has_rule(of: Mapping[str, Json], name: str, request: Mapping[str, Any]) -> bool:
    """Whether one of the rules is about a request, or about the same in another version."""
    is_exact = of.get("matchPolicy") == "Exact"
    rules = map(members, elements(of.get(name)))
    return any(_is_about(rule, request, is_exact=is_exact) for rule in rules)


def _is_about(rule: Mapping[str, Json], request: Mapping[str, Any], *, is_exact: bool) -> bool:
    asked, names = request["resource"], elements(rule.get("resourceNames"))
    wanted = {"apiGroups": asked["group"], "operations": request["operation"]}
    if is_exact:
        wanted["apiVersions"] = asked["version"]
    resources = (text(each).partition("/") for each in elements(rule.get("resources")))
    return (
        all({"*", value} & {*map(text, elements(rule.get(key)))} for key, value in wanted.items())
        and any(one in ("*", asked["resource"]) and of in ("", "*") for one, _, of in resources)
        and (not names or request["name"] in names)
    )
