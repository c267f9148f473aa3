"""YAML in which values say where they come from."""

import pytest
import yaml

from charts_py.cluster_file.yaml_reader import CoreSchemaLoader
from gpuplane.adoption.commented import Commented, note, one_line, stated, written


def test_a_value_names_who_states_it_unless_its_holder_does() -> None:
    fields = {
        "pools": Commented(
            {
                "h100": Commented(
                    {
                        "instanceType": Commented("p5.48xlarge", "NodePool h100"),
                        "purpose": Commented("training", "label purpose"),
                        "nodes": Commented({"max": 4}, "NodePool h100", ("max is a guess",)),
                        "maxPods": note("maxPods: nothing states it"),
                    },
                    "NodePool h100",
                )
            }
        )
    }
    assert list(written(fields)) == [
        "pools:",
        "  h100: # NodePool h100",
        "    instanceType: p5.48xlarge",
        "    purpose: training # label purpose",
        "    # max is a guess",
        "    nodes: {max: 4}",
        "    # maxPods: nothing states it",
    ]


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "null",
        "0300",
        "1e3",
        "0x1F",
        "1.35",
        "12:30",
        "",
        " a",
        "a: b",
        "a #b",
        "- a",
        "5Gi",
        "1g.10gb",
        "0.1.0-rc.1",
        "a\nb",
        'a"b',
        "é",
        "@a",
        "{a",
        "2026-11-23",
        "1_000",
        5,
        True,
        [],
        ["a", "5"],
        {"a": 1, "5": "no"},
    ],
    ids=repr,
)
def test_what_is_written_is_what_is_read(value: object) -> None:
    (line,) = written({"field": Commented(value)})
    assert yaml.load(line, Loader=CoreSchemaLoader) == {"field": value}  # noqa: S506 # as a cluster file is read


def test_a_comment_stays_on_its_line_and_can_be_seen() -> None:
    assert one_line("a\nb\u2028c\x00d\u202e") == "a b c?d?"


@pytest.mark.parametrize("value", [1, Commented(1)], ids=["in a line", "in lines"])
def test_a_name_that_is_too_long_for_a_key_is_cut(value: object) -> None:
    name = "9" * 5000
    lines = "\n".join(written({"quota": Commented({name: value})}))
    (read,) = yaml.load(lines, Loader=CoreSchemaLoader)["quota"]  # noqa: S506 # as a cluster file is read
    assert read == name[:253]


ALLOWED = ("training", "batch")
ROWS = {
    "a prefix of one's own": (
        {"example.com/purpose": "training"},
        Commented("training", "label example.com/purpose"),
    ),
    "no prefix": ({"workload": "batch"}, Commented("batch", "label workload")),
    "gpuplane's own before others": (
        {"gpuplane.io/purpose": "batch", "purpose": "training"},
        Commented("batch", "label gpuplane.io/purpose"),
    ),
    "none": ({}, note("purpose: no label tells it; choose one of training, batch")),
    "a value that is none": (
        {"purpose": "fun"},
        note("purpose: no label tells it; choose one of training, batch"),
    ),
    "two that differ": (
        {"a/purpose": "training", "b/purpose": "batch"},
        note(
            "purpose: labels differ, a/purpose=training, b/purpose=batch; "
            "choose one of training, batch"
        ),
    ),
}


@pytest.mark.parametrize(("labels", "said"), ROWS.values(), ids=ROWS.keys())
def test_a_purpose_is_stated_by(labels: dict[str, str], said: Commented) -> None:
    assert stated(labels, "purpose", ALLOWED) == said
