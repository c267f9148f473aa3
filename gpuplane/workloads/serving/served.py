"""What a server serves, and by which engine."""

from dataclasses import dataclass, replace
from enum import StrEnum

from gpuplane.workloads.model_version import ModelVersion
from gpuplane.workloads.serving.engine import Engine
from gpuplane.workloads.serving.fit import Demand
from gpuplane.workloads.serving.language_model import LanguageModel


class Role(StrEnum):
    """What replicas do of a request where prefill and decode are apart."""

    PREFILL = "prefill"
    DECODE = "decode"


@dataclass(frozen=True, slots=True)
class Served:
    """What a server serves."""

    engine: Engine | None = None
    """None for one that is not known."""
    model: LanguageModel | None = None
    version: ModelVersion | None = None
    """Its version in the model registry, where it is from there."""
    port: int | None = None
    """Where a server that is not known answers."""
    drain: int | None = None
    """Seconds for requests that it has when it ends; None for the usual ones."""
    picker: bool = False
    """Whether requests go to the replica that a picker chooses."""
    role: Role | None = None
    """None where each replica does all of a request."""

    def demand(self, model: LanguageModel) -> Demand:
        """Return what a model takes where this engine serves it."""
        reserve = self.engine.reserve if self.engine else None
        return replace(model.demand, reserve=reserve) if reserve else model.demand
