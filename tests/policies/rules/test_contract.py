"""What is true of every rule."""

from __future__ import annotations

import copy
import datetime as dt
import pkgutil
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import jsonpatch
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st
from msgspec.structs import replace

import policies.rules
from policies.admission import Effect, Review
from policies.context import Context
from policies.document import Document
from policies.engine import Engine
from policies.finding import Severity
from policies.offer import Offer
from policies.pod import Pod
from policies.rule import Rule
from policies.rules import RULES
from policies.settings import Settings, UnequalGpus

TODAY = dt.date(2026, 11, 21)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from([0.5, "", "0", "1", "8", "0.5", "1Gi", "x", "void", "all", "latest"])
)
NAMES = st.sampled_from(
    [
        *("metadata", "spec", "containers", "initContainers", "name", "image", "resources"),
        *("limits", "requests", "claims", "env", "value", "valueFrom", "volumeMounts", "mountPath"),
        *("volumes", "hostPath", "path", "tolerations", "key", "operator", "effect", "affinity"),
        *("nodeAffinity", "nodeSelectorTerms", "matchExpressions", "values", "labels", "add"),
        *("annotations", "capabilities", "unknown", "nvidia.com/gpu", "memory", "cpu", "app"),
    ]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


Strategy: TypeAlias = st.SearchStrategy[Any]


def _mostly(usual: Strategy) -> Strategy:
    return st.integers(0, 19).flatmap(lambda n: usual if n else ANYTHING)


def _object(always: tuple[str, ...] = (), **members: Strategy) -> Strategy:
    usual = {name: _mostly(member) for name, member in members.items()}
    required = {name: usual.pop(name) for name in always}
    return _mostly(st.fixed_dictionaries(required, optional=usual))


def _list(element: Strategy, least: int = 0) -> Strategy:
    return st.lists(_mostly(element), min_size=least, max_size=3)


AMOUNTS = _mostly(
    st.dictionaries(
        st.sampled_from(
            ["nvidia.com/gpu", "nvidia.com/mig-1g.5gb", "nvidia.com/gpu.shared", "cpu", "memory"]
        ),
        st.sampled_from([0, 1, 8, 9, "1", "2", "0.5", "-1", "x", "64Gi", "1e3"]),
        min_size=1,
        max_size=3,
    )
)
VARIABLE = _object(
    name=st.sampled_from(["NVIDIA_VISIBLE_DEVICES", "LD_PRELOAD", "A"]),
    value=st.sampled_from(["void", "all", ""]),
    valueFrom=ANYTHING,
)
CONTAINER = _object(
    always=("resources",),
    name=st.sampled_from(["train", "log"]),
    image=st.sampled_from(["nginx", "ghcr.io/acme/a:1", "a:latest"]),
    resources=_object(always=("limits",), limits=AMOUNTS, requests=AMOUNTS, claims=_list(ANYTHING)),
    env=_list(VARIABLE),
    volumeMounts=_list(_object(mountPath=st.sampled_from(["/data", "/dev/shm", "/dev/shm/"]))),  # noqa: S108
    securityContext=_object(
        privileged=st.booleans(), capabilities=_object(add=_list(st.just("SYS_ADMIN")))
    ),
    restartPolicy=st.just("Always"),
    unknown=ANYTHING,
)
TERM = _object(
    matchExpressions=_list(
        _object(
            key=st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/pool", "zone"]),
            operator=st.sampled_from(["In", "Exists", "NotIn", "DoesNotExist", "Gt"]),
            values=_list(st.sampled_from(["h100", "t4", "a100-spot"])),
        )
    ),
    matchFields=_list(ANYTHING),
)
SPEC = _object(
    always=("containers",),
    containers=_list(CONTAINER, least=1),
    initContainers=_list(CONTAINER),
    ephemeralContainers=_list(CONTAINER),
    tolerations=_list(
        _object(
            key=st.sampled_from(["nvidia.com/gpu", "gpuplane.io/purchase"]),
            operator=st.sampled_from(["Exists", "Equal", "Gt"]),
            value=st.sampled_from(["present", "spot"]),
            effect=st.sampled_from(["NoSchedule", ""]),
        )
    ),
    volumes=_list(
        _object(
            name=st.sampled_from(["gpuplane-shm", "data"]),
            hostPath=_object(path=st.sampled_from(["/dev/nvidia0", "/data"])),
            image=_object(reference=st.sampled_from(["nginx", "ghcr.io/acme/a:1"])),
        )
    ),
    nodeSelector=st.dictionaries(
        st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/purchase", "zone"]),
        st.sampled_from(["h100", "spot", "a"]),
        max_size=2,
    ),
    affinity=_object(
        nodeAffinity=_object(
            requiredDuringSchedulingIgnoredDuringExecution=_object(nodeSelectorTerms=_list(TERM))
        ),
        podAntiAffinity=ANYTHING,
    ),
    hostIPC=st.booleans(),
    runtimeClassName=st.sampled_from(["nvidia", "gvisor"]),
    priorityClassName=st.sampled_from(["training", "system-node-critical", "other"]),
    priority=st.integers(0, 5),
    resourceClaims=_list(ANYTHING),
    resources=_object(limits=AMOUNTS, requests=AMOUNTS),
    unknown=ANYTHING,
)
METADATA = _object(
    labels=st.dictionaries(
        st.sampled_from(["app", "gpuplane.io/team"]), st.sampled_from(["research", "a"])
    ),
    annotations=st.dictionaries(
        st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/nvlink", "gpuplane.io/fixed"]),
        st.sampled_from(["h100", "h100,t4", "true", "h200"]),
    ),
    unknown=ANYTHING,
)
PODS = st.fixed_dictionaries({"spec": SPEC}, optional={"metadata": METADATA, "unknown": ANYTHING})
NAMESPACES = st.sampled_from(["training", "serving", "plain", "spot", "granted", "foreign"])


@pytest.fixture(scope="session")
def full(settings: Settings) -> Settings:
    """Settings that give every rule something to do."""
    return replace(
        settings,
        registries=("ghcr.io/acme",),
        runtime_class="nvidia",
        unequal_gpus=UnequalGpus.USE_LIMITS,
    )


def _context(settings: Settings, namespace: str) -> Context:
    offer = Offer(settings.pools)
    return Context(settings, offer, namespace, settings.namespaces.get(namespace))


def test_every_module_holds_one_registered_rule_of_its_name() -> None:
    modules = sorted(module.name for module in pkgutil.iter_modules(policies.rules.__path__))
    assert sorted(rule.name.replace("-", "_") for rule in RULES) == modules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.value)
