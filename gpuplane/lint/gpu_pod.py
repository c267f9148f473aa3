"""A template of pods that ask for GPUs."""

from dataclasses import dataclass

from policies.container import Container
from policies.pod import Pod


@dataclass(frozen=True, slots=True)
class GpuPod:
    """A template of pods that ask for a GPU."""

    pointer: str
    """JSON Pointer from the workload to it."""
    pod: Pod
    partial: bool
    """Whether it states only some of what the pods will have."""

    def is_below(self, pointer: str) -> bool:
        """Whether it stands in what a JSON Pointer leads to."""
        return self.pointer.startswith(f"{pointer}/")


def whole_gpus(container: Container) -> int | None:
    """Return the GPUs of a container; None where that is not a number, as with claims."""
    amounts = container.gpus.values()
    whole = [amount for amount in amounts if type(amount) is int]
    known = len(whole) == len(amounts) and not container.has_claims
    return sum(whole) or None if known else None
