"""What DCGM says of a whole GPU, once.

With MIG the exporter repeats it in the row of each instance, and for each pod that shares a GPU.
"""

from charts_py.metrics.dcgm_counter import DcgmCounter

GPU = "GPU {{ $labels.UUID }} of node {{ $labels.node }}"
"""Which one, in a text."""


def highest(counter: DcgmCounter) -> str:
    """Return the value of each GPU, in PromQL."""
    return f"max by (node, UUID) ({counter.name})"


def growth(counter: DcgmCounter, window: str, operation: str = "increase") -> str:
    """Return by how much a counter of each GPU has grown within a window, or a second with `rate`.

    The rows of a GPU are one counter before it is asked: another pod, or layout, is another row,
    which has not grown when it appears. Each minute is as fine as an alert needs it.
    """
    return f"{operation}(({highest(counter)})[{window}:1m])"
