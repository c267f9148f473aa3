"""CPUs and memory of a pod."""

from dataclasses import dataclass

from charts_py.cluster_file.cpu_quantity import format_cpus
from policies.quantity import format_bytes


@dataclass(frozen=True, slots=True)
class Compute:
    """CPUs and memory of a pod, or of several."""

    millicpu: int
    memory: int
    """Bytes."""

    def __add__(self, other: "Compute") -> "Compute":
        return Compute(self.millicpu + other.millicpu, self.memory + other.memory)

    def __sub__(self, other: "Compute") -> "Compute":
        return Compute(self.millicpu - other.millicpu, self.memory - other.memory)

    def __str__(self) -> str:
        return ", ".join(f"{name}: {amount}" for name, amount in self.amounts().items())

    def amounts(self) -> dict[str, str]:
        """Return the amounts as a container has them."""
        return {"cpu": format_cpus(self.millicpu), "memory": format_bytes(self.memory)}


NOTHING = Compute(0, 0)
LAUNCHER = Compute(1000, 4 * 2**30)
"""Of a pod that starts others, or tells them what to do, and computes nothing itself."""
