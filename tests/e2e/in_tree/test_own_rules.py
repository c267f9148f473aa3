"""Rules of a platform team's own are the same to the API server alone, the webhook and `admit`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.mode import Mode
from policies.rule_name import RuleName
from policies.settings import RuleException, Settings
from policies.settings_json import read_settings, write_settings
from policies.settings_own_rule import OwnAudience, OwnRule, OwnSeverity
from policies.today import today
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.in_force import once_seen
from tests.e2e.in_tree.policies import fixing, judging
from tests.e2e.in_tree.valid_pod import without_nulls
from tests.e2e.releases.objects import applied, namespace
from webhook.admission_round import admission_round, creation_of
from webhook.reviewer import Reviewer

SPACES = ("enforced", "warned", "audited", "off", "excepted")
LABELS = "object.metadata.?labels.orValue({})"
ALL = OwnAudience.ALL_PODS
OWN = (
    OwnRule(
        "no-host-network",
        "!object.spec.?hostNetwork.orValue(false) // spec.object. is no field, isn't it",
        message='The pod uses the network of its node: leave out "object.spec.hostNetwork".',
        audience=ALL,
    ),
    OwnRule(
        "few-containers",
        "size(object.spec.containers) <= 2",
        message_expression='"The pod " + object.metadata.name + " has "'
        ' + object.spec.containers.map(each, each.name).join(", ") + "."',
        severity=OwnSeverity.WARN,
        audience=ALL,
    ),
    OwnRule(
        "small-memory",
        "object.spec.containers.all(each,"
        " quantity(string(each.resources.limits.memory)).isLessThan(quantity('10Gi')))",
        message="The containers of the pod have 10Gi of memory or more.",
        audience=ALL,
    ),
    OwnRule(
        "data-class",
        f'"example.com/data-class" in {LABELS}',
        message="The pod has no label example.com/data-class.",
        audience=ALL,
        apply="has(object.metadata.labels)"
        ' ? [{"op": "add", "path": "/metadata/labels/example.com~1data-class",'
        ' "value": request.namespace}]'
        ' : [{"op": dyn("add"), "path": dyn("/metadata/labels"),'
        ' "value": dyn({"example.com/data-class": request.namespace})}]',
    ),
    OwnRule(
        "grace",
        "object.spec.?terminationGracePeriodSeconds.orValue(30) != 7"
        f' || {LABELS}[?"example.com/data-class"].orValue("") == ""',
        message="The pod ends after 7 seconds.",
        severity=OwnSeverity.WARN,
        apply='[{"op": dyn("replace"), "path": dyn("/spec/terminationGracePeriodSeconds"),'
        ' "value": dyn(8)}]',
    ),
)
IMAGE = "registry.example.com/train:1.4"


def _settings(platform: Platform) -> Settings:
    names = [own.name for own in OWN]
    base = policy_settings(platform)
    some = next(iter(base.namespaces.values()))
    stated = {"warned": Mode.WARN, "audited": Mode.AUDIT, "off": Mode.OFF}
    return read_settings(
        write_settings(
            replace(
                base,
                mode=Mode.OFF,
                modes={RuleName.TOLERATIONS: Mode.ENFORCE} | dict.fromkeys(names, Mode.ENFORCE),
                namespaces={
                    each: replace(some, modes=dict.fromkeys(names, stated[each]))
                    for each in SPACES
                    if each in stated
                },
                exceptions=tuple(
                    RuleException(name, "excepted", "they move", "a@b.c", dt.date(2099, 1, 1))
                    for name in names
                ),
                own=OWN,
            )
        )
    )


def _pods() -> Iterator[Document]:
    """Yield pods that break none, some and all of the rules."""
    labels: tuple[Document, ...] = ({}, {"app": "a"}, {"example.com/data-class": "secret"})
    memories = ("1Gi", "10Gi", "10737418239", "20480Mi", None)
    for number, (label, memory, network, gpus, containers, grace) in enumerate(
        product(labels, memories, (False, True), (0, 1), (1, 3), (7, 30))
    ):
        amounts = {"nvidia.com/gpu": str(gpus), "memory": memory}
        limits = {name: amount for name, amount in amounts.items() if amount not in ("0", None)}
        yield {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", **({"labels": label} if label else {})},
            "spec": {
                "automountServiceAccountToken": False,
                "hostNetwork": network,
                "terminationGracePeriodSeconds": grace,
                "tolerations": [],
                "containers": [
                    {
                        "name": f"c{at}",
                        "image": IMAGE,
                        "resources": {"limits": limits if at == 0 else {"memory": memory}}
                        if memory or (gpus and at == 0)
                        else {},
                    }
                    for at in range(containers)
                ],
            },
        }


@dataclass(frozen=True)
class Outcome:
    """What becomes of a pod."""

    denial: str
    """Empty where it is admitted."""
    warnings: frozenset[str]
    pod: object
    """None where it is denied."""


def _said(denial: str) -> str:
    """Return what is told; in the words of each, where a rule could not be evaluated."""
    return (
        "not evaluated"
        if "small-memory: The rule could" in denial or "small_m" in denial
        else denial
    )


def _by_api_server(admin: ApiClient, pod: Document) -> Outcome:
    decision = decide(admin, pod)
    assert not decision.refusal, decision.refusal
    if decision.denial:
        return Outcome(_said(decision.denial), frozenset(), None)
    warnings = frozenset(_said(each) for each in decision.warnings)
    return Outcome("", warnings, decision.pod)


def _wait_until_known(admin: ApiClient) -> None:
    """Try pods until the API server, which reads of policies late, denies, warns and fixes."""
    wrong = next(pod for pod in _pods() if pod["spec"]["hostNetwork"])
    right = next(pod for pod in _pods() if _is_refused_unfixed_alone(pod))
    pods = (_in("enforced", wrong), _in("warned", wrong), _in("enforced", right))
    once_seen(
        lambda: [decide(admin, each) for each in pods],
        lambda found: found[0].denial and found[1].warnings and not found[2].denial,
    )


def _is_refused_unfixed_alone(pod: Document) -> bool:
    spec = pod["spec"]
    limits = spec["containers"][0]["resources"].get("limits", {})
    return not spec["hostNetwork"] and limits.get("memory") == "1Gi"


def _in(space: str, pod: Document) -> Document:
    sent: Document = without_nulls(copied(pod))
    sent["metadata"]["namespace"] = space
    return sent


def test_the_api_server_the_webhook_and_admit_enforce_own_rules_alike(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    settings = _settings(platforms["training"])
    engine, reviewer = Engine(settings), Reviewer(settings)
    sent = [_in(space, pod) for space in SPACES for pod in _pods()]
    with applied(admin, [namespace(each) for each in SPACES]):
        expected = [_by_rules(admin, engine, reviewer, pod) for pod in sent]
        with applied(admin, [*judging(settings), *fixing(settings)]):
            _wait_until_known(admin)
            found = [_by_api_server(admin, pod) for pod in sent]
    different = [
        (pod, one, other)
        for pod, one, other in zip(sent, found, expected, strict=True)
        if one != other
    ]
    assert different == []
    denied = sum(bool(each.denial) for each in found)
    warned = sum(bool(each.warnings) for each in found)
    fixed = sum(FIXED in str(each.pod) for each in found)
    assert min(denied, warned, len(found) - denied) > 50
    assert fixed > 20
    evidence.show(
        "Rules of a platform team's own, in CEL, decide alike in the API server's policies alone, "
        "in the webhook and in gpuplane admit, by mode and exception.",
        f"{len(found)} pods alike: {denied} denied, {warned} with warnings, {fixed} labelled.",
    )


def _by_rules(admin: ApiClient, engine: Engine, reviewer: Reviewer, pod: Document) -> Outcome:
    """Return what the webhook decides, which is what `admit` decides."""
    space = pod["metadata"]["namespace"]
    linted = admit_manifest(engine, copied(pod), Review(space, today()))
    judged = admission_round(reviewer, creation_of(pod, space))
    assert (linted.allowed, linted.document) == (judged.allowed, judged.document)
    outcomes = [each for each in judged.outcomes if each.effect is not Effect.AUDITED]
    denial = " ".join(str(o.finding) for o in outcomes if o.effect is Effect.DENIED)
    warnings = " ".join(str(o.finding) for o in outcomes if o.effect is Effect.WARNED)
    if denial:
        return Outcome(_said(denial), frozenset(), None)
    made = decide(admin, judged.document).pod
    assert made is not None, pod
    return Outcome("", frozenset({_said(warnings)} if warnings else ()), made)
