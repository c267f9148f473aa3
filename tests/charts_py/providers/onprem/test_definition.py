from collections.abc import Callable
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.pool import NodeMatch
from charts_py.platform.draft import Draft, DraftPool
from charts_py.providers.onprem.definition import check_match
from gpus.taint import Taint
from tests.charts_py.fixture_types import FaultsOf, Load, ObjectsOf, PlatformWith


def test_no_provider_taints_on_premises_machines(platform_with: PlatformWith) -> None:
    pool = "{gpu: L4, gpus: 1, cpu: 8, memory: 32Gi, purpose: batch, nodes: {max: 1}}"
    (found,) = platform_with("onprem", pool).pools
    taints = (Taint("nvidia.com/gpu", "present", "NoSchedule"),)
    assert (found.facts.taints, found.own_taints) == (taints, taints)


MI300X = """
    gpu: MI300X
    gpus: 8
    cpu: 192
    memory: 2304Gi
    purpose: training
    nodes: {max: 2}
"""


def test_a_pool_that_names_no_machines_takes_every_one_with_its_gpu(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    (rule,) = objects_of(platform_with("onprem", MI300X))["NodeFeatureRule pool"]["spec"]["rules"]
    device = {"vendor": {"op": "In", "value": ["1002"]}, "device": {"op": "In", "value": ["74a1"]}}
    assert rule["matchFeatures"] == [{"feature": "pci.device", "matchExpressions": device}]
    assert rule["taints"] == [{"key": "amd.com/gpu", "value": "present", "effect": "NoSchedule"}]


ALLOWED = "hostnames: regular expressions on the names of its nodes"


@pytest.fixture
def problems(example: Load) -> Callable[..., list[Problem]]:
    """Return the function that checks two pools of H200 and one of L40S, with such hostnames."""
    platform = example("onprem")

    def pool(name: str, like: str, hostnames: tuple[str, ...]) -> DraftPool:
        found = platform.pool(like)
        spec = found.spec.model_copy(update={"match": NodeMatch(hostnames=hostnames)})
        return DraftPool(name, spec, found.facts.sharing, found.hardware, found.facts)

    def check(first: tuple[str, ...], second: tuple[str, ...]) -> list[Problem]:
        draft = Draft(
            name="sample",
            cluster=platform.cluster,
            provider=platform.provider,
            reserved_namespaces=platform.reserved_namespaces,
            pools=(
                pool("first", "h200", first),
                pool("second", "h200", second),
                pool("other", "l40s", ()),
            ),
            content={},
            directory=Path(),
            cut=frozenset(),
        )
        return list(check_match(draft))

    return check


def test_pools_of_one_gpu_that_name_different_machines_go_together(
    problems: Callable[..., list[Problem]],
) -> None:
    assert problems(("^train-",), ("^dev-",)) == []


def test_a_pool_that_names_no_machines_claims_those_of_its_rival(
    problems: Callable[..., list[Problem]],
) -> None:
    assert problems(("^train-",), ()) == [
        Problem(
            ("pools", "second", "match"),
            "it names no machines, so it also claims those of first, which have the same GPU",
            ALLOWED,
        )
    ]


def test_pools_that_name_the_same_machines_are_rivals(
    problems: Callable[..., list[Problem]],
) -> None:
    assert problems(("^train-",), ("^dev-", "^train-")) == [
        Problem(
            ("pools", "second", "match", "hostnames", 1),
            '"^train-" already belongs to first, which has the same GPU',
            "an expression of its own",
        )
    ]


def test_a_pool_whose_expression_is_wrong_is_no_rival_for_that(faults_after: FaultsOf) -> None:
    two = (
        "  l40s:\n    gpu: L40S\n    gpus: 4\n    cpu: 64\n    memory: 512Gi\n",
        (
            "  l40s:\n    gpu: H200-SXM\n    gpus: 4\n    cpu: 64\n    memory: 512Gi\n"
            '    match: {hostnames: ["("]}\n'
        ),
    )
    assert faults_after("onprem", two) == (
        'sample.yaml:28: pools.l40s.match.hostnames[0]: "(" is not a valid regular expression: '
        "missing ), unterminated subpattern at position 0; allowed: one such as ^train-[0-9]+$"
    )
