"""What rules fix, and what they advise, leads to nothing that another rule refuses."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from benchmarks.corpus import CLUSTERS, example_clusters
from gpuplane.admission.loaded_rules import cluster_engine
from gpus.platform_names import PURCHASE
from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.finding import Finding
from policies.manifest_admission import admit_pod
from policies.operation import copied
from policies.rule_name import RuleName
from policies.rules import granted_pools, node_affinity
from policies.settings import Settings
from tests.gpuplane.lint.faults import FAULTS, object_of, pod_with
from tests.policies.conftest import LABELLED_QUEUES, QUEUES, SETTINGS, TODAY
from tests.policies.generated_pods import NAMESPACES, WRITTEN_PODS
from tests.policies.in_cel.varied_pods import varied_pods

ROUNDS = 4
"""Too many GPUs hide what else is too much, and that hides which GPUs are stranded."""
_AMOUNT = re.compile(r"Ask for (?:at most )?(?P<most>[0-9]+[A-Za-z]*)(?: of \S+?)?(?:[,.]| GPUs)")
_MORE = re.compile(r"or for (?P<gpus>[0-9]+) GPUs\.")
_RESOURCE = re.compile(r"asks for (?:more |[0-9]+ of )(?P<name>\S+?),? ")


@cache
def _engines() -> tuple[Engine, ...]:
    examples = (cluster_engine(CLUSTERS, name).settings for name in example_clusters())
    return tuple(Engine(each) for each in examples)


@given(data=st.data())
def test_what_is_advised_of_amounts_is_never_refused(data: st.DataObject) -> None:
    engine = data.draw(st.sampled_from(_engines()))
    settings = engine.settings
    namespace = data.draw(st.sampled_from(sorted(settings.namespaces)))
    pod, gpus = _asking(data, settings, namespace)
    limits = pod["spec"]["containers"][0]["resources"]["limits"]
    seen = []
    for _ in range(ROUNDS):
        findings = list(_of_amounts(engine, pod, namespace))
        seen.append((dict(limits), [str(each) for each in findings]))
        if not findings:
            return
        for finding in findings:
            resource, amount = _advised(data, finding, gpus)
            limits[resource] = amount
    pytest.fail(f"following the advice never ends: {seen}")


def _asking(data: st.DataObject, settings: Settings, namespace: str) -> tuple[Document, str]:
    granted = settings.namespaces[namespace].pools or ()
    pools = [pool for pool in settings.pools if pool.name in granted]
    pool = data.draw(st.sampled_from(pools))
    resource = data.draw(st.sampled_from(pool.resources))
    limits: dict[str, Any] = {resource.name: data.draw(st.integers(1, 2 * resource.per_node))}
    if data.draw(st.booleans()):
        limits["cpu"] = f"{data.draw(st.integers(1, 2500 * pool.cpu))}m"
    if data.draw(st.booleans()):
        limits["memory"] = data.draw(st.integers(2**30, 2 * pool.memory))
    for name in pool.others:
        limits[name] = data.draw(st.integers(0, 64))
    image = f"{(settings.registries or ('registry.example.com/',))[0]}train:1.4"
    train = {"name": "train", "image": image, "resources": {"limits": limits}}
    metadata = {"name": "pod", "annotations": {PURCHASE: "spot"}}
    return {"metadata": metadata, "spec": {"containers": [train]}}, resource.name


def _of_amounts(engine: Engine, pod: Document, namespace: str) -> Iterator[Finding]:
    """Yield what is found of a pod that says how much to ask for; nothing else may be refused."""
    admission = admit_pod(engine, copied(pod), Review(namespace, TODAY))
    for outcome in admission.outcomes:
        finding = outcome.finding
        if finding.rule is RuleName.GPU_SHARE or outcome.effect is Effect.DENIED:
            yield finding


def _advised(data: st.DataObject, finding: Finding, gpus: str) -> tuple[str, Any]:
    if (more := _MORE.search(finding.remedy)) and data.draw(st.booleans()):
        return gpus, int(more["gpus"])
    asked, advised = _RESOURCE.search(finding.message), _AMOUNT.match(finding.remedy)
    assert asked, finding
    assert advised or finding.remedy.startswith("Leave it out"), finding
    amount = advised["most"] if advised else "0"
    return asked["name"], int(amount) if amount.isdecimal() else amount


_WRITTEN = tuple(
    Engine(replace(SETTINGS, queue_scheduler=each)) for each in (None, QUEUES, LABELLED_QUEUES)
)


@given(pod=WRITTEN_PODS, namespace=NAMESPACES, engine=st.sampled_from(_WRITTEN))
def test_no_fix_makes_another_rule_refuse(pod: Document, namespace: str, engine: Engine) -> None:
    assert _newly_denied(engine, pod, namespace) == set()


@given(seed=st.integers(0, 2**32), data=st.data())
def test_nor_does_it_on_the_example_clusters(seed: int, data: st.DataObject) -> None:
    engine = data.draw(st.sampled_from(_engines()))
    for namespace, pod in varied_pods(engine.settings, seed, 4):
        assert _newly_denied(engine, pod, namespace) == set(), (namespace, pod)


@given(
    engine=st.sampled_from(_engines()),
    data=st.data(),
    faults=st.frozensets(st.sampled_from(sorted(FAULTS)), max_size=5),
    sidecar=st.frozensets(st.sampled_from(sorted(FAULTS)), max_size=2),
)
def test_nor_does_it_in_a_pod_with_several_faults(
    engine: Engine, data: st.DataObject, faults: frozenset[str], sidecar: frozenset[str]
) -> None:
    namespace = data.draw(st.sampled_from([*sorted(engine.settings.namespaces), "foreign"]))
    pod = object_of("Pod", pod_with(sorted(faults), sorted(sidecar)), namespace)
    assert _newly_denied(engine, pod, namespace) == set()


def _denied(engine: Engine, pod: Document, namespace: str) -> set[str]:
    """Return the rules that refuse a pod for what they do not fix."""
    judged = engine.admit(copied(pod), Review(namespace, TODAY, fixes=False))
    return {each.rule.value for each in judged.denials if not each.fix}


def _newly_denied(engine: Engine, pod: Document, namespace: str) -> set[str]:
    """Return those that refuse what is fixed, and not what is only sent to its own pools."""
    steered = Engine(engine.settings, (granted_pools.RULE, node_affinity.RULE), engine.offer)
    placed, fixed = (
        each.admit(copied(pod), Review(namespace, TODAY)).document for each in (steered, engine)
    )
    return _denied(engine, fixed, namespace) - _denied(engine, placed, namespace)
