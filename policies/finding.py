"""What a rule finds in a pod."""

import sys
from enum import StrEnum
from traceback import walk_tb
from typing import NamedTuple

from policies.custom_rule import CustomName
from policies.operation import Operation
from policies.rule_name import ApiRule, RuleName

MAX_FRAMES = 8


class Failure(NamedTuple):
    """An exception without its message, which may hold values of the pod, such as secrets."""

    error: str
    frames: tuple[str, ...]
    """The innermost `MAX_FRAMES`, innermost last: `policies/rules/host_ipc.py:31 in evaluate`. None
    where what failed is not ours."""


class Severity(StrEnum):
    """What happens to a pod with a finding of an enforced rule."""

    FIX = "fix"
    """The pod is changed and admitted."""
    REFUSE = "refuse"
    WARN = "warn"
    """The pod is admitted, and its author is warned."""


class Finding(NamedTuple):
    rule: RuleName | CustomName | ApiRule
    severity: Severity
    path: str
    """JSON Pointer into the pod to what is wrong, or to where something is missing."""
    culprit: str
    """Who: `container train`, `volume gpus`, or `the pod`."""
    message: str
    """A full sentence: culprit, field and reason."""
    remedy: str
    """A full sentence: what the author can do; empty where the message says it."""
    fix: tuple[Operation, ...] = ()
    """The operations that fix it. Where they are not applied, its severity decides."""

    def __str__(self) -> str:
        sentence = f"{self.rule}: {self.message}"
        return f"{sentence} {self.remedy}" if self.remedy else sentence


def of_rule(rule: RuleName | CustomName, message: str, remedy: str) -> Finding:
    """Return a warning that a rule itself, and not the pod, has a fault."""
    return Finding(rule, Severity.WARN, "", "the rule", message, remedy)


def failure_of(error: BaseException) -> Failure:
    """Return where the exception was raised."""
    frames = tuple(
        f"{_importable(frame.f_code.co_filename)}:{line} in {frame.f_code.co_name}"
        for frame, line in walk_tb(error.__traceback__)
    )
    return Failure(type(error).__name__, frames[-MAX_FRAMES:])


def _importable(file: str) -> str:
    """Return the file below the folder from which it is imported, as compiled code names it."""
    folders = (f"{folder}/" for folder in sys.path if folder and file.startswith(f"{folder}/"))
    return file.removeprefix(max(folders, key=len, default=""))
