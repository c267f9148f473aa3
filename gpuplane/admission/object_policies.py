"""The API server's policies on objects, evaluated as they are rendered.

They judge what somebody with a team's rights creates: the questions of
https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-authorizer-library are about
controllers, and are evaluated as denied. Of the pods that controllers make, nothing is judged that
asks who creates them, or reads what the API server fills in (`SetDefaults_PodSpec` in
https://github.com/kubernetes/kubernetes, pkg/apis/core/v1/defaults.go at v1.37.1, and its plugins).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from charts_py.objects.document import Document
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpuplane.admission.policy_scope import (
    BoundPolicy,
    concerns_object,
    concerns_request,
    names_objects,
    reads_version,
)
from gpus.platform_names import TEAM
from policies.admission import Effect
from policies.custom.expressions import (
    MAX_MEMBERS,
    EvaluationError,
    Expressions,
    Function,
    extension_of,
    most_members,
)
from policies.document import Json, elements, escaped, members, name_of, text, value_at
from policies.manifest_admission import PodAdmission
from policies.manifest_pod import ManifestPod
from policies.operation import apply, copied
from policies.settings import Settings, kind_of
from policies.workloads.job_priority import known
from policies.workloads.pod_replacement import JOB, replacement_fix

_POLICY, _BINDING = "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"
_NOT_OF_TEMPLATES = re.compile(
    r"\b(authorizer|userInfo|ownerReferences|generateName|metadata\.name|dnsPolicy|resources|priority"
    r"|enableServiceLinks|imagePullPolicy|preemptionPolicy|restartPolicy|schedulerName"
    r"|serviceAccount(Name)?|terminationGracePeriodSeconds|terminationMessage\w+)\b"
)
_VARIABLES = (
    *("object", "oldObject", "request", "namespaceObject", "authorizer", "variables", "params"),
)
_EFFECTS = {"Deny": Effect.DENIED, "Warn": Effect.WARNED}
_ASKED = ("group", "resource", "subresource", "namespace", "name", "check", "serviceAccount")
_NO_RIGHTS = (
    *(Function(name, [("DYN", ["DYN", "STRING"])], lambda asked, _: asked) for name in _ASKED),
    Function("allowed", [("BOOL", ["DYN"])], lambda _: False),
)
_READ = re.compile(r"""\bobject((?:\.\??\w+|\[\??["'][^"']+["']\])+)""")
_STEP = re.compile(r"""\.\??(\w+)|\[\??["']([^"']+)["']\]""")


class PolicyFinding(NamedTuple):
    policy: str
    pointer: str
    """JSON Pointer from the object to a field that the policy reads."""
    message: str
    """In the words of the policy, as a sentence."""
    effect: Effect
    """Warned, also of what cannot be judged; audited where an API server may well do so."""


class ObjectPolicies:
    """The policies of a cluster on objects, with what they must know of its namespaces."""

    def __init__(
        self, documents: Sequence[Document] = (), settings: Settings | None = None
    ) -> None:
        specs = {
            name_of(each): members(each.get("spec")) for each in documents if _is(each, _POLICY)
        }
        bindings = [members(each.get("spec")) for each in documents if _is(each, _BINDING)]
        named = ((text(each.get("policyName")), each) for each in bindings)
        self._bound = [
            BoundPolicy(name, specs[name], each) for name, each in named if name in specs
        ]
        self._names_objects = any(map(names_objects, self._bound))
        self._concerned: dict[tuple[str, ...], list[BoundPolicy]] = {}
        self._teams = {
            name: each.team for name, each in (settings.namespaces if settings else {}).items()
        }

    def concerning(self, one: Document, namespace: str) -> list[BoundPolicy]:
        """Return the policies that look at the creation of an object in a namespace."""
        name = name_of(one) if self._names_objects else ""
        key = text(one.get("apiVersion")), text(one.get("kind")), namespace, name
        if (found := self._concerned.get(key)) is None:
            labels, request = self._labels(namespace), _request(one, namespace)
            found = [each for each in self._bound if concerns_request(each, request, labels)]
            self._concerned[key] = found
        return [each for each in found if concerns_object(each, one)]

    def _labels(self, namespace: str) -> dict[str, str]:
        labels = {NAMESPACE_NAME_LABEL: namespace}
        if namespace in self._teams:
            labels[TEAM] = self._teams[namespace]
        return labels

    def findings(
        self, one: Document, namespace: str, *, of_template: bool = False
    ) -> Iterator[PolicyFinding]:
        """Yield what refuses or warns of the creation of an object, or a pod, in a namespace."""
        if not (bound := self.concerning(one, namespace)):
            return
        data: dict[str, Any] = {
            **dict.fromkeys(_VARIABLES),
            "object": _mutated(_sent(one, namespace)),
            "request": _request(one, namespace),
            "namespaceObject": {"metadata": {"name": namespace, "labels": self._labels(namespace)}},
            "authorizer": "",
        }
        most = most_members(data["object"])
        for each in bound:
            yield from _judged(each, data, most, of_template=of_template)

    def of_pods(self, pods: Iterable[PodAdmission]) -> Iterator[tuple[ManifestPod, PolicyFinding]]:
        """Yield what refuses or warns of the pods of whole templates, as admission leaves them."""
        for each in pods:
            pod, admitted = each.pod, each.admission.document
            if pod.source is None and pod.kind != "Pod":
                for found in self.findings(admitted, pod.namespace, of_template=True):
                    yield pod, found


NO_POLICIES = ObjectPolicies()


def _is(document: Document, kind: str) -> bool:
    group, _, _ = text(document.get("apiVersion")).partition("/")
    return group == "admissionregistration.k8s.io" and document.get("kind") == kind


def _sent(one: Document, namespace: str) -> Document:
    """Return an object with what the API server notes on it: its namespace, and who set a field."""
    metadata = members(one.get("metadata"))
    fields: dict[str, Json] = {
        f"f:{name}": {f"f:{key}": {} for key in members(metadata.get(name))}
        for name in ("annotations", "labels")
    }
    managed = [{"operation": "Update", "fieldsV1": {"f:metadata": fields}}]
    return {**one, "metadata": {**metadata, "namespace": namespace, "managedFields": managed}}


def _mutated(one: Document) -> Document:
    """Return an object as admission leaves it before these policies judge it."""
    if kind_of(one) != JOB or not (fix := replacement_fix(one)):
        return one
    job: Document = copied(one)
    apply(job, fix)
    return job


def _request(one: Document, namespace: str) -> dict[str, Any]:
    kind = kind_of(one)
    version = text(one.get("apiVersion")).rpartition("/")[2]
    return {
        "operation": "CREATE",
        "namespace": namespace,
        "name": text(members(one.get("metadata")).get("name")),
        "resource": {"group": kind.group, "version": version, "resource": known(kind).resource},
        "kind": {"group": kind.group, "version": version, "kind": kind.kind},
        "userInfo": {"username": "", "groups": []},
        "options": {},
    }


@cache
def _expressions() -> Expressions:
    return Expressions(_VARIABLES, [extension_of("authorizer", _NO_RIGHTS)])


@cache
def _compiled(expression: str) -> Any:
    """Return what evaluates it; None where it calls what is not known here."""
    try:
        return _expressions().compile(expression)
    except Exception:  # the evaluator documents no types
        return None


def _value(expression: Json, data: Mapping[str, Any]) -> Any:
    """Return its value, or why it has none."""
    try:
        return _expressions().value(_compiled(text(expression)), data)
    except EvaluationError as error:
        return error


def _unknown(bound: BoundPolicy, why: str, effect: Effect = Effect.AUDITED) -> PolicyFinding:
    told = f"what it says of this is not known here, since {why}."
    return PolicyFinding(bound.name, "", told, effect)


def _judged(
    bound: BoundPolicy, data: dict[str, Any], most: int, *, of_template: bool
) -> Iterator[PolicyFinding]:
    parts = [
        [*map(members, elements(bound.spec.get(name)))]
        for name in ("variables", "matchConditions", "validations")
    ]
    if of_template:
        *others, parts[2] = (
            [each for each in part if not _NOT_OF_TEMPLATES.search(text(each.get("expression")))]
            for part in parts
        )
        if others != parts[:2]:
            return
    actions = {*map(text, elements(bound.binding.get("validationActions")))}
    effect = next((_EFFECTS[each] for each in _EFFECTS if each in actions), None)
    if effect is None:
        return
    if any(_compiled(text(each.get("expression"))) is None for part in parts for each in part):
        yield _unknown(bound, "it calls what gpuplane lacks")
    elif most > MAX_MEMBERS:
        why = f"something in it has {most} members, and is evaluated with up to {MAX_MEMBERS}"
        yield _unknown(bound, why, Effect.WARNED)
    elif not reads_version(bound, data["request"]):
        yield _unknown(bound, "it reads another version of this, which an API server converts")
    else:
        yield from _evaluated(bound, parts, data, effect)


def _evaluated(
    bound: BoundPolicy,
    parts: Sequence[Sequence[Mapping[str, Json]]],
    data: dict[str, Any],
    effect: Effect,
) -> Iterator[PolicyFinding]:
    variables, conditions, validations = parts
    data["variables"] = {}
    for each in variables:
        # What reads one without a value has none either.
        if type(value := _value(each.get("expression"), data)) is not EvaluationError:
            data["variables"][text(each.get("name"))] = value
    values = [_value(each.get("expression"), data) for each in conditions]
    if any(each is False for each in values):
        return
    problems = [each for each in values if type(each) is EvaluationError]
    for each in () if problems else validations:
        value = _value(expression := text(each.get("expression")), data)
        if type(value) is EvaluationError:
            problems.append(value)
        elif value is not True:
            computed = text(_value(each.get("messageExpression"), data)).strip()
            message = computed or text(each.get("message")) or f"it fails {expression}"
            place = _place(expression, data["object"])
            yield PolicyFinding(bound.name, place, f"{message.removesuffix('.')}.", effect)
    for problem in problems[:1]:
        refuses = effect is Effect.DENIED and bound.spec.get("failurePolicy") != "Ignore"
        ends = "; an API server that cannot either refuses the object" if refuses else ""
        told = Effect.AUDITED if "Key not found" in str(problem) else Effect.WARNED
        yield _unknown(bound, f"it cannot be evaluated ({problem}){ends}", told)


def _place(expression: str, one: Document) -> str:
    """Return the deepest field of the object that an expression reads."""
    found: list[list[str]] = [[]]
    for match in _READ.finditer(expression):
        steps = [name or key for name, key in _STEP.findall(match[1])]
        while steps and value_at(one, steps, missing=_place) is _place:
            steps.pop()
        found.append(steps)
    deepest = max(found, key=len)
    return "".join(f"/{escaped(each)}" for each in deepest)
