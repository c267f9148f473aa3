"""What judging a pod takes grows in proportion to the pod, however hostile it is.

Nothing here measures time: bytes and operations are the same on every machine.
"""

import copy
import datetime as dt
import json
import tracemalloc
from collections.abc import Callable
from typing import TypeAlias

import pytest

from policies.admission import Admission, Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.excess import MAX_OPERATIONS, MAX_PATCH_LENGTH, length_of
from policies.limits import MAX_CONTAINERS
from policies.settings import Settings
from tests.policies.hostile_pods import HOSTILE

Make: TypeAlias = Callable[[int], Document]
_FEW, _TIMES = 100, 8
_THOUSANDS = 2**11
_MOST_BYTES = 50
"""For each byte of a pod: as much as one of a few megabytes may take."""
_NOISE_BYTES = 2**18
"""What a table that grows, or code that runs first, takes at once: kilobytes, where the faults that
this is for take hundreds of megabytes."""
_CREATE = Review("granted", dt.date(2026, 11, 21))
_VALIDATE = Review("granted", dt.date(2026, 11, 21), fixes=False)


def _peak(engine: Engine, pod: Document, review: Review) -> int:
    """Return the most bytes that were in use at once while the pod was judged, which changes it."""
    tracemalloc.start()
    engine.admit(pod, review)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _length(admission: Admission) -> int:
    """Return the characters of all that is sent, logged or counted of the decision."""
    patch = [operation.to_json() for operation in admission.operations]
    return len(json.dumps(patch)) + sum(len(str(outcome)) for outcome in admission.outcomes)


@pytest.mark.parametrize("review", [_CREATE, _VALIDATE], ids=["mutate", "validate"])
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_memory_grows_no_faster_than_the_pod_and_is_at_most_fifty_times_it(
    settings: Settings, make: Make, review: Review
) -> None:
    engine = Engine(settings)
    _peak(engine, make(1), review)  # fills the caches
    pod = make(_THOUSANDS)
    stated = len(json.dumps(pod, separators=(",", ":")))
    few, many = (_peak(engine, each, review) for each in (make(_THOUSANDS // _TIMES), pod))
    assert many <= few * _TIMES * 1.5 + _NOISE_BYTES
    assert many <= _MOST_BYTES * stated + _NOISE_BYTES


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_no_rule_makes_more_operations_than_it_may(settings: Settings, make: Make) -> None:
    admission = Engine(settings).admit(make(MAX_OPERATIONS + 1), _CREATE)
    fixes: dict[str, int] = {}
    for finding in admission.with_effect(Effect.FIXED):
        fixes[finding.rule] = fixes.get(finding.rule, 0) + len(finding.fix)
    assert all(count <= MAX_OPERATIONS for count in fixes.values()), fixes


@pytest.mark.parametrize("review", [_CREATE, _VALIDATE], ids=["mutate", "validate"])
@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_decision_is_in_proportion_to_the_pod(
    settings: Settings, make: Make, review: Review
) -> None:
    pod = make(_FEW * _TIMES)
    admission = Engine(settings).admit(copy.deepcopy(pod), review)
    # A finding on each container takes a few sentences, whatever the container says.
    assert _length(admission) <= 10 * len(json.dumps(pod)) + 10_000


def _asking(name: str = "train") -> Document:
    return {"name": name, "resources": {"limits": {"nvidia.com/gpu": 1, "memory": 2**30}}}


def _beside(count: int) -> Document:
    """A pod of one container with a GPU, and others that rules close, one operation each."""
    return {"spec": {"containers": [_asking(), *({"name": f"c{n}"} for n in range(count))]}}


def _requesting(count: int) -> Document:
    """A pod whose requests of GPU resources lack their limits, an operation each."""
    requests = {f"nvidia.com/gpu.{number}": 1 for number in range(count)}
    resources = {"requests": requests, "limits": {"cpu": 1}}
    return {"spec": {"containers": [{"name": "train", "resources": resources}]}}


def _long_requests(count: int) -> Document:
    """The same, but few of them, with long names."""
    requests = {f"nvidia.com/gpu.{number}{'x' * 2**13}": 1 for number in range(count)}
    resources = {"requests": requests, "limits": {"cpu": 1}}
    return {"spec": {"containers": [{"name": "train", "resources": resources}]}}


ABOVE = {
    "operations": (_requesting(MAX_OPERATIONS + 1), "gpu-requests-equal-limits"),
    "length": (_long_requests(2**5), "gpu-requests-equal-limits"),
}
REFUSED = (
    "To be fixed, the pod needs more than 1024 changes, or more than 256 KiB of them. Split it "
    "into several pods, or write into it what is missing."
)


@pytest.mark.parametrize(("pod", "rule"), ABOVE.values(), ids=ABOVE)
def test_what_is_too_much_to_fix_is_not_fixed_at_all_and_denied(
    settings: Settings, pod: Document, rule: str
) -> None:
    engine, sent = Engine(settings), copy.deepcopy(pod)
    mutated = engine.admit(sent, _CREATE)
    assert (sent, mutated.operations, mutated.with_effect(Effect.FIXED)) == (pod, (), ())
    validated = engine.admit(sent, _VALIDATE)
    assert sent == pod
    assert str(validated.denials[0]) == f"{rule}: {REFUSED}"


@pytest.mark.parametrize(
    "pod",
    [_beside(MAX_CONTAINERS - 1), _requesting(MAX_OPERATIONS - 20)],
    ids=["containers", "operations"],
)
def test_what_is_not_too_much_is_fixed(settings: Settings, pod: Document) -> None:
    engine = Engine(settings)
    assert len(engine.admit(pod, _CREATE).operations) >= MAX_CONTAINERS - 1
    validated = engine.admit(pod, _VALIDATE)
    assert [o for o in validated.outcomes if REFUSED in str(o) or o.finding.fix] == []


def test_fixes_of_several_rules_are_too_much_together(settings: Settings) -> None:
    pod = _requesting(MAX_OPERATIONS - 1)
    admission = Engine(settings).admit(pod, _CREATE)
    assert (admission.operations, pod) == ((), _requesting(MAX_OPERATIONS - 1))
    assert [str(finding) for finding in admission.denials] == [f"shared-memory: {REFUSED}"]


@pytest.mark.parametrize("make", HOSTILE, ids=lambda make: make.__name__)
def test_a_pod_is_fixed_within_bounds_or_denied(settings: Settings, make: Make) -> None:
    engine = Engine(settings)
    for count in (_FEW, MAX_OPERATIONS + 1):
        pod = make(count)
        mutated = engine.admit(pod, _CREATE)
        assert len(mutated.operations) <= MAX_OPERATIONS + 1
        assert length_of(mutated.operations) <= 2 * MAX_PATCH_LENGTH
        validated = engine.admit(pod, _VALIDATE)
        left = [o.finding for o in validated.outcomes if o.finding.fix]
        assert not left or not validated.allowed


def test_the_names_of_namespaces_are_not_kept(settings: Settings) -> None:
    engine = Engine(settings)

    def judge(numbers: range) -> None:
        for number in numbers:
            name = str(number) * _NOISE_BYTES
            engine.admit({"spec": {}}, Review(name, dt.date(2026, 11, 21)))

    judge(range(1))  # fills the caches
    tracemalloc.start()
    judge(range(_FEW))
    kept = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert kept < _NOISE_BYTES
