"""Custom rules are the same to the API server's policies and to `gpuplane admit`."""

from dataclasses import dataclass

from charts_py.helm.objects import without_nulls
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpus.platform_names import FIXED
from policies.admission import Effect, Review, today
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import custom_rules, fixing, judging
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.policies.custom.agreed import SPACES, pods, settings_with

NOT_EVALUATED = "small-memory cannot be evaluated"


@dataclass(frozen=True)
class Outcome:
    denial: str
    """The first rule that denies it; empty where it is admitted."""
    warnings: frozenset[str]
    pod: object
    """None where it is denied."""


def _said(text: str) -> str:
    """Return what is told; each has its own words for a rule that cannot be evaluated."""
    is_error = "small-memory: The rule could" in text or "resulted in error" in text
    return NOT_EVALUATED if is_error else text


def _by_api_server(admin: ApiClient, pod: Document) -> Outcome:
    decision = decide(admin, pod)
    assert not decision.refusal, decision.refusal
    if decision.denial:
        return Outcome(_said(decision.denial), frozenset(), None)
    return Outcome("", frozenset(map(_said, decision.warnings)), _named_in_any_order(decision.pod))


def _named_in_any_order(pod: Document | None) -> Document:
    """Sort the rules that have fixed a pod: it is left open which policy comes first."""
    assert pod is not None
    annotations = dict(pod["annotations"])
    if FIXED in annotations:
        annotations[FIXED] = ",".join(sorted(annotations[FIXED].split(",")))
    return {**pod, "annotations": annotations}


def _wait_until_known(admin: ApiClient) -> None:
    """Try pods until the API server, which reads of policies late, denies, warns and fixes."""
    wrong = next(pod for pod in pods() if pod["spec"]["hostNetwork"])
    right = next(pod for pod in pods() if _is_refused_unfixed_alone(pod))
    sent = (_in("enforced", wrong), _in("warned", wrong), _in("enforced", right))
    once_seen(
        lambda: [decide(admin, each) for each in sent],
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


def test_the_api_server_and_admit_enforce_custom_rules_alike(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    settings = settings_with(policy_settings(platforms["training"]))
    engine = Engine(settings)
    sent = [_in(space, pod) for space in SPACES for pod in pods()]
    with applied(admin, [namespace(each) for each in SPACES]):
        expected = [_by_rules(admin, engine, pod) for pod in sent]
        policies = [*judging(settings), *fixing(settings), *custom_rules(settings)]
        with applied(admin, policies):
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
        "Custom rules, in CEL, decide alike in the API server's policies and in gpuplane admit, "
        "by mode and exception.",
        f"{len(found)} pods alike: {denied} denied, {warned} with warnings, {fixed} labelled.",
    )


def _by_rules(admin: ApiClient, engine: Engine, pod: Document) -> Outcome:
    """Return what `admit` decides; of several denials the API server tells the first."""
    review = Review(pod["metadata"]["namespace"], today())
    judged = admit_manifest(engine, copied(pod), review)
    outcomes = list(judged.outcomes)
    denials = [_said(str(o.finding)) for o in outcomes if o.effect is Effect.DENIED]
    if denials:
        return Outcome(denials[0], frozenset(), None)
    warnings = frozenset(_said(str(o.finding)) for o in outcomes if o.effect is Effect.WARNED)
    made = decide(admin, judged.document).pod
    return Outcome("", warnings, _named_in_any_order(made))
