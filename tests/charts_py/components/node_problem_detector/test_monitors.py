import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import TypeAdapter

from charts_py.cluster_file.pool import RegularExpression
from charts_py.components.node_problem_detector.monitors import is_testable, xid_monitors
from gpus.model import AMD, NVIDIA
from gpus.sharing import Sharing
from gpus.xid import load_xids


@pytest.mark.parametrize(
    ("vendor", "sharing", "expected"),
    [
        (NVIDIA, Sharing(), True),
        (NVIDIA, Sharing(time_slicing=4), True),
        (NVIDIA, Sharing(mps=4), False),
        (NVIDIA, Sharing(mig=(("1g.10gb", 7),)), False),
        (NVIDIA, Sharing(mig=(("1g.10gb", 7),), time_slicing=4), False),
        (AMD, Sharing(), False),
    ],
)
def test_whole_gpus_of_nvidia_can_be_tested(vendor: str, sharing: Sharing, expected: bool) -> None:
    assert is_testable(vendor, sharing) is expected


FAULTS, EVENTS = (json.loads(monitor.content) for monitor in xid_monitors())
RULES: list[dict[str, Any]] = [*FAULTS["rules"], *EVENTS["rules"]]
LINES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "kernel_log.yaml").read_text("utf-8")
)
HARDWARE = "gpuplane.io/GpuHardwareFault"
DRIVER = "gpuplane.io/GpuDriverFault"
SWITCH = "gpuplane.io/NvSwitchFault"


def told(line: str) -> list[tuple[str, str]]:
    r"""Return the condition, empty for an event, and the reason of each rule that a line is for.

    The detector looks for `<pattern>\z` (pkg/systemlogmonitor/log_buffer.go at v1.35.1).
    """
    found = [rule for rule in RULES if re.search(rf"{rule['pattern']}\Z", line)]
    return [(rule.get("condition", ""), rule["reason"]) for rule in found]


@pytest.mark.parametrize("row", LINES, ids=lambda row: row["line"])
def test_what_drivers_wrote_tells_of_one_error_or_of_none(row: dict[str, Any]) -> None:
    answer = [(row["condition"], row["reason"])] if "reason" in row else []
    assert told(row["line"]) == answer


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        # The name of a program is its own choice.
        ("NVRM: Xid (PCI:0000:01:00): 31, pid=1, name=a: 79, b", [("", "NvidiaXID31Warning")]),
        # One code does not begin another.
        ("NVRM: Xid (PCI:0000:01:00): 7, Channel 00000001", []),
        ("NVRM: Xid (PCI:0000:01:00): 790, Channel 00000001", []),
        # The instance of a GPU that is partitioned.
        (
            "NVRM: Xid (PCI:0000:01:00 GPU-I:05): 95, pid=1, name=a, Uncontained",
            [(HARDWARE, "NvidiaXID95Error")],
        ),
    ],
)
def test_a_line_is_read_by_its_code_alone(line: str, answer: list[tuple[str, str]]) -> None:
    assert told(line) == answer


def test_every_error_of_the_table_has_a_rule_and_every_rule_a_meaning() -> None:
    reasons = {rule["reason"] for rule in RULES}
    assert {int(code) for code in re.findall(r"\d+", " ".join(reasons))} == {
        xid.code for xid in load_xids()
    }
    assert all(rule["patternGeneratedMessageSuffix"] for rule in RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["reason"])
def test_go_reads_a_pattern_as_python_does(rule: dict[str, Any]) -> None:
    pattern = rule["pattern"]
    assert TypeAdapter(RegularExpression).validate_python(pattern) == pattern


def test_a_condition_is_told_again_after_a_restart_and_an_event_is_not() -> None:
    assert (FAULTS["lookback"], EVENTS["lookback"]) == ("87600h", "1m")
    assert [condition["type"] for condition in FAULTS["conditions"]] == [HARDWARE, DRIVER, SWITCH]
    assert EVENTS["conditions"] == []
    assert {rule["condition"] for rule in FAULTS["rules"]} == {HARDWARE, DRIVER, SWITCH}
    assert {rule["type"] for rule in EVENTS["rules"]} == {"temporary"}
