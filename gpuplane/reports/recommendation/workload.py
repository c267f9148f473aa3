"""What a workload needs of GPUs, as people state it."""

import json
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from charts_py.cluster_file.fault import Problem, RenderError
from charts_py.cluster_file.quantity import PositiveQuantity, bytes_of
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.strict_model import MAX_GPUS_PER_NODE, MAX_NODES, Refused, StrictModel
from charts_py.cluster_file.translation import translate, validated


class Latency(StrEnum):
    """What depends on how soon a pod answers."""

    NONE = "none"
    SOFT = "soft"
    STRICT = "strict"


class Stage(StrEnum):
    """Whether somebody relies on a workload."""

    DEVELOPMENT = "development"
    PRODUCTION = "production"


class Trust(StrEnum):
    """Whose pods may be on the same GPU."""

    TEAM = "team"
    OTHERS = "others"


class Workload(StrictModel):
    """Pods that are alike. What is not stated is taken for what asks the most of a GPU."""

    memory: PositiveQuantity
    """GPU memory of a pod at its most, on each of its GPUs."""
    average: float = Field(gt=0, le=1)
    """The part of a GPU's compute that a pod uses on average, such as `0.13`."""
    peak: float = Field(default=1, gt=0, le=1)
    """The part that it uses at its busiest."""
    pods: int = Field(default=1, ge=1, le=MAX_NODES)
    """How many pods run at once."""
    gpus_per_pod: int = Field(default=1, ge=1, le=MAX_GPUS_PER_NODE)
    """GPUs that a pod computes on together."""
    nvlink: bool = False
    """Whether the GPUs of its pods must talk over NVLink."""
    latency: Latency = Latency.STRICT
    """`none`: nobody waits. `soft`: somebody waits, and some delay is no harm. `strict`: a service
    level that neighbours must not spoil."""
    stage: Stage = Stage.PRODUCTION
    """`development` may be slowed, or ended by the fault of a neighbour."""
    trust: Trust = Trust.OTHERS
    """`team`: only pods that trust each other are on the pool. `others`: any."""

    @field_validator("peak")
    @classmethod
    def _is_no_less_than_average(cls, peak: float, info: ValidationInfo) -> float:
        average = info.data.get("average", 0)
        if peak < average:
            raise Refused(f"{peak} is below the average", f"{average} to 1")
        return peak

    @property
    def memory_bytes(self) -> int:
        return bytes_of(self.memory)

    @property
    def in_use(self) -> Fraction:
        return self.gpus_per_pod * exact(self.average)

    @property
    def demand(self) -> Fraction:
        """The part of a GPU that must be there for a pod: its peak where somebody waits for it."""
        if self.latency is Latency.NONE:
            return exact(self.average)
        return exact(self.peak)


class Workloads(StrictModel):
    """The workloads of a file."""

    workloads: dict[str, Workload] = Field(min_length=1)
    """Workloads by name."""


def exact(part: float) -> Fraction:
    """Return a part as it is written: 0.1 is a tenth."""
    return Fraction(str(part))


def read_workloads(file: Path) -> Mapping[str, Workload]:
    """Read a file of workloads by name; raise SpecError with every fault, OSError without it."""
    return validated(read_source(file, str(file)), Workloads).workloads


def given_workload(name: str, fields: Mapping[str, Any]) -> Mapping[str, Workload]:
    """Return the workload that options state; raise RenderError with all that is wrong with it."""
    stated = json.dumps({"workloads": {name: dict(fields)}})
    try:
        return Workloads.model_validate_json(stated, strict=True).workloads
    except ValidationError as error:
        details = error.errors(include_url=False)
        lines = (str(_as_option(translate(each, {}, Workloads))) for each in details)
        raise RenderError("\n".join(lines)) from error


def _as_option(problem: Problem) -> str:
    """Return a problem that names the option instead of the field."""
    field = str(problem.path[-1])
    option = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in field)
    return f"--{option}: {Problem((), problem.what, problem.allowed, problem.nearest)}"
