"""The priority ladder."""

from charts_py.components.priority_classes import PRIORITY_CLASSES
from tests.charts_py.fixture_types import DocumentsOf, Load


def test_each_rung_is_a_priority_class_that_is_no_default(
    example: Load, documents_of_component: DocumentsOf
) -> None:
    (component,) = PRIORITY_CLASSES.plan(example("training"))
    rungs = {
        document["metadata"]["name"]: (document["value"], document["preemptionPolicy"])
        for document in documents_of_component(component)
    }
    assert rungs == {
        "system": (10_000_000, "PreemptLowerPriority"),
        "inference": (1_000_000, "PreemptLowerPriority"),
        "training": (100_000, "PreemptLowerPriority"),
        "notebooks": (10_000, "Never"),
        "batch": (100, "Never"),
    }
