from collections.abc import Iterator
from typing import Any

import pytest

from policies.document import pointer, steps_of, value_at
from policies.workloads.part_source import PartSource
from policies.workloads.pod_template import PodTemplate, pod_templates
from tests.policies.workloads.test_parts import ROWS
from tests.rows import rows_beside

each_row = rows_beside(__file__, "part_source.yaml")


def _source(workload: Any, part: str) -> PartSource:
    (template,) = [each for each in pod_templates(workload) if each.pointer == part]
    return PartSource(workload, template, "/items/1")


@each_row("places")
def test_a_field_of_a_pod_has_a_place_in_its_workload(
    workload: Any, part: str, path: str, place: str
) -> None:
    assert _source(workload, part).pointer_of(path) == f"/items/1{place}"


@each_row("sentences")
def test_a_sentence_names_the_fields_of_the_workload(
    workload: Any, part: str, sentence: str, said: str
) -> None:
    assert _source(workload, part).said_of(sentence) == said


@pytest.mark.parametrize("name", [*ROWS])
def test_the_value_of_a_pod_stands_at_its_place(name: str) -> None:
    version, kind = ROWS[name]["object"].split()
    workload = {"apiVersion": version, "kind": kind, "spec": ROWS[name]["spec"]}
    for template in pod_templates(workload):
        source = PartSource(workload, template)
        for path, value in _values(template.document, ""):
            place = source.pointer_of(path)
            there = value_at(workload, steps_of(place))
            assert there == value or _is_made(value, there, place, template), (path, place)


def _is_made(value: Any, there: Any, place: str, template: PodTemplate) -> bool:
    """Whether a reader states a value itself, or puts it together from others."""
    return place == template.pointer or (isinstance(there, str) and there in str(value))


def _values(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        below = value.items() if isinstance(value, dict) else enumerate(value)
        for step, each in below:
            yield from _values(each, f"{path}{pointer(step)}")
    else:
        yield path, value
