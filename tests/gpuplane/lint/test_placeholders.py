from typing import Any

import pytest

from gpuplane.lint.finding import LintSeverity, ObjectFinding
from gpuplane.lint.placeholders import placeholders, without_placeholders
from tests.rows import rows_beside

each_row = rows_beside(__file__, "placeholders.yaml")


def _limits(value: str) -> dict[str, Any]:
    spec = {"containers": [{"name": "t", "resources": {"limits": {"nvidia.com/gpu": value}}}]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": spec}


GPUS = "/spec/containers/0/resources/limits/nvidia.com~1gpu"


@each_row("placeholders")
def test_a_placeholder_stands_in_the_place_of_a_number(value: str) -> None:
    assert placeholders(_limits(value)) == {GPUS: value}


@pytest.mark.parametrize("opening", ["${a", "$(a", "{{"])
def test_openings_without_an_end_are_read_in_linear_time(opening: str) -> None:
    # Each of them was once searched for its end to the end of the value: minutes for these.
    assert placeholders(_limits(opening * 20_000)) == {}


@pytest.mark.parametrize("value", ["8", "replaced", "change", "a-b", "behind-yours"])
def test_other_text_is_no_placeholder(value: str) -> None:
    assert placeholders(_limits(value)) == {}


@each_row("places")
def test_only_where_a_number_or_a_name_belongs(spec: Any, found: dict[str, str]) -> None:
    assert placeholders({"apiVersion": "v1", "kind": "Pod", "spec": spec}) == found


def test_a_parameter_of_a_workflow_is_no_placeholder() -> None:
    spec = {"templates": [{"container": {"image": "{{inputs.parameters.image}}", "name": "$NAME"}}]}
    workflow = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "spec": spec}
    assert placeholders(workflow) == {"/spec/templates/0/container/name": "$NAME"}


@pytest.mark.parametrize(
    ("place", "one"),
    [
        (
            "/metadata/annotations/gpuplane.io~1gpu-model",
            {"metadata": {"annotations": {"gpuplane.io/gpu-model": "$M"}}},
        ),
        ("/spec/affinity/values/0", {"spec": {"affinity": {"values": ["$M", "h100"]}}}),
        ("/spec/tolerations/0/value", {"spec": {"tolerations": [{"value": "$M"}]}}),
        (
            "/spec/volumes/0/image/reference",
            {"spec": {"volumes": [{"image": {"reference": "a/$M:1"}}]}},
        ),
    ],
)
def test_what_a_finding_says_of_a_placeholder_in_any_field_is_left_out(
    place: str, one: Any
) -> None:
    value = "a/$M:1" if "image" in place else "$M"
    told = [(_finding("/spec", f"The pod has {value}, which no node is."), ("training",))]
    (named,) = without_placeholders(told, one)
    assert (named[0].rule, named[0].pointer) == ("unfilled-placeholder", place)


@pytest.mark.parametrize(
    "one",
    [
        {"spec": {"containers": [{"command": ["run", "$M"], "args": ["$M"]}]}},
        {"spec": {"containers": [{"env": [{"name": "A", "value": "$M"}]}]}},
        {"spec": {"volumes": [{"name": "$N"}]}},
        {"apiVersion": "argoproj.io/v1alpha1", "spec": {"affinity": {"values": ["{{item}}"]}}},
    ],
)
def test_what_it_says_of_what_programs_read_stays(one: Any) -> None:
    told = [(_finding("/spec/containers/0", "The container has $M and {{item}}."), ("training",))]
    assert told[0] in list(without_placeholders(told, one))


def _finding(pointer: str, message: str, remedy: str = "") -> ObjectFinding:
    return ObjectFinding("gpu-count", LintSeverity.ERROR, "Pod a", pointer, message, remedy, ())


def test_one_finding_names_a_placeholder_and_what_follows_from_it_is_left_out() -> None:
    other = _finding("/spec", "The pod is wrong.")
    told = (
        _finding(GPUS, "It is no number."),
        _finding("/spec/containers/0", "The container asks for $N GPUs."),
        _finding(GPUS.rpartition("/")[0], "No limit.", "Set limits.nvidia.com/gpu."),
        other,
    )
    left = without_placeholders([(each, ("training",)) for each in told], _limits("$N"))
    assert list(left) == [
        (
            ObjectFinding(
                "unfilled-placeholder",
                LintSeverity.WARNING,
                "Pod a",
                GPUS,
                "The value of nvidia.com/gpu is the placeholder $N.",
                "Fill it in, and lint the result.",
                (),
            ),
            (),
        ),
        (other, ("training",)),
    ]