def test_a_summary_is_a_sentence(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert rule.summary[0].isupper()


@given(pod=PODS, namespace=NAMESPACES)
def test_rules_raise_nothing_change_nothing_and_say_whole_sentences(
    full: Settings, pod: Document, namespace: str
) -> None:
    context = _context(full, namespace)
    before = copy.deepcopy(pod)
    for rule in RULES:
        if not rule.concerns(context):
            continue
        first = list(rule.evaluate(Pod(pod, context.offer.names.is_gpu), context))
        assert pod == before
        assert first == list(rule.evaluate(Pod(pod, context.offer.names.is_gpu), context))
        for finding in first:
            assert finding.rule is rule.name
            assert finding.message.endswith(".")
            assert finding.remedy.endswith(".")
            assert bool(finding.fix) is (finding.severity is Severity.FIX)


@examples(max_examples=200)
@given(pod=PODS, namespace=NAMESPACES, fixes=st.booleans())
def test_no_pod_makes_a_rule_or_its_fix_fail(
    full: Settings, pod: Document, namespace: str, fixes: bool
) -> None:
    admission = Engine(full).admit(pod, Review(namespace, TODAY, fixes=fixes))
    assert admission.with_effect(Effect.FAILED) == ()
    assert all(len(warning) < 120 and warning.isprintable() for warning in admission.warnings)
    assert all(key and value for key, value in admission.audit_annotations.items())


@given(pod=PODS, namespace=NAMESPACES)
def test_the_patch_makes_the_pod_after_the_fixes(
    full: Settings, pod: Document, namespace: str
) -> None:
    original = copy.deepcopy(pod)
    admission = Engine(full).admit(pod, Review(namespace, TODAY))
    patch = [operation.to_json() for operation in admission.operations]
    assert jsonpatch.apply_patch(original, patch) == admission.document


@given(pod=PODS, namespace=NAMESPACES)
def test_admitting_the_result_changes_nothing(
    full: Settings, pod: Document, namespace: str
) -> None:
    engine = Engine(full)
    once = engine.admit(pod, Review(namespace, TODAY))
    again = engine.admit(copy.deepcopy(once.document), Review(namespace, TODAY))
    assert again.operations == ()
    assert again.document == once.document


_ORDERS = "\x1b[2J\r\n\u202e\u200b" + "x" * 5000
"""Orders to a terminal, and letters that hide or turn others; too much to be repeated."""
MAX_SAID = 1500
"""Characters of a sentence that names some containers, pools and values."""


def _spoilt(value: Any, spoil: Callable[[str], str]) -> Any:
    """Return the value with its strings spoilt, and the names that anybody may choose."""
    if isinstance(value, dict):
        free = {name: spoil(name) if "/" in name else name for name in value}
        return {free[name]: _spoilt(member, spoil) for name, member in value.items()}
    if isinstance(value, list):
        return [_spoilt(element, spoil) for element in value]
    return spoil(value) if isinstance(value, str) else value


@examples(max_examples=200)
@given(pod=PODS, namespace=NAMESPACES, picks=st.randoms(use_true_random=False))
def test_whatever_a_pod_says_is_repeated_short_and_as_printable_text(
    full: Settings, pod: Document, namespace: str, picks: Random
) -> None:
    spoilt = _spoilt(pod, lambda text: text + _ORDERS if picks.random() < 0.2 else text)
    for operation in ("CREATE", "UPDATE"):
        review = Review(namespace, TODAY, operation=operation, fixes=False)
        admission = Engine(full).admit(copy.deepcopy(spoilt), review)
        said = [str(outcome) for outcome in admission.outcomes]
        said += [finding.culprit for finding in (o.finding for o in admission.outcomes)]
        assert [text for text in said if not text.isprintable() or len(text) > MAX_SAID] == []
        assert all(map(str.isprintable, admission.warnings))
        assert all(map(str.isprintable, admission.audit_annotations.values()))


_REPLACED = ("/spec/priority", "/spec/preemptionPolicy")
"""What the API server computes again from the priority class."""


@given(pod=PODS, namespace=NAMESPACES)
def test_nothing_that_a_pod_says_is_lost(full: Settings, pod: Document, namespace: str) -> None:
    original = copy.deepcopy(pod)
    admission = Engine(full).admit(pod, Review(namespace, TODAY))
    touched = {operation.path for operation in admission.operations}
    lost = set(_lost(original, admission.document, "")) - set(_REPLACED)
    assert not {path for path in lost if not path.startswith(tuple(touched))}


def _lost(before: Any, after: Any, path: str) -> list[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            lost
            for name, member in before.items()
            for lost in _lost(member, after.get(name), _below(path, name))
        ]
    if isinstance(before, list) and isinstance(after, list):
        return [
            lost
            for index, (one, other) in enumerate(zip(before, after, strict=False))
            for lost in _lost(one, other, f"{path}/{index}")
        ]
    return [] if before is None or before == after else [path]


def _below(path: str, name: str) -> str:
    return f"{path}/{name.replace('~', '~0').replace('/', '~1')}"
