from charts_py.components.gpu_health import GPU_HEALTH
from charts_py.components.namespaces import NAMESPACES
from charts_py.components.node_readiness.controller import (
    NAMESPACE_OF_READINESS_CONTROLLER,
    NODE_READINESS_CONTROLLER,
)
from charts_py.components.node_readiness.definition import NODE_READINESS
from tests.charts_py.fixture_types import DocumentsOf, PlatformWith

NAME = "node-readiness-controller"


def test_it_stands_in_a_component_of_its_own_that_is_removed_last(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    platform = platform_after("karpenter")
    (own,) = NAMESPACE_OF_READINESS_CONTROLLER.plan(platform)
    (others,) = NAMESPACES.plan(platform)
    names, other_names = (
        [document["metadata"]["name"] for document in documents_of_component(component)]
        for component in (own, others)
    )
    assert (names, NAME in other_names, own.is_removed_last) == ([NAME], False, True)


def test_it_is_removed_after_the_controller_and_that_after_the_rules() -> None:
    waves = [
        each.wave
        for each in (
            NAMESPACE_OF_READINESS_CONTROLLER,
            NODE_READINESS_CONTROLLER,
            NODE_READINESS,
            GPU_HEALTH,
        )
    ]
    first, then, *rules = waves
    assert first < then < min(rules)


def test_it_is_taken_over_before_the_application_that_had_it_would_prune_it() -> None:
    assert NAMESPACE_OF_READINESS_CONTROLLER.wave < NAMESPACES.wave
